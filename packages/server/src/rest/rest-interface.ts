import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  type Answer,
  anybody,
  type Caller,
  type Clock,
  type Device,
  type Log,
  TooFewFiles,
} from '@azimuth/device';
import {
  type BodyBounds,
  boundsOfNothing,
  type Endpoint,
  Fault,
  largestBody,
  type Method,
  type Variable,
} from '@azimuth/model';
import { Bodies, BodyRefused } from '../http/bodies.js';
import { type JsonBody, reply } from '../http/reply.js';
import { valuesOf } from '../http/request-head.js';
import type { Turns } from '../http/turns.js';
import type { Traffic } from '../traffic/traffic.js';
import { authenticated } from './authenticated.js';
import { type Payload, payloadOf } from './body.js';
import { successBody } from './envelope.js';
import { Exchange } from './exchange.js';
import { requestOfPayload, valueOfPayload } from './payload.js';
import { PreparedReads } from './prepared-reads.js';

/** The path that everything of the specification stands under. */
export const restPath = '/api/';

/** The reply to what has nothing to tell. */
const done = successBody();

const largestTogether = 64 * largestBody;

/** Sends or takes a file. */
export type Transfer = (request: IncomingMessage, response: ServerResponse, log: Log) => Promise<void>;

/** What is served under one path. */
export interface Served {
  /** What stands in front of a name where a request is signed and counted; empty for the specification's own. */
  readonly prefix: string;
  /** By name. */
  readonly endpoints: () => ReadonlyMap<string, Endpoint>;
  /** What answers a request for the file of this name; undefined where there is none. */
  readonly fileAt: (name: string) => Transfer | undefined;
}

/** Bodies of all paths together. */
export function restBodies(clock: Clock): Bodies {
  return new Bodies(largestBody, largestTogether, clock);
}

/**
 * The JSON interface under one path, `/api/` or `/x/`: turns a request into a read, a write or a call on the device, and what it answers
 * into a reply. The checks of a POST come in this order: name and verb, body, credentials, payload; then the act.
 */
export class RestInterface {
  readonly #device: Device;
  readonly #traffic: Traffic;
  readonly #turns: Turns;
  readonly #reads: PreparedReads;
  readonly #bodies: Bodies;
  readonly #served: Served;

  constructor(device: Device, traffic: Traffic, turns: Turns, bodies: Bodies, served: Served) {
    this.#bodies = bodies;
    this.#served = served;
    this.#turns = turns;
    this.#device = device;
    this.#traffic = traffic;
    this.#reads = new PreparedReads(device);
  }

  /** Answers a request for the endpoint of this name: a POST in a turn that it takes, any other at once. */
  handle(name: string, request: IncomingMessage, response: ServerResponse): void {
    const { method } = request;
    const kept = method === 'GET' ? this.#reads.kept(name) : undefined;
    if (kept === undefined) this.#find(name, request, response);
    else this.#send(kept, name, response);
  }

  #find(name: string, request: IncomingMessage, response: ServerResponse): void {
    const { method } = request;
    const endpoint = this.#served.endpoints().get(name);
    const file = this.#served.fileAt(name);
    if (method === 'GET' && endpoint?.kind === 'variable') this.#read(endpoint, name, request, response);
    else if (file !== undefined) this.#transfer(file, name, request, response);
    else {
      const exchange = this.#exchange(name, request, response);
      if (method === 'POST') this.#post(exchange);
      else exchange.refuse(new Fault('notFound', '', absence(name, method ?? '', endpoint)));
    }
  }

  #read(variable: Variable<unknown>, name: string, request: IncomingMessage, response: ServerResponse): void {
    try {
      this.#send(this.#reads.of(variable, name), name, response);
    } catch (error) {
      this.#exchange(name, request, response).refuse(error);
    }
  }

  /** Files are refused with HTTP statuses, but for what any name is refused with: they count under that. */
  #transfer(transfer: Transfer, name: string, request: IncomingMessage, response: ServerResponse): void {
    const exchange = this.#exchange(name, request, response);
    const release = this.#turns.take(request.socket);
    void transfer(request, response, exchange)
      .then(() => this.#traffic.sent(`/api/${name}`, response.statusCode))
      .catch((error: unknown) => {
        if (!(error instanceof TooFewFiles)) return exchange.refuse(error);
        if (!response.headersSent) response.setHeader('Retry-After', 1);
        exchange.refuse(error, 503);
      })
      .finally(release);
  }

  #send(body: JsonBody, name: string, response: ServerResponse): void {
    reply(response, body);
    this.#traffic.answered(this.#served.prefix + name, 'ok');
  }

  #exchange(name: string, request: IncomingMessage, response: ServerResponse): Exchange {
    return new Exchange(this.#device, this.#traffic, this.#served.prefix + name, request, response);
  }

  /** The name under `/api/` or `/x/`, out of the one that a request is signed with. */
  #nameOf({ endpoint }: Exchange): string {
    return endpoint.slice(this.#served.prefix.length);
  }

  /** Later requests of the connection wait until this one is answered. */
  #post(exchange: Exchange): void {
    const { request } = exchange;
    const [length] = valuesOf(request.rawHeaders, 'content-length');
    const bounds = this.#boundsOf(this.#nameOf(exchange));
    const release = this.#turns.take(request.socket);
    this.#bodies.receive(
      request,
      length === undefined ? undefined : Number(length),
      (body) => this.#answer(body, bounds, exchange, release),
      (why) => {
        if (why instanceof BodyRefused) exchange.refuse(this.#tooLarge(why, exchange));
        release();
      },
      bounds.bytes,
    );
  }

  /** What nobody can write is refused for that, whatever comes: its body need not be read whole. */
  #boundsOf(name: string): BodyBounds {
    const endpoint = this.#served.endpoints().get(name);
    if (endpoint === undefined) return boundsOfNothing;
    const isReadOnly = endpoint.kind === 'variable' && endpoint.facts.write === undefined;
    return isReadOnly ? boundsOfNothing : endpoint.bodyBounds;
  }

  #answer(body: Buffer, bounds: BodyBounds, exchange: Exchange, release: () => void): void {
    try {
      const answering = this.#act(body, bounds, exchange);
      if (answering === undefined) release();
      else void answering.catch((error: unknown) => exchange.refuse(error)).finally(release);
    } catch (error) {
      exchange.refuse(error);
      release();
    }
  }

  /** What is wrong with the name is told before what is wrong with the body. */
  #act(body: Buffer, { depth }: BodyBounds, exchange: Exchange): void | Promise<void> {
    const payload = this.#received(body, depth);
    const endpoint = this.#postable(this.#nameOf(exchange));
    if (payload instanceof Fault) throw payload;
    if (endpoint.kind === 'method') return this.#call(endpoint, payload, exchange);
    return this.#write(endpoint, payload, exchange);
  }

  #received(body: Buffer, deepest: number): Payload | Fault {
    try {
      const payload = payloadOf(body, deepest);
      this.#device.access.noteUse(payload.header);
      return payload;
    } catch (error) {
      if (error instanceof Fault) return error;
      throw error;
    }
  }

  #tooLarge({ message }: BodyRefused, exchange: Exchange): unknown {
    try {
      this.#postable(this.#nameOf(exchange));
      return new Fault('parsingFailed', '', message);
    } catch (error) {
      return error;
    }
  }

  /** @throws Fault 5 for a name that nothing has, 8 for a variable that nobody can write. */
  #postable(name: string): Endpoint {
    const endpoint = this.#served.endpoints().get(name);
    if (endpoint === undefined) throw new Fault('notFound', '', absence(name, 'POST', endpoint));
    if (endpoint.kind === 'variable' && endpoint.facts.write === undefined) {
      throw new Fault('readOnly', '', `${name} cannot be written`);
    }
    return endpoint;
  }

  #write(variable: Variable<unknown>, payload: Payload, exchange: Exchange): void | Promise<void> {
    const { endpoint: name } = exchange;
    const caller = this.#device.access.authenticate(payload.header, name, exchange);
    this.#device.admitWrite(variable, caller);
    const shortName = this.#nameOf(exchange);
    this.#device.write(variable, valueOfPayload(shortName, payload.data), caller, shortName);
    const { underWay } = this.#device.announcements;
    if (underWay !== undefined) return underWay.then(() => exchange.succeed(done));
    exchange.succeed(done);
  }

  #call(method: Method<unknown, unknown>, payload: Payload, exchange: Exchange): void | Promise<void> {
    const { endpoint: name } = exchange;
    const { level, answersIn = 'data' } = method.facts;
    const { access } = this.#device;
    const caller: Caller =
      level === 'open'
        ? anybody
        : authenticated(access, method, payload.header, name, exchange.request, exchange);
    const succeed = ({ response, afterwards }: Answer) =>
      exchange.succeed(method.hasResponse ? successBody({ [answersIn]: response }) : done, afterwards);
    this.#device.admitCall(method, caller);
    const answer = this.#device.call(method, requestOfPayload(method, payload.data), caller, exchange);
    if (answer instanceof Promise) return answer.then(succeed);
    succeed(answer);
  }
}

function absence(name: string, verb: string, endpoint: Endpoint | undefined): string {
  if (endpoint === undefined) return `nothing here is named ${name.slice(0, 80)}`;
  return `${name} is a ${endpoint.kind}: ${endpoint.kind === 'method' ? 'POST' : 'GET and POST'} only, not ${verb}`;
}
