import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Scanner } from '@azimuth/client';
import { onTestFinished } from 'vitest';
import { number, object, parse, string } from './json.js';
import { Reader } from './serve-process.js';

const bin = fileURLToPath(new URL('../../packages/cli/bin/azimuth.js', import.meta.url));

/** `azimuth fleet run`, `azimuth worker` or `azimuth gateway` as a process of its own, which ends with the test. */
export class FleetProcess {
  /** Words in front of each command. */
  static launcher: readonly string[] = [];

  private constructor(
    readonly child: ChildProcess,
    readonly url: string,
    readonly scanners: number,
    readonly log: Reader,
  ) {}

  static start(...words: readonly string[]): Promise<FleetProcess> {
    return FleetProcess.startWith({}, ...words);
  }

  /** @param environment variables beside those of this process */
  static startWith(
    environment: Readonly<Record<string, string>>,
    ...words: readonly string[]
  ): Promise<FleetProcess> {
    return FleetProcess.#spawn(['fleet', 'run', '--boot-time', '0.1', ...words], environment);
  }

  static worker(
    environment: Readonly<Record<string, string>>,
    ...words: readonly string[]
  ): Promise<FleetProcess> {
    return FleetProcess.#spawn(['worker', '--boot-time', '0.1', ...words], environment);
  }

  static gateway(
    environment: Readonly<Record<string, string>>,
    ...words: readonly string[]
  ): Promise<FleetProcess> {
    return FleetProcess.#spawn(['gateway', ...words], environment);
  }

  static async #spawn(
    words: readonly string[],
    environment: Readonly<Record<string, string>>,
  ): Promise<FleetProcess> {
    const [command = '', ...rest] = words;
    const first = command === 'fleet' ? [command, rest.shift() ?? ''] : [command];
    const argv = [bin, ...first, '--json', '--port', '0', ...rest];
    const env = { ...process.env, ...environment };
    // A command that starts it in its own place, as for a higher priority.
    const [program = '', ...before] = [...FleetProcess.launcher, process.execPath];
    const child = spawn(program, [...before, ...argv], { stdio: ['ignore', 'pipe', 'pipe'], env });
    onTestFinished(async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    });
    const log = new Reader(child.stderr);
    const reader = new Reader(child.stdout);
    // Resolves when all of its output is read.
    const ended = once(child, 'close').then(() => {
      if (!reader.text.includes('\n')) throw new Error(`azimuth ${words.join(' ')} has ended: ${log.text}`);
    });
    await Promise.race([reader.until((text) => text.includes('\n')).catch(() => ended), ended]);
    const ready = object(parse(reader.text.split('\n', 1)[0] ?? ''));
    return new FleetProcess(child, string(ready.url), number(ready.scanners), log);
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
