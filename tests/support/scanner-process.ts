import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import { Client, type ClientOptions, type HttpResponse } from './client.js';
import { isObject, number, object, parse } from './json.js';
import { RawConnection } from './raw-connection.js';
import { until } from './waiting.js';

const command = fileURLToPath(new URL('../../packages/cli/bin/azimuth.js', import.meta.url));
const anyPort = ['port', 'https-port', 'legacy-a-port', 'legacy-b-port', 'search-port', 'control-port'];

/** Seconds of the device clock during which a rebooting scanner is down: nothing comes back by itself in a test. */
const longBootTime = 600;

const running = new Set<ChildProcessByStdio<null, Readable, Readable>>();
const killAll = () => {
  for (const child of running) child.kill('SIGKILL');
};

// A run that is broken off leaves no scanner behind.
process.on('exit', killAll);
process.on('disconnect', killAll);
process.once('SIGTERM', () => {
  killAll();
  process.exit(1);
});

export interface StartOptions {
  folder: string;
  flags?: readonly string[];
  env?: Readonly<Record<string, string>>;
  bootTime?: number;
  /** A command that starts the scanner in its own place: with fewer rights, less room. */
  launcher?: readonly string[];
  /** Another program of Node than the one that runs the tests. */
  node?: string;
}

export interface Exit {
  code: number | null;
  stdout: string;
  log: string;
}

/** A scanner in a process of its own, in sight of nothing but its sockets, its files and its output. */
export class ScannerProcess {
  readonly #child: ChildProcessByStdio<null, Readable, Readable>;
  #stdout = '';
  #log = '';
  readonly exited: Promise<Exit>;
  httpPort: number | null = null;
  controlPort = 0;
  readonly bootTime: number;

  private constructor(readonly options: StartOptions) {
    const ports = anyPort.flatMap((name) => [`--${name}`, '0']);
    this.bootTime = options.bootTime ?? longBootTime;
    // Dozens of scanners at once are not to talk to each other.
    const noDnsSd = '--no-dns-sd';
    const own = ['--data', options.folder, '--boot-time', String(this.bootTime), '--json', noDnsSd];
    const start = [
      options.node ?? process.execPath,
      command,
      'serve',
      ...ports,
      ...own,
      ...(options.flags ?? []),
    ];
    const [program = '', ...words] = [...(options.launcher ?? []), ...start];
    this.#child = spawn(program, words, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...inheritedEnvironment(), ...options.env },
    });
    running.add(this.#child);
    this.#child.stdout.setEncoding('utf8').on('data', (text: string) => {
      this.#stdout += text;
    });
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#log += text;
    });
    this.exited = new Promise((resolve, reject) => {
      this.#child.on('error', reject);
      this.#child.on('close', (code) => {
        running.delete(this.#child);
        resolve({ code, stdout: this.#stdout, log: this.#log });
      });
    });
  }

  /** Starts a scanner and waits until it is ready; throws with its log where it ends instead. */
  static async start(options: StartOptions): Promise<ScannerProcess> {
    const scanner = new ScannerProcess(options);
    let end: Exit | undefined;
    void scanner.exited.then((exit) => {
      end = exit;
    });
    try {
      await until(() => scanner.#stdout.includes('\n') || end !== undefined, 20_000);
    } catch (error) {
      await scanner.kill();
      throw error;
    }
    if (end !== undefined) throw new Error(`ended with code ${end.code} before it was ready:\n${end.log}`);
    scanner.httpPort = scanner.readyLine.http === null ? null : number(scanner.readyLine.http);
    scanner.controlPort = number(scanner.readyLine.control);
    return scanner;
  }

  /** Starts a scanner that is expected to refuse, and waits for its end. */
  static refuse(options: StartOptions): Promise<Exit> {
    return new ScannerProcess(options).exited;
  }

  get readyLine() {
    return object(parse(this.#stdout.split('\n')[0] ?? ''));
  }

  get log(): string {
    return this.#log;
  }

  get stdout(): string {
    return this.#stdout;
  }

  /** The port of HTTPS, up or down. */
  get httpsPort(): number {
    return number(this.readyLine.https);
  }

  get pid(): number {
    return number(this.#child.pid);
  }

  /** A client over HTTP, or over HTTPS with `tls`. */
  client(options: ClientOptions = {}): Client {
    return new Client(options.tls === undefined ? number(this.httpPort) : this.httpsPort, options);
  }

  async stop(): Promise<Exit> {
    this.#child.kill('SIGTERM');
    return this.exited;
  }

  /** Pulls the plug. */
  async kill(): Promise<Exit> {
    this.#child.kill('SIGKILL');
    return this.exited;
  }

  control(path: string, body?: unknown): Promise<HttpResponse> {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const method = path === '/' ? 'GET' : 'POST';
    return new Client(this.controlPort).send({ method, path, body: text });
  }

  async isUp(): Promise<boolean> {
    return object(parse((await this.control('/')).text)).up === true;
  }

  /** Moves the device clock. */
  async advance(ms: number): Promise<void> {
    await this.#order('/clock/advance', { ms });
  }

  async setTemperature(celsius: number): Promise<void> {
    await this.#order('/temperature', { celsius });
  }

  /** Cuts the power and switches it on again, and waits until the scanner is back. */
  async powerCycle(): Promise<void> {
    await this.throughReboot(() => this.#order('/power-cycle'));
  }

  /** Does what reboots the scanner, sees it go down, lets the boot time pass and waits until it is back. */
  async throughReboot<T>(act: () => Promise<T>): Promise<T> {
    const witness = await RawConnection.open(number(this.httpPort));
    const result = await act();
    await witness.closed;
    await this.boot();
    return result;
  }

  /** Lets the boot time of a scanner pass that is going down or down. */
  async boot(): Promise<void> {
    await until(async () => !(await this.isUp()));
    await this.advance(this.bootTime * 1000);
    await until(() => this.isUp());
  }

  async #order(path: string, body?: unknown): Promise<void> {
    const response = await this.control(path, body);
    const json = parse(response.text);
    if (response.httpStatus !== 200 || !isObject(json) || json.ok !== true) {
      throw new Error(`control port: ${path} answered ${response.httpStatus} ${response.text}`);
    }
  }
}

/** The environment without settings of the command under test. */
function inheritedEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('AZIMUTH_')));
}

export function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), 'azimuth-'));
}

/** A folder of this test for one scanner at a time. The test ends its scanners and removes it. */
export class ScannerFolder {
  readonly folder = temporaryFolder();
  readonly #scanners: ScannerProcess[] = [];

  constructor() {
    onTestFinished(async () => {
      await Promise.all(this.#scanners.map((scanner) => scanner.kill()));
      rmSync(this.folder, { recursive: true, force: true });
    });
  }

  async start(flags: readonly string[] = [], options: Omit<StartOptions, 'folder' | 'flags'> = {}) {
    const scanner = await ScannerProcess.start({ folder: this.folder, flags, ...options });
    this.#scanners.push(scanner);
    return scanner;
  }

  refuse(flags: readonly string[] = [], options: Omit<StartOptions, 'folder' | 'flags'> = {}): Promise<Exit> {
    return ScannerProcess.refuse({ folder: this.folder, flags, ...options });
  }
}

/** One scanner for all tests of a file. */
export function sharedScanner(flags: readonly string[] = []): () => ScannerProcess {
  const folder = temporaryFolder();
  let scanner: ScannerProcess | undefined;
  beforeAll(async () => {
    scanner = await ScannerProcess.start({ folder, flags });
  });
  afterAll(async () => {
    const exit = await scanner?.stop();
    rmSync(folder, { recursive: true, force: true });
    expect(exit?.code, exit?.log).toBe(0);
  });
  return () => {
    if (scanner === undefined) throw new Error('the scanner is not running');
    return scanner;
  };
}
