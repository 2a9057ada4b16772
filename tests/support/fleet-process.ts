import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Scanner } from '@azimuth/client';
import { onTestFinished } from 'vitest';
import { number, object, parse, string } from './json.js';
import { Reader } from './serve-process.js';

const bin = fileURLToPath(new URL('../../packages/cli/bin/azimuth.js', import.meta.url));

/** `azimuth fleet run` as a process of its own, which ends with the test. */
export class FleetProcess {
  private constructor(
    readonly child: ChildProcess,
    readonly url: string,
    readonly scanners: number,
  ) {}

  static async start(...words: readonly string[]): Promise<FleetProcess> {
    const argv = [bin, 'fleet', 'run', '--json', '--port', '0', '--boot-time', '0.1', ...words];
    const child = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'ignore'] });
    onTestFinished(async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    });
    const reader = new Reader(child.stdout);
    await reader.until((text) => text.includes('\n'));
    const ready = object(parse(reader.text.split('\n', 1)[0] ?? ''));
    return new FleetProcess(child, string(ready.url), number(ready.scanners));
  }

  scanner(serial: string): Scanner {
    return new Scanner({ url: `${this.url}/scanners/${serial}`, password: 'servicelevel' });
  }

  /** @returns its exit code, or the signal that has ended it */
  async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<unknown> {
    this.child.kill(signal);
    const [code, by] = await once(this.child, 'exit');
    return code ?? by;
  }
}
