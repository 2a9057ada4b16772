import { pause } from '@azimuth/async';
import {
  boolean,
  builtInInterface,
  type KnownInterface,
  type LoginLevel,
  type MethodName,
  type ResponseOf,
  type ValueOf,
  type ValueType,
  type Variable,
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
import { AnswerError, ResultError } from '../errors.js';
import { rebootLimit, waitOutReboot } from '../reboot.js';
import { type LegacyAddress, legacyPorts } from './legacy-address.js';
import { type Body, connectLegacy, type LegacyConnection } from './legacy-connection.js';
import { type LegacyEvents, LegacyStream, type LegacyStreamOptions } from './legacy-stream.js';
import { decoded, encoded, legacyCredentials, request, requestFromTelegram } from './request.js';

export interface LegacyOptions {
  /** The scanner's address. */
  readonly host: string;
  /** Text (interface A) by default. */
  readonly framing?: Framing | undefined;
  /** 2111 for text and 2112 for binary by default. */
  readonly port?: number | undefined;
  /** Milliseconds for connecting, and for each response; 5000 by default. */
  readonly timeoutMs?: number | undefined;
  /** Aborts the connecting. */
  readonly signal?: AbortSignal | undefined;
  /** The wait between two attempts of a loop to connect again, and during a reboot. */
  readonly pause?: Pause | undefined;
  /**
   * What is known of the names of the scanner; the model by default. The legacy protocol describes no names: take the
   * `description` of the same scanner over HTTP.
   */
  readonly known?: KnownInterface | undefined;
}

const granted = boolean();

/**
 * One scanner, by one connection of the legacy protocol, text or binary: reads, writes and calls by the names of the
 * interface, one request at a time, and events in between.
 * A lost connection is not opened again, because the user level is lost with it. Then everything rejects with an
 * UnreachableError, also after a response that does not arrive in time. A refusal rejects with a LegacyError, a response
 * that the interface does not allow with an AnswerError.
 */
export class LegacyScanner {
  readonly #connection: LegacyConnection;
  readonly #open: (signal?: AbortSignal) => Promise<LegacyConnection>;
  readonly #pause: Pause;
  readonly #known: KnownInterface;
  readonly #closing = new AbortController();

  private constructor(
    connection: LegacyConnection,
    open: (signal?: AbortSignal) => Promise<LegacyConnection>,
    pause: Pause,
    known: KnownInterface,
  ) {
    this.#connection = connection;
    this.#open = open;
    this.#pause = pause;
    this.#known = known;
  }

  /**
   * Connects once. Nobody is logged in yet.
   * @throws UnreachableError if nothing answers; the reason of the signal if it aborts.
   */
  static async connect(options: LegacyOptions): Promise<LegacyScanner> {
    const { host, framing = 'text', port = legacyPorts[framing], timeoutMs = 5000 } = options;
    const address: LegacyAddress = { host, port, framing };
    const open = (signal?: AbortSignal) => connectLegacy(address, timeoutMs, signal);
    const { known = builtInInterface } = options;
    return new LegacyScanner(await open(options.signal), open, options.pause ?? pause, known);
  }

  /** The address as a URL: `cola://192.168.0.1:2111`, or `colab://` for binary. */
  get url(): string {
    return this.#connection.url;
  }

  /** True if the connection is lost or closed. */
  get isOver(): boolean {
    return this.#connection.isOver;
  }

  /** Reads a variable, checked against its type. */
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
   * Calls a method. Returns its response, checked against its type.
   * @throws Refusal for a request that is not of its type; nothing is sent then.
   */
  call<N extends MethodName>(name: N, ...request: RequestArguments<N>): Promise<ResponseOf<N>>;
  call(name: string, request?: unknown): Promise<unknown> {
    return this.callAny(name, request);
  }

  /**
   * Reads a variable whose name is known at run time only.
   * @throws TypeError if the interface has no such variable: its encoding is not known.
   */
  async readAny(name: string): Promise<unknown> {
    const { type } = this.#variable(name);
    return this.#decoded(name, type, await this.#request('sRN', name));
  }

  /** Writes a variable whose name is known at run time only. @throws TypeError and Refusal as above. */
  async writeAny(name: string, value: unknown): Promise<void> {
    const { type } = this.#variable(name);
    await this.#request('sWN', name, encoded(this.#connection.framing, type, type.fromJson(value, name)));
  }

  /** Calls a method whose name is known at run time only. @throws TypeError and Refusal as above. */
  async callAny(name: string, request: unknown = {}): Promise<unknown> {
    const method = this.#known.method(name);
    if (method === undefined) throw new TypeError(`the interface has no method ${name}: raw takes any name`);
    const { framing } = this.#connection;
    const values = encoded(framing, method.request, method.request.fromJson(request, name));
    const response = await this.#request('sMN', name, values.length === 0 ? undefined : values);
    return method.hasResponse ? this.#decoded(name, method.response, response) : {};
  }

  /**
   * Logs in: requests have this user level from now on, until the connection ends.
   * @param password the password of the legacy protocol, or its hash (legacyPasswordHash)
   * @throws ResultError if the scanner refuses the login; then the level does not change.
   */
  async login(level: LoginLevel, password: string | number): Promise<void> {
    if (await this.#check('SetAccessMode', level, password)) return;
    const detail = `${level} is not let in: wrong password, user level disabled, or logins locked for 30 s`;
    throw new ResultError('SetAccessMode', 0, 'REFUSED', detail);
  }

  /** True if this is the password of a level, or its hash. The user level of the connection does not change. */
  checkPassword(level: LoginLevel, password: string | number): Promise<boolean> {
    return this.#check('CheckPassword', level, password);
  }

  /** Logs out: back to the user level Run. */
  async run(): Promise<void> {
    const done = this.#decoded('Run', granted, await this.#request('sMN', 'Run'));
    if (!done) throw new AnswerError(this.url, 'Run', '0, where every scanner logs out');
  }

  /**
   * Sends a request given without its frame: `sRN ODoprh`, or bytes. For names that the interface does not have.
   * @returns the response; its payload follows the name.
   * @throws LegacyError for an error, TypeError for anything but a request by name.
   */
  async raw(telegram: string | Uint8Array): Promise<LegacyCommand> {
    const { command, name, payload } = await this.#connection.request(
      requestFromTelegram(this.#connection.framing, telegram),
    );
    return { command, name, payload };
  }

  /**
   * Yields each change of a variable, but not its current value: read that. Works for every variable. No login is
   * needed.
   */
  events<N extends VariableName>(name: N, options?: LegacyStreamOptions): LegacyEvents<ValueOf<N>>;
  events(name: string, options: LegacyStreamOptions = {}): LegacyEvents<unknown> {
    return this.eventsAny(name, options);
  }

  /** The changes of a variable whose name is known at run time only. @throws TypeError as `readAny`. */
  eventsAny(name: string, options: LegacyStreamOptions = {}): LegacyEvents<unknown> {
    const { type } = this.#variable(name);
    return this.#stream(name, (event) => this.#decoded(name, type, event), options);
  }

  /** Reads the last measured scan, from `LMDscandata`. */
  async scan(): Promise<LmdScan> {
    const scan = scanIn(await this.#request('sRN', lmdName));
    if (scan === undefined) throw new AnswerError(this.url, lmdName, 'something other than a scan');
    return scan;
  }

  /**
   * Yields scans as they are measured (`LMDscandata`), while ScanDataFormat is LMDscandata. `scan` works in any
   * format.
   */
  scans(options: LegacyStreamOptions = {}): LegacyEvents<LmdScan> {
    return this.#stream(lmdName, scanIn, options);
  }

  /**
   * Waits for the end of a reboot that was just requested: until this connection is closed, and the scanner answers on
   * another one. This connection stays closed: connect again, and log in.
   * @throws UnreachableError if it is not back in time, by default within ten minutes
   */
  async rebooted(options: { readonly timeoutMs?: number } = {}): Promise<void> {
    const probe = () => (this.isOver ? this.#probeNewConnection() : this.readAny('DeviceStatus'));
    const clock = { pause: this.#pause, now: () => performance.now() };
    await waitOutReboot({ probe, url: this.url, clock, limit: rebootLimit(clock, options.timeoutMs) });
  }

  /** Closes the connection. Pending requests and loops over events end. */
  close(): void {
    this.#closing.abort();
    this.#connection.close();
  }

  async #probeNewConnection(): Promise<void> {
    const connection = await this.#open();
    try {
      await connection.request(request(connection.framing, 'sRN', 'DeviceStatus'));
    } finally {
      connection.close();
    }
  }

  async #check(name: string, level: LoginLevel, password: string | number): Promise<boolean> {
    const response = await this.#request(
      'sMN',
      name,
      legacyCredentials(this.#connection.framing, level, password),
    );
    return this.#decoded(name, granted, response);
  }

  #request(word: RequestWord, name: string, values?: Uint8Array): Promise<LegacyCommand & Body> {
    return this.#connection.request(request(this.#connection.framing, word, name, values));
  }

  #decoded<T>(endpoint: string, type: ValueType<T>, body: Body): T {
    return decoded({ url: this.url, endpoint, ...body }, type);
  }

  #variable(name: string): Variable<unknown> {
    const variable = this.#known.variable(name);
    if (variable !== undefined) return variable;
    throw new TypeError(`the interface has no variable ${name}: raw takes any name`);
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

/** Decodes the scan of a telegram; undefined if it is damaged. */
function scanIn({ framing, payload }: Body): LmdScan | undefined {
  try {
    return framing === 'text' ? decodeLmdText(payload) : decodeLmdBinary(payload);
  } catch (error) {
    if (error instanceof TelegramError) return undefined;
    throw error;
  }
}
