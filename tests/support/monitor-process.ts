import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { temporaryFolder } from './files.js';
import { object, parse, string } from './json.js';
import { Reader } from './serve-process.js';

const bin = fileURLToPath(new URL('../../packages/cli/bin/azimuth.js', import.meta.url));

/** `azimuth monitor` as a process of its own, in a folder of its own. It ends with the test. */
export class MonitorProcess {
  private constructor(
    readonly child: ChildProcess,
    readonly url: string,
    readonly log: Reader,
  ) {}

  static async start(...words: readonly string[]): Promise<MonitorProcess> {
    const argv = [bin, 'monitor', '--json', '--port', '0', ...words];
    const child = spawn(process.execPath, argv, {
      stdio: ['ignore', 'pipe', 'pipe'],
      cwd: temporaryFolder(),
    });
    onTestFinished(() => end(child));
    const log = new Reader(child.stderr);
    const reader = new Reader(child.stdout);
    const ended = once(child, 'close').then(() => {
      if (!reader.text.includes('\n'))
        throw new Error(`azimuth ${argv.slice(1).join(' ')} has ended: ${log.text}`);
    });
    await Promise.race([reader.until((text) => text.includes('\n')).catch(() => ended), ended]);
    const [ready = ''] = reader.text.split('\n', 1);
    return new MonitorProcess(child, string(object(parse(ready)).url), log);
  }

  /** Ends it as a power cut does. */
  async kill(): Promise<void> {
    await end(this.child);
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}
