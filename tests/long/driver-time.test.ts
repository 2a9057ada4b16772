import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { namedMistakes } from '@azimuth/test-support/driver-time';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Runs a test of the page with a driver that makes a mistake. */
function run(mistake: string, file: string): Promise<{ readonly code: unknown; readonly printed: string }> {
  const words = ['vitest', 'run', '--project', 'sockets', `examples/driver-time/${file}`];
  const env = { ...process.env, DRIVER_MISTAKE: mistake, NO_COLOR: '1' };
  return new Promise((resolve) => {
    execFile('npx', words, { cwd: root, env }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, printed: stdout + stderr }),
    );
  });
}

test.each(namedMistakes)('$file fails for a driver with the mistake $mistake', async ({ mistake, file }) => {
  const { code, printed } = await run(mistake, file);
  expect(printed).toContain('AssertionError');
  expect(printed).toMatch(/Tests {2}1 failed/);
  expect(code).toBe(1);
});
