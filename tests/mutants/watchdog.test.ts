import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const thread = fileURLToPath(new URL('../support/mutants/watchdog-thread.cjs', import.meta.url));

function processThat(does: string) {
  const program = `
    const { Worker } = require('node:worker_threads');
    const watchdog = new Worker(${JSON.stringify(thread)});
    watchdog.postMessage({ text: 'mutant of status.ok', milliseconds: 100 });
    ${does}`;
  const { signal, status, stderr } = spawnSync(process.execPath, ['-e', program], { encoding: 'utf8' });
  return { signal, status, stderr };
}

it('a loop that never ends is named, and its process is ended', () => {
  expect(processThat('for (;;);')).toEqual({
    signal: 'SIGKILL',
    status: null,
    stderr: 'mutant of status.ok: has not ended within 0.1 s, so its process is ended\n',
  });
});

it('what ends in time is let go', () => {
  const does = 'watchdog.postMessage(null); setTimeout(() => process.exit(7), 300);';
  expect(processThat(does)).toEqual({ signal: null, status: 7, stderr: '' });
});
