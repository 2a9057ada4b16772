import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { Scanner, ScannerError } from '@azimuth/client';
import { expect, onTestFinished } from 'vitest';
import { freePort } from './free-port.js';

const bin = fileURLToPath(new URL('../../packages/cli/bin/azimuth.js', import.meta.url));

/** A new folder, gone with the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'azimuth-cli-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

interface Start {
  readonly flags?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Destination of stderr; by default a pipe to this process. */
  readonly stderr?: number;
  /** Commands of the shell before it becomes the scanner. */
  readonly before?: string;
}

/** `azimuth serve` as a process of its own, from the build, ended with the test. */
export function serve({ flags = [], env = {}, stderr, before = '' }: Start = {}): ChildProcess {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('AZIMUTH_'));
  const argv = ['-c', `${before}\nexec "$@"`, 'sh', process.execPath, bin, 'serve', ...flags];
  const child = spawn('sh', argv, {
    stdio: ['ignore', 'pipe', stderr ?? 'pipe'],
    env: {
      ...Object.fromEntries(inherited),
      AZIMUTH_PORT: '0',
      AZIMUTH_LEGACY_A_PORT: '0',
      AZIMUTH_LEGACY_B_PORT: '0',
      ...env,
    },
  });
  onTestFinished(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  });
  return child;
}

/** Everything that a process prints until it ends. */
export async function ended(child: ChildProcess) {
  const texts = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      texts[name] += text;
    });
  }
  const [exitCode] = await once(child, 'close');
  return { ...texts, exitCode: Number(exitCode) };
}

/** Everything that a stream has given so far. */
export class Reader {
  text = '';
  readonly #stream: Readable;

  constructor(stream: Readable | null) {
    if (stream === null) throw new Error('there is no stream to read');
    this.#stream = stream.on('data', (chunk: Buffer) => {
      this.text += chunk.toString();
    });
  }

  /** Reads on until the text is enough. */
  until(enough: (text: string) => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const check = () => {
        if (!enough(this.text)) return;
        this.#stream.off('data', check);
        resolve();
      };
      this.#stream.on('data', check).once('end', () => reject(new Error(`this was all: ${this.text}`)));
      check();
    });
  }
}

/** A scanner on ports that are known before it starts, whatever becomes of its output. */
export class Served {
  readonly #scanner: Scanner;
  readonly #intruder: Scanner;

  private constructor(
    readonly child: ChildProcess,
    port: number,
    readonly control: number,
  ) {
    this.#scanner = new Scanner({ url: `http://127.0.0.1:${port}` });
    this.#intruder = new Scanner({ url: this.#scanner.url, password: 'guessed' });
  }

  static async start({ flags = [], ...start }: Start = {}): Promise<Served> {
    const [port, control] = [await freePort(), await freePort()];
    const ports = ['--port', `${port}`, '--control-port', `${control}`, '--data', temporaryFolder()];
    return new Served(serve({ ...start, flags: [...ports, ...flags] }), port, control);
  }

  /** Reads a value, as a sign of life. */
  name(): Promise<string> {
    return this.#scanner.read('LocationName');
  }

  /** Makes the scanner log: a line for each login that fails, five of them before it locks. */
  async failLogins(times: number): Promise<void> {
    for (let done = 1; done <= times; done++) {
      await expect(this.#intruder.write('LocationName', 'x')).rejects.toThrow(ScannerError);
      if (done % 5 === 0) await this.#unlock();
    }
  }

  async #unlock(): Promise<void> {
    const url = `http://127.0.0.1:${this.control}/clock/advance`;
    const response = await fetch(url, { method: 'POST', body: '{"ms":31000}' });
    expect(response.status).toBe(200);
  }
}
