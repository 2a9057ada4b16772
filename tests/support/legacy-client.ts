import { createHash } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { bytesOf, type Dialect, type Frame, FrameReader, frame } from './legacy/frames.js';
import { decodeScan, type Scan } from './legacy/scan.js';
import type { Type } from './legacy/types.js';
import { decode, encode } from './legacy/values.js';

/** The end of a connection: with a FIN, with a reset, or by this side. */
export type Ending = 'end' | 'reset' | 'ours';

/** One response or event, split into its parts. */
export interface Telegram extends Frame {
  /** `sRA`, `sWA`, `sAN`, `sEA`, `sSN`, `sFA`. */
  readonly command: string;
  readonly name: string;
  /** The part after the name and its blank; of an sFA, the part after the letters. */
  readonly values: Buffer;
}

const longest = 20_000;

/** The four words of the MD5 of a password, little-endian, one upon the other: what a login sends. */
export function passwordHash(password: string): number {
  const digest = createHash('md5').update(password, 'utf8').digest();
  return [0, 4, 8, 12].reduce((sum, at) => (sum ^ digest.readUInt32LE(at)) >>> 0, 0);
}

export const passwords = { 2: 'main', 3: 'client', 4: 'servicelevel' } as const;

export type LegacyLevel = keyof typeof passwords;

export function telegramOf({ dialect, payload }: Frame): Telegram {
  const command = payload.subarray(0, 3).toString('latin1');
  if (command === 'sFA') return { dialect, payload, command, name: '', values: payload.subarray(3) };
  const end = payload.indexOf(0x20, 4);
  const name = payload.subarray(4, end === -1 ? undefined : end).toString('latin1');
  return {
    dialect,
    payload,
    command,
    name,
    values: end === -1 ? Buffer.alloc(0) : payload.subarray(end + 1),
  };
}

/** The number of a refusal; throws for any other telegram, and for a refusal in another form than that of devices. */
export function errorCodeOf({ dialect, command, payload, values }: Telegram): number {
  if (command !== 'sFA') throw new Error(`expected sFA, got ${shown(payload)}`);
  if (dialect === 'B') {
    if (values.length !== 2) throw new Error(`expected sFA and two bytes, got ${shown(payload)}`);
    return values.readUInt16BE();
  }
  const [, code = ''] = /^ ([0-9A-F]{1,2})$/.exec(values.toString('latin1')) ?? [];
  if (code === '') throw new Error(`expected sFA and a number, got ${shown(payload)}`);
  return Number.parseInt(code, 16);
}

export function shown(payload: Buffer): string {
  const text = payload.toString('latin1');
  const start = text.slice(0, 120);
  return `"${/^[\x20-\x7e]*$/.test(start) ? start : `${start.replaceAll(/[^\x20-\x7e]/g, '.')}" ${payload.subarray(0, 60).toString('hex')}`}" (${payload.length} bytes)`;
}

/** One TCP connection to a legacy port. Takes every byte that comes to be part of a frame. */
export class LegacyClient {
  readonly #responses: Telegram[] = [];
  readonly #events: Telegram[] = [];
  readonly #reader = new FrameReader();
  readonly #waiting = new Set<() => void>();
  #failure: Error | undefined;
  #closedHere = false;
  ending: Ending | undefined;
  readonly closed: Promise<Ending>;
  /** Bytes that came in all. */
  received = 0;

  private constructor(
    readonly socket: Socket,
    /** The frames that this client sends. */
    readonly dialect: Dialect,
  ) {
    let wasReset = false;
    socket.on('error', () => {
      wasReset = true;
    });
    this.closed = new Promise((resolve) => {
      socket.on('close', () => {
        this.ending = this.#closedHere ? 'ours' : wasReset ? 'reset' : 'end';
        resolve(this.ending);
        this.#notify();
      });
    });
    socket.on('data', (chunk: Buffer) => this.#receive(chunk));
  }

  static open(port: number, dialect: Dialect, address = '127.0.0.1'): Promise<LegacyClient> {
    return new Promise((resolve, reject) => {
      const socket = connect({ host: address, port, noDelay: true });
      const client = new LegacyClient(socket, dialect);
      socket.once('connect', () => resolve(client));
      socket.once('error', reject);
    });
  }

  /** Opens a connection that is closed with the test. */
  static async forTest(port: number, dialect: Dialect, host?: string): Promise<LegacyClient> {
    const client = await LegacyClient.open(port, dialect, host);
    onTestFinished(() => client.close());
    return client;
  }

  /** Sends bytes as they are. */
  raw(bytes: string | Buffer): void {
    this.socket.write(bytesOf(bytes));
  }

  /** Sends a telegram in the frame of this client. */
  send(payload: string | Buffer): void {
    this.raw(frame(this.dialect, payload));
  }

  /** Sends a telegram and waits for the response. */
  request(payload: string | Buffer, limit?: number): Promise<Telegram> {
    this.send(payload);
    return this.response(limit);
  }

  /** Sends bytes as they are, and returns the response. */
  async exchange(bytes: Buffer): Promise<Telegram> {
    this.raw(bytes);
    return this.response();
  }

  /** The next telegram that is no event. */
  response(limit = longest): Promise<Telegram> {
    return this.#next(this.#responses, 'an answer', limit);
  }

  /** The next event, whatever it is. */
  event(limit = longest): Promise<Telegram> {
    return this.#next(this.#events, 'an event', limit);
  }

  /** The next scan among the events. */
  async scan(limit = longest): Promise<Scan> {
    for (;;) {
      const event = await this.event(limit);
      if (event.name === 'LMDscandata') return decodeScan(event);
    }
  }

  /** Events that have come and were not taken. */
  get unread(): number {
    return this.#events.length;
  }

  /** Forgets the events that have come. */
  forget(): number {
    return this.#events.splice(0).length;
  }

  /** Reads a variable of a type. */
  async read(name: string, type: Type): Promise<unknown> {
    return valueIn(await this.request(`sRN ${name}`), 'sRA', name, type);
  }

  /** Writes a variable and demands that it is acknowledged. */
  async write(name: string, type: Type, value: unknown): Promise<void> {
    const response = await this.request(this.#with(`sWN ${name}`, type, value));
    expectTelegram(response, 'sWA', name);
    if (response.values.length > 0)
      throw new Error(`values behind an acknowledge: ${shown(response.payload)}`);
  }

  /** Tries to write a variable. */
  attempt(name: string, type: Type, value: unknown): Promise<Telegram> {
    return this.request(this.#with(`sWN ${name}`, type, value));
  }

  /** Calls a method with values of a type. */
  call(name: string, type?: Type, value?: unknown): Promise<Telegram> {
    return this.request(type === undefined ? `sMN ${name}` : this.#with(`sMN ${name}`, type, value));
  }

  /** Switches an event on or off and demands that this is acknowledged. */
  async follow(name: string, on = true): Promise<void> {
    const response = await this.request(this.#with(`sEN ${name}`, 'boolean', on));
    if (valueIn(response, 'sEA', name, 'boolean') !== on)
      throw new Error(`not so: ${shown(response.payload)}`);
  }

  /** Tries to get a level; whether that went well. */
  async tryLogin(level: number, hash: number): Promise<boolean> {
    const values = this.#with('sMN SetAccessMode', login, { level, hash });
    return valueIn(await this.request(values), 'sAN', 'SetAccessMode', 'boolean') === true;
  }

  async login(level: LegacyLevel = 4, password: string = passwords[level]): Promise<void> {
    if (!(await this.tryLogin(level, passwordHash(password)))) throw new Error(`no login at level ${level}`);
  }

  /** Reads nothing any more. */
  stall(): void {
    this.socket.pause();
  }

  readOn(): void {
    this.socket.resume();
  }

  /** Waits for an ending that comes from the other side. */
  async untilClosed(limit = longest): Promise<Ending> {
    await this.#until(() => this.ending !== undefined, 'the end of the connection', limit);
    return this.closed;
  }

  /** Goes without a word to the other side (a reset), or with one (a FIN). */
  close(): void {
    this.#closedHere = true;
    this.socket.destroy();
  }

  reset(): void {
    this.#closedHere = true;
    this.socket.resetAndDestroy();
  }

  #with(head: string, type: Type, value: unknown): Buffer {
    return Buffer.concat([Buffer.from(`${head} `, 'latin1'), encode(this.dialect, type, value)]);
  }

  #receive(chunk: Buffer): void {
    this.received += chunk.length;
    try {
      for (const next of this.#reader.push(chunk)) {
        const telegram = telegramOf(next);
        (telegram.command === 'sSN' ? this.#events : this.#responses).push(telegram);
      }
    } catch (error) {
      this.#failure ??= error instanceof Error ? error : new Error(String(error));
    }
    this.#notify();
  }

  async #next(queue: Telegram[], what: string, limit: number): Promise<Telegram> {
    await this.#until(() => queue.length > 0, what, limit);
    const telegram = queue.shift();
    if (telegram === undefined) throw new Error(`${what}: the connection is closed (${this.ending})`);
    return telegram;
  }

  async #until(isThere: () => boolean, what: string, limit: number): Promise<void> {
    const deadline = performance.now() + limit;
    for (;;) {
      if (this.#failure !== undefined) throw this.#failure;
      if (isThere()) return;
      if (this.ending !== undefined) throw new Error(`${what}: the connection is closed (${this.ending})`);
      const left = deadline - performance.now();
      if (left <= 0) throw new Error(`${what}: not within ${limit} ms`);
      await new Promise<void>((resolve) => {
        const done = () => {
          clearTimeout(timer);
          this.#waiting.delete(done);
          resolve();
        };
        const timer = setTimeout(done, left);
        this.#waiting.add(done);
      });
    }
  }

  #notify(): void {
    for (const done of [...this.#waiting]) done();
  }
}

/** A login: the level, and the hash of its password. */
export const login: Type = { struct: { level: 'uint8', hash: 'uint32' } };

/** @throws unless an answer has these letters and this name */
export function expectTelegram(response: Telegram, command: string, name: string): void {
  if (response.command !== command || response.name !== name) {
    throw new Error(`${command} ${name} expected, ${shown(response.payload)} came`);
  }
}

/** Returns the value in a response or an event. */
export function valueIn(response: Telegram, command: string, name: string, type: Type): unknown {
  expectTelegram(response, command, name);
  return decode(response.dialect, type, response.values);
}
