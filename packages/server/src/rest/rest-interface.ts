import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Device, Log, LogFields } from '@azimuth/device';
import type { Journal } from '@azimuth/device/journal';
import { anybody, type CallResult, GoingDown } from '@azimuth/device/network-interface';
import {
  type Bodies,
  BodyBrokenOff,
  BodyRefused,
  closeUnanswered,
  type JsonBody,
  ownHeadersOf,
  type Payload,
  pathOf,
  payloadOf,
  type ReadBody,
  type RequestContext,
  refuse,
  respond,
  type Traffic,
} from '@azimuth/http';
import {
  boundsOfNothing,
  describeJson,
  type Endpoint,
  extensionPrefix,
  isObject,
  type Method,
  Refusal,
  readOnly,
  statuses,
  type Variable,
} from '@azimuth/model';
import { JournalNote } from './journal-note.js';
import { argumentOf, authenticated } from './method-calls.js';
import { PreparedReads, responseBody, successBody } from './response-bodies.js';

/** Path prefix of the interface of the specification. */
export const restPath = '/api/';

/** Response to a write, and to a call without a result. */
const done = successBody();

/** Responds to a request. */
export type Serve = (context: RequestContext, response: ServerResponse) => void;

/** Sends or takes a file. */
type Transfer = (context: RequestContext, response: ServerResponse, exchange: Exchange) => Promise<void>;

interface Options {
  readonly device: Device;
  readonly traffic: Traffic;
  /** Parts that all paths share. */
  readonly bodies: Bodies;
  /** Names of the path: those of the specification, or our extensions. */
  readonly names: 'endpoints' | 'extensions';
  /**
   * Returns the handler of the file transfer with this name, which no endpoint has; undefined if there is no such file.
   */
  readonly fileAt?: (name: string) => Transfer | undefined;
  /** Receives every request; undefined if nobody keeps them. */
  readonly journal?: Journal | undefined;
}

/**
 * JSON interface under one path, `/api/` or `/x/`. It maps a request to a read, a write or a call on the device, and
 * the result to a response. It checks a POST in this order: name and verb, body, credentials, payload. Then it acts.
 */
export class RestInterface {
  readonly #options: Options;
  readonly #device: Device;
  readonly #reads: PreparedReads;
  /** Prefix of the name in signatures and metrics; empty for the interface of the specification. */
  readonly #prefix: string;

  constructor(options: Options) {
    this.#options = options;
    this.#prefix = options.names === 'extensions' ? extensionPrefix : '';
    this.#device = options.device;
    this.#reads = new PreparedReads(options.device);
  }

  /** Responds to requests to `/api/NAME`, and hands on all others. So most requests pass no other part on their way. */
  before(others: (path: string, context: RequestContext, response: ServerResponse) => void): Serve {
    return (context, response) => {
      const path = pathOf(context.request.url ?? '');
      if (path.startsWith(restPath) && path.indexOf('/', restPath.length) < 0)
        this.handle(path.slice(restPath.length), context, response);
      else others(path, context, response);
    };
  }

  /**
   * Responds to a request for the endpoint of this name. While a POST or a file transfer runs, later requests of its
   * connection wait.
   */
  handle(name: string, context: RequestContext, response: ServerResponse): void {
    const { request } = context;
    const { method } = request;
    const endpoint = this.#endpoints.get(name);
    if (method === 'GET' && endpoint?.kind === 'variable') {
      this.#read(endpoint, name, request, response);
      return;
    }
    const exchange = this.#exchange(name, request, response);
    const file = endpoint === undefined ? this.#options.fileAt?.(name) : undefined;
    if (file !== undefined) void this.#transfer(file, context, exchange, context.hold());
    else if (method === 'POST') this.#post(endpoint, exchange, context.hold());
    else exchange.refuse(this.#notFound(name, method ?? '', endpoint));
  }

  /** Endpoints of the release that runs now. */
  get #endpoints(): ReadonlyMap<string, Endpoint> {
    return this.#device.served[this.#options.names];
  }

  #exchange(name: string, request: IncomingMessage, response: ServerResponse): Exchange {
    return new Exchange(this.#options, name, request, response, this.#prefix);
  }

  #exchangeOfRead(
    variable: Variable<unknown>,
    name: string,
    request: IncomingMessage,
    response: ServerResponse,
  ): Exchange {
    const exchange = this.#exchange(name, request, response);
    exchange.note?.found(variable);
    exchange.note?.admitted(anybody.level);
    return exchange;
  }

  #read(variable: Variable<unknown>, name: string, request: IncomingMessage, response: ServerResponse): void {
    const { traffic, journal } = this.#options;
    try {
      respond(response, this.#reads.of(variable, name));
      traffic.countResponse(this.#prefix + name, 'ok');
      if (journal !== undefined)
        this.#exchangeOfRead(variable, name, request, response).note?.answered(statuses.ok.code);
    } catch (error) {
      this.#exchangeOfRead(variable, name, request, response).refuse(error);
    }
  }

  /** Counts transfers by HTTP status. Refusals that any endpoint can have are counted by the status of the envelope. */
  async #transfer(
    transfer: Transfer,
    context: RequestContext,
    exchange: Exchange,
    release: () => void,
  ): Promise<void> {
    const { name, response, note } = exchange;
    note?.found('file');
    try {
      await transfer(context, response, exchange);
      this.#options.traffic.countPage(restPath + name, response.statusCode);
    } catch (error) {
      exchange.refuse(error);
    } finally {
      note?.transferred(response.statusCode);
      release();
    }
  }

  /** Most POSTs are handled as soon as their body is complete. Only those that wait for something have a promise. */
  #post(named: Endpoint | undefined, exchange: Exchange, release: () => void): void {
    const { name, request, note } = exchange;
    if (named !== undefined) note?.found(named);
    const endpoint = this.#postable(name, named);
    const length = request.headers['content-length'];
    const announced = length === undefined ? undefined : Number(length);
    // A variable that is not writable is refused before its body is read.
    const { bytes, depth } = endpoint instanceof Refusal ? boundsOfNothing : endpoint.bodyBounds;
    this.#options.bodies.collect(request, announced, bytes, (body) => {
      let waiting: Promise<void> | undefined;
      try {
        waiting = this.#handle(endpoint, body, depth, exchange);
      } catch (error) {
        exchange.refuse(error);
      }
      if (waiting === undefined) release();
      else waiting.catch((error: unknown) => exchange.refuse(error)).finally(release);
    });
  }

  /** Executes a request whose body is complete. @throws Refusal, and any error of the device */
  #handle(
    endpoint: Endpoint | Refusal,
    body: ReadBody,
    depth: number,
    exchange: Exchange,
  ): Promise<void> | undefined {
    if (body instanceof BodyBrokenOff) return undefined;
    if (body instanceof BodyRefused) {
      throw endpoint instanceof Refusal ? endpoint : new Refusal('parsingFailed', '', body.message);
    }
    const payload = this.#payloadIn(body, depth);
    if (!(payload instanceof Refusal)) exchange.note?.received(payload.data, body.length);
    // A wrong name is reported before a wrong body.
    if (endpoint instanceof Refusal) throw endpoint;
    if (payload instanceof Refusal) throw payload;
    if (endpoint.kind === 'method') return this.#call(endpoint, payload, exchange);
    return this.#write(endpoint, payload, exchange);
  }

  /** Returns refusal 5 if there is no such endpoint, 8 for a variable that is not writable. */
  #postable(name: string, endpoint: Endpoint | undefined): Endpoint | Refusal {
    if (endpoint === undefined) return this.#notFound(name, 'POST', endpoint);
    const isReadOnly = endpoint.kind === 'variable' && endpoint.facts.write === undefined;
    return isReadOnly ? readOnly(name) : endpoint;
  }

  /** Returns refusal 5. Its detail states the mistake in the name, or in the verb if the endpoint exists. */
  #notFound(name: string, verb: string, endpoint: Endpoint | undefined): Refusal {
    if (endpoint !== undefined) return new Refusal('notFound', '', wrongVerb(name, verb, endpoint));
    const path = this.#prefix === '' ? restPath : `/${this.#prefix}`;
    if (name === '') return new Refusal('notFound', '', `the path has no name after ${path}`);
    return new Refusal('notFound', '', missing(name, this.#endpoints.keys()));
  }

  /** Credentials with a challenge use it up, even if the request fails. */
  #payloadIn(body: Buffer, deepest: number): Payload | Refusal {
    try {
      const payload = payloadOf(body, deepest);
      this.#device.access.recordUse(payload.header);
      return payload;
    } catch (error) {
      if (error instanceof Refusal) return error;
      throw error;
    }
  }

  #write(variable: Variable<unknown>, payload: Payload, exchange: Exchange): Promise<void> | undefined {
    const { endpoint, name } = exchange;
    const caller = this.#device.access.authenticate(payload.header, endpoint, exchange);
    exchange.note?.admitted(caller.level);
    const effect = this.#device.write(variable, () => valueOfPayload(name, payload.data), caller, name);
    if (effect !== undefined) return effect.then(() => exchange.succeed(done));
    exchange.succeed(done);
    return undefined;
  }

  #call(method: Method<unknown, unknown>, payload: Payload, exchange: Exchange): Promise<void> | undefined {
    const { endpoint, request } = exchange;
    const isOpen = method.facts.level === 'open';
    const caller = isOpen
      ? anybody
      : authenticated(this.#device.access, method, payload.header, endpoint, request, exchange);
    exchange.note?.admitted(caller.level);
    const data = () => argumentOf(method, payload.data);
    const result = this.#device.call(method, data, caller, exchange);
    if (result instanceof Promise) return result.then((answer) => succeed(method, answer, exchange));
    succeed(method, result, exchange);
    return undefined;
  }
}

function succeed(
  method: Method<unknown, unknown>,
  { response, afterwards }: CallResult,
  exchange: Exchange,
): void {
  exchange.succeed(method.hasResponse ? responseBody(method, response) : done, afterwards);
}

/**
 * Returns the new value of a variable from the `data` of a write. `data` must hold it under the variable's name as
 * requested. The device checks the value itself.
 * @throws Refusal 1 if data or the key is missing, 2 if the key is another one or not alone
 */
export function valueOfPayload(name: string, data: unknown): unknown {
  if (data === undefined)
    throw new Refusal('parsingFailed', 'data', `expected {"${name}": …}, but there is no data`);
  if (!isObject(data))
    throw new Refusal('invalidData', 'data', `expected an object, got ${describeJson(data)}`);
  const keys = Object.keys(data);
  if (!Object.hasOwn(data, name)) {
    if (keys.length === 1)
      throw new Refusal('invalidData', 'data', `expected the key ${name}, got another one`);
    throw new Refusal('parsingFailed', 'data', `the key ${name} is missing`);
  }
  if (keys.length > 1) throw new Refusal('invalidData', 'data', `expected no other key than ${name}`);
  return data[name];
}

/** Returns the detail for a name that does not exist, with the name that differs only in case, if there is one. */
function missing(name: string, names: Iterable<string>): string {
  const text = `there is no variable, method or file named ${name.slice(0, 80)}`;
  const lowerCase = name.toLowerCase();
  for (const known of names) {
    if (known.length === name.length && known.toLowerCase() === lowerCase)
      return `${text}; did you mean ${known}?`;
  }
  return text;
}

function wrongVerb(name: string, verb: string, endpoint: Endpoint): string {
  return `${name} is a ${endpoint.kind}: ${endpoint.kind === 'method' ? 'POST' : 'GET and POST'} only, not ${verb}`;
}

/** Number that differs between processes, so that a correlation identifies one line of one log. */
const ofProcess = randomBytes(4).toString('hex');
let correlations = 0;

/** Request id of a proxy or client: it connects their log with ours. */
const foreignName = /^[\w.:-]{1,64}$/;

/** Endpoint under which requests for unknown names are counted. */
const nowhere = '';

/**
 * Request for an endpoint, its response, and the log of both. Each log line carries a correlation, which the response
 * repeats in its header `Azimuth-Correlation`, unless it has no own headers. A response without a log line has no correlation, except that status 4
 * always has one. Otherwise the header would show if a line was written, and so the cause.
 */
export class Exchange implements Log {
  /** Name in signatures and metrics. */
  readonly endpoint: string;
  readonly #device: Device;
  readonly #traffic: Traffic;
  /** What the journal gets of it; undefined if nobody keeps one. */
  readonly note: JournalNote | undefined;
  #correlation: string | undefined;

  /**
   * @param name under `/api/` or `/x/`
   * @param prefix of the name in `endpoint`
   */
  constructor(
    { device, traffic, journal }: Pick<Options, 'device' | 'traffic' | 'journal'>,
    readonly name: string,
    readonly request: IncomingMessage,
    readonly response: ServerResponse,
    prefix = '',
  ) {
    this.#device = device;
    this.#traffic = traffic;
    this.endpoint = prefix + name;
    this.note = journal && new JournalNote(journal, name, prefix, request);
  }

  info(message: string, fields?: LogFields): void {
    this.#device.hardware.log.info(message, { ...fields, ...this.#origin() });
  }

  warn(message: string, fields?: LogFields): void {
    this.#device.hardware.log.warn(message, { ...fields, ...this.#origin() });
  }

  error(message: string, fields?: LogFields): void {
    this.#device.hardware.log.error(message, { ...fields, ...this.#origin() });
  }

  succeed(body: JsonBody, afterwards?: () => void): void {
    this.#setCorrelationHeader();
    const { errors } = this.#device;
    const contained = afterwards === undefined ? undefined : () => errors.contain('http', afterwards);
    respond(this.response, body, contained);
    this.#traffic.countResponse(this.endpoint, 'ok');
    this.note?.answered(statuses.ok.code);
  }

  /**
   * Refuses with the status of a Refusal. Any other error gets status 3, and only the log states the reason. If the
   * device is already rebooting, the request gets no response. Never throws.
   */
  refuse(error: unknown, httpStatus?: number): void {
    const { response } = this;
    if (response.headersSent || response.destroyed) return;
    if (error instanceof GoingDown) {
      this.#traffic.countRefusal('reboot');
      this.note?.answered(undefined, error.message);
      closeUnanswered(response);
      return;
    }
    try {
      const refusal = error instanceof Refusal ? error : this.#refusalOfError(error);
      if (refusal.status === 'accessDenied') this.#correlate();
      this.#setCorrelationHeader();
      refuse(response, refusal, httpStatus);
      this.#count(refusal);
      this.note?.answered(refusal.code, refusal.message);
    } catch (worse) {
      this.error('A refusal could not be sent', { endpoint: this.endpoint, reason: String(worse) });
      response.destroy();
    }
  }

  #count({ status }: Refusal): void {
    const { endpoints, files, extensions } = this.#device.served;
    const { endpoint } = this;
    const ofOurs =
      endpoint.startsWith(extensionPrefix) && extensions.has(endpoint.slice(extensionPrefix.length));
    const exists = ofOurs || endpoints.has(endpoint) || files.has(endpoint);
    this.#traffic.countResponse(exists ? endpoint : nowhere, status);
  }

  #refusalOfError(error: unknown): Refusal {
    const reason = error instanceof Error ? error.stack : String(error);
    this.error('A request failed inside the scanner', { endpoint: this.endpoint, reason });
    const why = `see the log of the scanner, correlation ${this.#correlation}`;
    return new Refusal('internalServerError', '', why);
  }

  #origin(): LogFields {
    const { headers, socket } = this.request;
    const requestId = headers['x-request-id'];
    const named = typeof requestId === 'string' && foreignName.test(requestId) ? { requestId } : {};
    return { correlation: this.#correlate(), client: socket.remoteAddress, ...named };
  }

  #correlate(): string {
    this.#correlation ??= `${ofProcess}-${(correlations++).toString(36)}`;
    return this.#correlation;
  }

  #setCorrelationHeader(): void {
    if (this.#correlation === undefined || this.response.headersSent) return;
    const own = ownHeadersOf(this.response);
    if (own !== undefined) this.response.setHeader(own.correlation, this.#correlation);
  }
}
