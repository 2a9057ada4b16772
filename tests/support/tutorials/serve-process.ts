import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { number, object, parse } from '@azimuth/test-support/json';

const bin = fileURLToPath(new URL('../../../packages/cli/bin/azimuth.js', import.meta.url));

/** A scanner of a tutorial, at free ports instead of those that it names. */
export class ServeProcess {
  readonly url: string;
  readonly control: string;
  /** Port at which it answers the device search. */
  readonly searchPort: number;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, ready: Record<string, unknown>) {
    this.#child = child;
    this.url = `http://127.0.0.1:${number(ready.http)}`;
    this.searchPort = number(ready.search);
    this.control = `http://127.0.0.1:${number(ready.control)}`;
  }

  /** @param command `azimuth serve` with options, without quotes */
  static async start(command: string, cwd: string): Promise<ServeProcess> {
    const [, ...words] = command.split(' ');
    const options = words.filter(
      (word, index) => !/port$/.test(word) && !/port$/.test(words[index - 1] ?? ''),
    );
    const child = spawn(process.execPath, [bin, ...options, '--any-ports', '--json', '--boot-time', '0.2'], {
      cwd,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    for await (const line of createInterface({ input: child.stdout })) {
      return new ServeProcess(child, object(parse(line)));
    }
    throw new Error(`does not start: ${command}`);
  }

  async end(): Promise<void> {
    const ended = once(this.#child, 'close');
    this.#child.kill();
    await ended;
  }
}
