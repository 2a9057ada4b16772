import { pause } from '@azimuth/async';
import {
  boolean,
  type LoginLevel,
  type MethodName,
  type ResponseOf,
  type ValueOf,
  type ValueType,
  type VariableName,
} from '@azimuth/model';
import { TelegramError } from '@azimuth/telegrams';
import {
  decodeLmdBinary,
  decodeLmdText,
  type Framing,
  type LegacyCommand,
  type LmdScan,
  lmdName,
  type RequestWord,
} from '@azimuth/telegrams/legacy';
import type { RequestArguments } from '../calls.js';
import type { Pause } from '../connection.js';
import { methodNamed, variableNamed } from '../endpoint.js';
import { AnswerError, ResultError } from '../errors.js';
import { rebootLimit, waitOutReboot } from '../reboot.js';
import { type LegacyAddress, legacyPorts } from './legacy-address.js';
import { type Body, connectLegacy, type LegacyConnection } from './legacy-connection.js';
import { type LegacyEvents, LegacyStream, type LegacyStreamOptions } from './legacy-stream.js';
import { decoded, encoded, legacyCredentials, request, requestOf } from './request.js';

export interface LegacyOptions {
  /** The scanner's address. */
  readonly host: string;
  /** Text (interface A) by default. */
  readonly framing?: Framing | undefined;
  /** 2111 for text and 2112 for binary by default. */
  readonly port?: number | undefined;
  /** Milliseconds for connecting, and for each answer; 5000 by default. */
  readonly timeoutMs?: number | undefined;
  /** Gives the connecting up. */
  readonly signal?: AbortSignal | undefined;
  /** How to wait: between two attempts of a loop to connect again, and for a reboot. */
  readonly pause?: Pause | undefined;
}

const granted = boolean();

/**
 * One scanner, by one connection of the legacy protocol, text or binary: reads, writes and calls by the names of the
 * interface, one request at a time, and events in between.
 *
 * A connection that is lost is not made again, as the user level went with it: everything rejects with an
 * UnreachableError then, as it does if an answer does not come in time. A refusal rejects with a LegacyError, an answer
 * that is not what the interface says with an AnswerError.
 */
export class LegacyScanner {
  readonly #connection: LegacyConnection;
  readonly #open: (signal?: AbortSignal) => Promise<LegacyConnection>;
  readonly #pause: Pause;
  readonly #closing = new AbortController();

  private constructor(
    connection: LegacyConnection,
    open: (signal?: AbortSignal) => Promise<LegacyConnection>,
    pause: Pause,
  ) {
    this.#connection = connection;
    this.#open = open;
    this.#pause = pause;
  }

  /**
   * Connects, once. Nobody is logged in yet.
   * @throws UnreachableError if nothing answers; the reason of the signal if it aborts.
   */
  static async connect(options: LegacyOptions): Promise<LegacyScanner> {
    const { host, framing = 'text', port = legacyPorts[framing], timeoutMs = 5000 } = options;
    const address: LegacyAddress = { host, port, framing };
    const open = (signal?: AbortSignal) => connectLegacy(address, timeoutMs, signal);
    return new LegacyScanner(await open(options.signal), open, options.pause ?? pause);
  }

  /** `cola://192.168.0.1:2111`, or `colab://` for binary. */
  get url(): string {
    return this.#connection.url;
  }

  /** Is the connection lost or closed? */
  get isOver(): boolean {
    return this.#connection.isOver;
  }

  /** The value of a variable, checked against its type. */
  read<N extends VariableName>(name: N): Promise<ValueOf<N>>;
  read(name: string): Promise<unknown> {
    return this.readAny(name);
  }

  /**
   * Writes a variable in the working parameters.
   * @throws Refusal for a value that is not of its type; nothing is sent then.
   */
  write<N extends VariableName>(name: N, value: ValueOf<N>): Promise<void> {
    return this.writeAny(name, value);
  }

  /**
   * Calls a method, and gives its response checked against its type.
   * @throws Refusal for a request that is not of its type; nothing is sent then.
   */
  call<N extends MethodName>(name: N, ...request: RequestArguments<N>): Promise<ResponseOf<N>>;
  call(name: string, request?: unknown): Promise<unknown> {
    return this.callAny(name, request);
  }

  /**
   * The value of a variable whose name is known at run time only.
   * @throws TypeError if the interface has no such variable: its encoding is not known.
   */
  async readAny(name: string): Promise<unknown> {
    const { type } = variableOf(name);
    return this.#decoded(name, type, await this.#ask('sRN', name));
  }

  /** Writes a variable whose name is known at run time only. @throws TypeError and Refusal as above. */
  async writeAny(name: string, value: unknown): Promise<void> {
    const { type } = variableOf(name);
    await this.#ask('sWN', name, encoded(this.#connection.framing, type, type.fromJson(value, name)));
  }

  /** Calls a method whose name is known at run time only. @throws TypeError and Refusal as above. */
  async callAny(name: string, request: unknown = {}): Promise<unknown> {
    const method = methodNamed(name);
    if (method === undefined) throw new TypeError(`the interface has no method ${name}: raw takes any name`);
    const { framing } = this.#connection;
    const values = encoded(framing, method.request, method.request.fromJson(request, name));
    const answer = await this.#ask('sMN', name, values.length === 0 ? undefined : values);
    return method.hasResponse ? this.#decoded(name, method.response, answer) : {};
  }

  /**
   * Logs in: requests have this user level from now on, until the connection ends.
   * @param password the password of the legacy protocol, or its hash (legacyPasswordHash)
   * @throws ResultError if the scanner does not let in; the level stays as it was.
   */
  async login(level: LoginLevel, password: string | number): Promise<void> {
    if (await this.#check('SetAccessMode', level, password)) return;
    const detail = `${level} is not let in: wrong password, user level disabled, or logins locked for 30 s`;
    throw new ResultError('SetAccessMode', 0, 'REFUSED', detail);
  }

  /** Is this the password of a level, or its hash? The user level of the connection does not change. */
  checkPassword(level: LoginLevel, password: string | number): Promise<boolean> {
    return this.#check('CheckPassword', level, password);
  }

  /** Logs out: back to the user level Run. */
  async run(): Promise<void> {
    const done = this.#decoded('Run', granted, await this.#ask('sMN', 'Run'));
    if (!done) throw new AnswerError(this.url, 'Run', '0, where every scanner logs out');
  }

  /**
   * Sends a request given without its frame: `sRN ODoprh`, or bytes. For names that the interface does not have.
   * @returns what is answered; its payload follows the name.
   * @throws LegacyError for an error, TypeError for anything but a request by name.
   */
  async raw(telegram: string | Uint8Array): Promise<LegacyCommand> {
    const { command, name, payload } = await this.#connection.ask(
      requestOf(this.#connection.framing, telegram),
    );
    return { command, name, payload };
  }

  /** Every change of a variable, but not its current value: read that. Accepts every variable. Needs no login. */
  events<N extends VariableName>(name: N, options?: LegacyStreamOptions): LegacyEvents<ValueOf<N>>;
  events(name: string, options: LegacyStreamOptions = {}): LegacyEvents<unknown> {
    return this.eventsAny(name, options);
  }

  /** The changes of a variable whose name is known at run time only. @throws TypeError as `readAny`. */
  eventsAny(name: string, options: LegacyStreamOptions = {}): LegacyEvents<unknown> {
    const { type } = variableOf(name);
    return this.#stream(name, (event) => this.#decoded(name, type, event), options);
  }

  /** The last measured scan, from `LMDscandata`. */
  async scan(): Promise<LmdScan> {
    const scan = scanIn(await this.#ask('sRN', lmdName));
    if (scan === undefined) throw new AnswerError(this.url, lmdName, 'something other than a scan');
    return scan;
  }

  /** Scans as they are measured (`LMDscandata`), while ScanDataFormat is LMDscandata. `scan` works in any format. */
  scans(options: LegacyStreamOptions = {}): LegacyEvents<LmdScan> {
    return this.#stream(lmdName, scanIn, options);
  }

  /**
   * Waits out a reboot that was just asked for: until the connection has gone, and the scanner answers on another one.
   * This one stays lost: connect again, and log in.
   * @throws UnreachableError if it is not back in time, by default within ten minutes
   */
  async rebooted(options: { readonly timeoutMs?: number } = {}): Promise<void> {
    const ask = () => (this.isOver ? this.#answersAgain() : this.readAny('DeviceStatus'));
    const clock = { pause: this.#pause, now: () => performance.now() };
    await waitOutReboot({ ask, url: this.url, clock, limit: rebootLimit(clock, options.timeoutMs) });
  }

  /** Ends the connection, requests that wait for their answer and loops over events. */
  close(): void {
    this.#closing.abort();
    this.#connection.close();
  }

  async #answersAgain(): Promise<void> {
    const connection = await this.#open();
    try {
      await connection.ask(request(connection.framing, 'sRN', 'DeviceStatus'));
    } finally {
      connection.close();
    }
  }

  async #check(name: string, level: LoginLevel, password: string | number): Promise<boolean> {
    const answer = await this.#ask('sMN', name, legacyCredentials(this.#connection.framing, level, password));
    return this.#decoded(name, granted, answer);
  }

  #ask(word: RequestWord, name: string, values?: Uint8Array): Promise<LegacyCommand & Body> {
    return this.#connection.ask(request(this.#connection.framing, word, name, values));
  }

  #decoded<T>(endpoint: string, type: ValueType<T>, body: Body): T {
    return decoded({ url: this.url, endpoint, ...body }, type);
  }

  #stream<T>(
    name: string,
    decode: (event: Body) => T | undefined,
    options: LegacyStreamOptions,
  ): LegacyStream<T> {
    return new LegacyStream(
      {
        name,
        connection: this.#connection,
        closing: this.#closing.signal,
        pause: this.#pause,
        open: this.#open,
        decode,
      },
      options,
    );
  }
}

function variableOf(name: string) {
  const variable = variableNamed(name);
  if (variable === undefined)
    throw new TypeError(`the interface has no variable ${name}: raw takes any name`);
  return variable;
}

/** The scan of a telegram; undefined if it is damaged. */
function scanIn({ framing, payload }: Body): LmdScan | undefined {
  try {
    return framing === 'text' ? decodeLmdText(payload) : decodeLmdBinary(payload);
  } catch (error) {
    if (error instanceof TelegramError) return undefined;
    throw error;
  }
}
