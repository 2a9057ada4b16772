import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Answer, anybody, type Device, GoingDown, type Log, type LogFields } from '@azimuth/device';
import {
  boundsOfNothing,
  type Endpoint,
  extensionPrefix,
  Fault,
  type Method,
  type Variable,
} from '@azimuth/model';
import { valuesOf } from '../http/admission.js';
import { type Bodies, BodyBrokenOff, BodyRefused } from '../http/bodies.js';
import type { Connections } from '../http/connections.js';
import { closeUnanswered, type JsonBody, refuse, reply } from '../http/reply.js';
import type { Traffic } from '../traffic/traffic.js';
import { authenticated } from './basic-authentication.js';
import {
  type Payload,
  PreparedReads,
  payloadOf,
  requestOfPayload,
  responseBody,
  successBody,
  valueOfPayload,
} from './envelope.js';
import { notFound } from './not-found.js';

/** Path prefix of the interface of the specification. */
export const restPath = '/api/';

/** The reply of a write, and of a call without a response. */
const done = successBody();

/** Sends or takes a file. */
type Transfer = (request: IncomingMessage, response: ServerResponse, log: Log) => Promise<void>;

interface Options {
  readonly device: Device;
  readonly traffic: Traffic;
  readonly connections: Connections;
  /** Shared by all paths. */
  readonly bodies: Bodies;
  /** Prefix of the name in signatures and metrics; empty for the interface of the specification. */
  readonly prefix: string;
  readonly endpoints: () => ReadonlyMap<string, Endpoint>;
  /** Handler of the file transfer with this name; undefined if there is no such file. */
  readonly fileAt: (name: string) => Transfer | undefined;
}

/**
 * The JSON interface under one path, `/api/` or `/x/`. It maps a request to a read, a write or a call on the device,
 * and the result to a reply. It checks a POST in this order: name and verb, body, credentials, payload. Then it acts.
 */
export class RestInterface {
  readonly #options: Options;
  readonly #device: Device;
  readonly #reads: PreparedReads;

  constructor(options: Options) {
    this.#options = options;
    this.#device = options.device;
    this.#reads = new PreparedReads(options.device);
  }

  /**
   * Answers a request for the endpoint of this name. While a POST or a file transfer runs, later requests of its
   * connection wait.
   */
  handle(name: string, request: IncomingMessage, response: ServerResponse): void {
    const { method } = request;
    const kept = method === 'GET' ? this.#reads.kept(name) : undefined;
    if (kept === undefined) this.#find(name, request, response);
    else this.#send(kept, name, response);
  }

  #find(name: string, request: IncomingMessage, response: ServerResponse): void {
    const { method } = request;
    const { endpoints, fileAt } = this.#options;
    const endpoint = endpoints().get(name);
    if (method === 'GET' && endpoint?.kind === 'variable') {
      this.#read(endpoint, name, request, response);
      return;
    }
    const file = fileAt(name);
    const exchange = this.#exchange(name, request, response);
    if (file !== undefined) void this.#transfer(file, exchange);
    else if (method === 'POST') void this.#post(exchange);
    else exchange.refuse(this.#notFound(name, method ?? '', endpoint));
  }

  #exchange(name: string, request: IncomingMessage, response: ServerResponse): Exchange {
    return new Exchange(this.#options, name, request, response, this.#options.prefix);
  }

  #read(variable: Variable<unknown>, name: string, request: IncomingMessage, response: ServerResponse): void {
    try {
      this.#send(this.#reads.of(variable, name), name, response);
    } catch (error) {
      this.#exchange(name, request, response).refuse(error);
    }
  }

  #send(body: JsonBody, name: string, response: ServerResponse): void {
    const { traffic, prefix } = this.#options;
    reply(response, body);
    traffic.answered(prefix + name, 'ok');
  }

  /** Transfers count by HTTP status. Refusals that any endpoint can have count by the status of the envelope. */
  async #transfer(transfer: Transfer, exchange: Exchange): Promise<void> {
    const { name, request, response } = exchange;
    const release = this.#options.connections.of(request.socket).hold();
    try {
      await transfer(request, response, exchange);
      this.#options.traffic.sent(restPath + name, response.statusCode);
    } catch (error) {
      exchange.refuse(error);
    } finally {
      release();
    }
  }

  async #post(exchange: Exchange): Promise<void> {
    const { name, request } = exchange;
    const endpoint = this.#postable(name);
    const release = this.#options.connections.of(request.socket).hold();
    try {
      const [length] = valuesOf(request.rawHeaders, 'content-length');
      const announced = length === undefined ? undefined : Number(length);
      // A variable that is not writable is refused before its body is read.
      const { bytes, depth } = endpoint instanceof Fault ? boundsOfNothing : endpoint.bodyBounds;
      const body = await this.#options.bodies.read(request, announced, bytes);
      const payload = this.#payloadIn(body, depth);
      // A wrong name is reported before a wrong body.
      if (endpoint instanceof Fault) throw endpoint;
      if (payload instanceof Fault) throw payload;
      if (endpoint.kind === 'method') await this.#call(endpoint, payload, exchange);
      else await this.#write(endpoint, payload, exchange);
    } catch (error) {
      if (error instanceof BodyBrokenOff) return;
      if (!(error instanceof BodyRefused)) exchange.refuse(error);
      else if (endpoint instanceof Fault) exchange.refuse(endpoint);
      else exchange.refuse(new Fault('parsingFailed', '', error.message));
    } finally {
      release();
    }
  }

  /**
   * Finds the endpoint of this name.
   * @throws Fault 5 if there is no such endpoint, 8 for a variable that is not writable
   */
  #postable(name: string): Endpoint | Fault {
    const endpoint = this.#options.endpoints().get(name);
    if (endpoint === undefined) return this.#notFound(name, 'POST', endpoint);
    return this.#device.refusalBeforeBody(endpoint, name) ?? endpoint;
  }

  #notFound(name: string, verb: string, endpoint: Endpoint | undefined): Fault {
    const { prefix, endpoints } = this.#options;
    const path = prefix === '' ? restPath : `/${prefix}`;
    return notFound({ name, verb, endpoint, path, endpoints: endpoints() });
  }

  /** Credentials with a challenge use it up, even if the request fails. */
  #payloadIn(body: Buffer, deepest: number): Payload | Fault {
    try {
      const payload = payloadOf(body, deepest);
      this.#device.access.noteUse(payload.header);
      return payload;
    } catch (error) {
      if (error instanceof Fault) return error;
      throw error;
    }
  }

  #write(variable: Variable<unknown>, payload: Payload, exchange: Exchange): void | Promise<void> {
    const { endpoint, name } = exchange;
    const caller = this.#device.access.authenticate(payload.header, endpoint, exchange);
    this.#device.writeFrom(variable, () => valueOfPayload(name, payload.data), caller, name);
    const { underWay } = this.#device.announcements;
    if (underWay !== undefined) return underWay.then(() => exchange.succeed(done));
    exchange.succeed(done);
  }

  #call(method: Method<unknown, unknown>, payload: Payload, exchange: Exchange): void | Promise<void> {
    const { endpoint, request } = exchange;
    const caller = this.#device.isOpen(method)
      ? anybody
      : authenticated(this.#device.access, method, payload.header, endpoint, request, exchange);
    const succeed = ({ response, afterwards }: Answer) =>
      exchange.succeed(method.hasResponse ? responseBody(method, response) : done, afterwards);
    this.#device.admitCall(method, caller);
    const answer = this.#device.call(method, requestOfPayload(method, payload.data), caller, exchange);
    if (answer instanceof Promise) return answer.then(succeed);
    succeed(answer);
  }
}

/** Differs between processes, so that a correlation identifies one line of one log. */
const ofProcess = randomBytes(4).toString('hex');
let correlations = 0;

/** The request id of a proxy or client: it connects their log with ours. */
const foreignName = /^[\w.:-]{1,64}$/;

/** Requests for unknown names are counted under this endpoint. */
const nowhere = '';

/**
 * A request for an endpoint, its reply, and the log of both. Each log line carries a correlation, which the reply
 * repeats in its header `Azimuth-Correlation`. A reply without a log line has no correlation, except that status 4
 * always has one: otherwise the header would reveal whether a line was written, and so the cause.
 */
export class Exchange implements Log {
  /** The name in signatures and metrics. */
  readonly endpoint: string;
  readonly #device: Device;
  readonly #traffic: Traffic;
  #correlation: string | undefined;

  /**
   * @param name under `/api/` or `/x/`
   * @param prefix of the name in `endpoint`
   */
  constructor(
    { device, traffic }: { readonly device: Device; readonly traffic: Traffic },
    readonly name: string,
    readonly request: IncomingMessage,
    readonly response: ServerResponse,
    prefix = '',
  ) {
    this.#device = device;
    this.#traffic = traffic;
    this.endpoint = prefix + name;
  }

  info(message: string, fields?: LogFields): void {
    this.#device.host.log.info(message, { ...fields, ...this.#origin() });
  }

  warn(message: string, fields?: LogFields): void {
    this.#device.host.log.warn(message, { ...fields, ...this.#origin() });
  }

  error(message: string, fields?: LogFields): void {
    this.#device.host.log.error(message, { ...fields, ...this.#origin() });
  }

  succeed(body: JsonBody, afterwards?: () => void): void {
    this.#setCorrelationHeader();
    const { errors } = this.#device;
    const contained = afterwards === undefined ? undefined : () => errors.contain('http', afterwards);
    reply(this.response, body, contained);
    this.#traffic.answered(this.endpoint, 'ok');
  }

  /**
   * Refuses with the status of a Fault. Any other error is status 3, and only the log says why. If the device is
   * already rebooting, the request gets no answer. Never throws.
   */
  refuse(error: unknown): void {
    const { response } = this;
    if (response.headersSent || response.destroyed) return;
    if (error instanceof GoingDown) {
      this.#traffic.countRefusal('reboot');
      closeUnanswered(response);
      return;
    }
    try {
      const fault = error instanceof Fault ? error : this.#innerFault(error);
      if (fault.status === 'accessDenied') this.#correlate();
      this.#setCorrelationHeader();
      refuse(response, fault);
      this.#count(fault);
    } catch (worse) {
      this.error('A refusal could not be sent', { endpoint: this.endpoint, reason: String(worse) });
      response.destroy();
    }
  }

  #count({ status }: Fault): void {
    const { endpoints, files, extensions } = this.#device;
    const { endpoint } = this;
    const ofOurs =
      endpoint.startsWith(extensionPrefix) && extensions.has(endpoint.slice(extensionPrefix.length));
    const exists = ofOurs || endpoints.has(endpoint) || files.has(endpoint);
    this.#traffic.answered(exists ? endpoint : nowhere, status);
  }

  #innerFault(error: unknown): Fault {
    const reason = error instanceof Error ? error.stack : String(error);
    this.error('A request failed inside the scanner', { endpoint: this.endpoint, reason });
    const why = `see the log of the scanner, correlation ${this.#correlation}`;
    return new Fault('internalServerError', '', why);
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
    this.response.setHeader('Azimuth-Correlation', this.#correlation);
  }
}
