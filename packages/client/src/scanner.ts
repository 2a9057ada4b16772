import type { LoginLevel, MethodName, RequestOf, ResponseOf, ValueOf, VariableName } from '@azimuth/model';
import { type Answer, checked } from './answer.js';
import { credentials } from './authentication.js';
import { fetchChallenge } from './challenge.js';
import { Connection, type ConnectionOptions } from './connection.js';
import { methodNamed, responseIn, valueIn, variableNamed } from './endpoint.js';
import { AnswerError, PasswordMissingError, ScannerError } from './errors.js';
import { changePassword } from './password-change.js';
import { waitOutReboot } from './reboot.js';
import { inTurn } from './turn.js';

export interface ScannerOptions extends ConnectionOptions {
  /** The level to log in at; Service where nothing is stated. */
  readonly user?: LoginLevel;
  /** Needed for protected calls only. */
  readonly password?: string;
}

/** What a method takes: nothing where it has no request members. */
export type RequestArguments<N extends MethodName> = keyof RequestOf<N> extends never
  ? [request?: Readonly<Record<string, never>>]
  : [request: RequestOf<N>];

/**
 * One scanner, by its REST interface. Reads and open methods go out at once; everything protected is signed with a
 * challenge of its own and waits until what was protected before is answered, over all objects for one origin.
 *
 * Everything rejects with a ClientError: ScannerError for a refusal, UnreachableError where nothing answers,
 * AnswerError where the answer is not what the interface says, RateLimitError, PasswordMissingError.
 */
export class Scanner {
  readonly user: LoginLevel;
  readonly #connection: Connection;
  #password: string | undefined;

  /** @throws TypeError where `url` is no address of a web server. */
  constructor({ user = 'Service', password, ...connection }: ScannerOptions) {
    this.user = user;
    this.#password = password;
    this.#connection = new Connection(connection);
  }

  /** The scanner's URL without a slash at its end. */
  get url(): string {
    return this.#connection.url;
  }

  /** The value of a variable, checked against its type. */
  read<N extends VariableName>(name: N): Promise<ValueOf<N>>;
  async read(name: string): Promise<unknown> {
    const json = await this.readAny(name);
    const variable = variableNamed(name);
    return variable === undefined ? json : checked(this.url, name, variable.type, json);
  }

  /** Writes a variable in the working parameters, at this scanner's user level. The scanner checks the value. */
  write<N extends VariableName>(name: N, value: ValueOf<N>): Promise<void> {
    return this.writeAny(name, value);
  }

  /** Calls a method, and gives its response checked against its type. */
  call<N extends MethodName>(name: N, ...request: RequestArguments<N>): Promise<ResponseOf<N>>;
  async call(name: string, request?: unknown): Promise<unknown> {
    const json = await this.callAny(name, request);
    const method = methodNamed(name);
    return method?.hasResponse ? checked(this.url, name, method.response, json) : {};
  }

  /** The value of a variable whose name is known at run time only: JSON as it came. */
  async readAny(name: string): Promise<unknown> {
    const value = valueIn(await this.#connection.get(name), name);
    if (value === undefined) throw new AnswerError(this.url, name, `without data.${name}`);
    return value;
  }

  /** Writes a variable whose name is known at run time only. */
  async writeAny(name: string, value: unknown): Promise<void> {
    await this.#protected(name, { [name]: value });
  }

  /**
   * Calls a method whose name is known at run time only: JSON as it came, an empty object where nothing did. A name
   * that the model does not know is called with credentials.
   */
  async callAny(name: string, request?: unknown): Promise<unknown> {
    return responseIn(await this.#send(name, request), name);
  }

  /**
   * Sets the REST password of a level, and remembers it where it is this scanner's own. The proof is the old
   * password; no login is needed.
   * @throws ResultError where the scanner answers another result than SUCCESS.
   */
  async changePassword(level: LoginLevel, oldPassword: string, newPassword: string): Promise<void> {
    await inTurn(this.#connection.origin, async () => {
      await changePassword(this.#connection, { user: level, oldPassword, newPassword });
      if (level === this.user && this.#password !== undefined) this.#password = newPassword;
    });
  }

  /**
   * Waits out a reboot that was just asked for: until the scanner has gone away and answers again.
   * @throws UnreachableError where it is not back after ten minutes.
   */
  async rebooted(): Promise<void> {
    const ask = () => this.readAny('DeviceStatus');
    await waitOutReboot({ ask, pause: (ms) => this.#connection.pause(ms) });
  }

  #send(name: string, request: unknown): Promise<Answer> {
    if (methodNamed(name)?.facts.level !== 'open') return this.#protected(name, request);
    const post = () => this.#connection.post(name, withData({}, request));
    // A challenge fetched between another one and its POST would spoil that one.
    return name === 'getChallenge' ? inTurn(this.#connection.origin, post) : post();
  }

  async #protected(endpoint: string, data: unknown): Promise<Answer> {
    if (this.#password === undefined) throw new PasswordMissingError(endpoint, this.user);
    return inTurn(this.#connection.origin, async () => {
      try {
        return await this.#signed(endpoint, data);
      } catch (error) {
        if (!(error instanceof ScannerError && error.statusName === 'invalidChallenge')) throw error;
        // Somebody else took a challenge in between: once more with a new one (Authentication, rule 3).
        return this.#signed(endpoint, data);
      }
    });
  }

  async #signed(endpoint: string, data: unknown): Promise<Answer> {
    const challenge = await fetchChallenge(this.#connection, this.user);
    const header = credentials(challenge, this.user, this.#password ?? '', endpoint);
    return this.#connection.post(endpoint, withData({ header }, data));
  }
}

function withData(body: Readonly<Record<string, unknown>>, data: unknown): Readonly<Record<string, unknown>> {
  return data === undefined ? body : { ...body, data };
}
