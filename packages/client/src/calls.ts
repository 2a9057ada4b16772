import type {
  ExtensionName,
  ExtensionValueOf,
  KnownInterface,
  LoginLevel,
  Method,
  MethodName,
  RequestOf,
  ResponseOf,
  ValueOf,
  ValueType,
  VariableName,
} from '@azimuth/model';
import { credentials, fetchChallenge, serialized } from './authentication.js';
import { Connection, type ConnectionOptions } from './connection.js';
import { Description, descriptionPath, longestMs } from './description.js';
import { dataKey, responseIn, valueIn } from './endpoint.js';
import { checked, type EnvelopeContent } from './envelope.js';
import { AnswerError, PasswordMissingError, ScannerError } from './errors.js';

export interface ScannerOptions extends ConnectionOptions {
  /** The level to log in at; Service by default. */
  readonly user?: LoginLevel | undefined;
  /** Needed for protected calls only. */
  readonly password?: string | undefined;
  /** The description of another object for the same scanner: then it is fetched once for both. */
  readonly description?: Description | undefined;
}

/** The arguments of a call: none if the method has no request members. */
export type RequestArguments<N extends MethodName> = keyof RequestOf<N> extends never
  ? [request?: Readonly<Record<string, never>>]
  : [request: RequestOf<N>];

export interface CallOptions {
  /** Milliseconds to wait for the response; those of the scanner by default. */
  readonly timeoutMs?: number | undefined;
}

/**
 * Reads, writes and calls of one scanner. Reads and open methods are sent at once. Each protected request has a
 * challenge of its own, and waits until the protected request before it is answered. This order holds over all objects
 * for one scanner.
 */
export class Calls {
  readonly user: LoginLevel;
  protected readonly connection: Connection;
  /** What is known of the names of this scanner. */
  readonly description: Description;
  protected password: string | undefined;

  /** @throws TypeError if `url` is not the address of a web server. */
  constructor({ user = 'Service', password, description, ...connection }: ScannerOptions) {
    this.user = user;
    this.password = password;
    this.connection = new Connection(connection);
    this.description =
      description ??
      new Description(() => this.connection.send(descriptionPath, { method: 'GET' }, longestMs));
  }

  /** The scanner's URL without a slash at its end. */
  get url(): string {
    return this.connection.url;
  }

  /**
   * The value of a variable, or of an extension of Azimuth (`x/fields`), checked against its type. If the model does not
   * allow it, the type counts that the scanner describes itself.
   */
  read<N extends VariableName>(name: N, options?: CallOptions): Promise<ValueOf<N>>;
  read<N extends ExtensionName>(name: N, options?: CallOptions): Promise<ExtensionValueOf<N>>;
  async read(name: string, options?: CallOptions): Promise<unknown> {
    const json = await this.readAny(name, options);
    return this.#checked(name, json, (known) => known.variable(name)?.type);
  }

  /** Writes a variable in the working parameters, at this scanner's user level. The scanner checks the value. */
  write<N extends VariableName>(name: N, value: ValueOf<N>): Promise<void>;
  write<N extends ExtensionName>(name: N, value: ExtensionValueOf<N>): Promise<void>;
  write(name: string, value: unknown): Promise<void> {
    return this.writeAny(name, value);
  }

  /** Calls a method, and gives its response checked against its type. */
  call<N extends MethodName>(name: N, ...request: RequestArguments<N>): Promise<ResponseOf<N>>;
  async call(name: string, request?: unknown): Promise<unknown> {
    const json = await this.callAny(name, request);
    const method = this.description.known.method(name);
    if (method?.hasResponse !== true) return {};
    return this.#checked(name, method.completed(json), (known) => known.method(name)?.response);
  }

  /** @throws AnswerError for a value that neither the model nor the scanner's own description allows */
  async #checked(
    name: string,
    json: unknown,
    typeIn: (known: KnownInterface) => ValueType<unknown> | undefined,
  ): Promise<unknown> {
    const { known } = this.description;
    const type = typeIn(known);
    if (type === undefined) return json;
    try {
      return checked(this.url, name, type, json);
    } catch (error) {
      const described = await this.description.whole().catch(() => known);
      const stated = typeIn(described);
      if (stated === undefined || stated === type) throw error;
      return checked(this.url, name, stated, json);
    }
  }

  /** The value of a variable whose name is known at run time only: unchecked JSON. */
  async readAny(name: string, options?: CallOptions): Promise<unknown> {
    const content = await this.connection.get(name, options?.timeoutMs);
    const value = valueIn(content, name, this.description.known.variable(name));
    if (value === undefined) throw new AnswerError(this.url, name, `without data.${name}`);
    return value;
  }

  /** Writes a variable whose name is known at run time only. */
  async writeAny(name: string, value: unknown): Promise<void> {
    await this.#protected(name, { [dataKey(name)]: value });
  }

  /**
   * Calls a method whose name is known at run time only. Returns unchecked JSON, or an empty object if the response
   * has no data. If the model does not know the name, the scanner's own description says whether a login is needed; if
   * it does not, the call is made with credentials.
   */
  async callAny(name: string, request?: unknown, options?: CallOptions): Promise<unknown> {
    const method = (await this.description.ofNames([name])).method(name);
    return responseIn(await this.#send(name, method, request, options), method);
  }

  #send(
    name: string,
    method: Method<unknown, unknown> | undefined,
    request: unknown,
    options?: CallOptions,
  ): Promise<EnvelopeContent> {
    if (method?.facts.level !== 'open') return this.#protected(name, request, options);
    const post = () => this.connection.post(name, withData({}, request), options?.timeoutMs);
    // A challenge fetched between another challenge and its POST would make that one invalid.
    return name === 'getChallenge' ? serialized(this.connection.url, post) : post();
  }

  async #protected(endpoint: string, data: unknown, options?: CallOptions): Promise<EnvelopeContent> {
    if (this.password === undefined) throw new PasswordMissingError(endpoint, this.user);
    return serialized(this.connection.url, async () => {
      try {
        return await this.#signed(endpoint, data, options);
      } catch (error) {
        if (!(error instanceof ScannerError && error.statusName === 'invalidChallenge')) throw error;
        // Another client has fetched a challenge in between: try once more with a new one (Authentication, rule 3).
        return this.#signed(endpoint, data, options);
      }
    });
  }

  async #signed(endpoint: string, data: unknown, options?: CallOptions): Promise<EnvelopeContent> {
    const challenge = await fetchChallenge(this.connection, this.user);
    const header = credentials(challenge, this.user, this.password ?? '', endpoint);
    return this.connection.post(endpoint, withData({ header }, data), options?.timeoutMs);
  }
}

function withData(body: Readonly<Record<string, unknown>>, data: unknown): Readonly<Record<string, unknown>> {
  return data === undefined ? body : { ...body, data };
}
