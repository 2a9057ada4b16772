import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { anybody, type Caller, type Device } from '@azimuth/device';
import { type Endpoint, Fault, type Method, type Variable } from '@azimuth/model';
import { answerFile } from '../files/file-interface.js';
import { Bodies, BodyBrokenOff } from '../http/bodies.js';
import { refuse, reply } from '../http/reply.js';
import { type Payload, readPayload } from './body.js';
import { successBody } from './envelope.js';
import { PreparedReads } from './prepared-reads.js';

/** The path that everything of the specification stands under. */
export const restPath = '/api/';

const largestBody = 1024 * 1024;
const largestTogether = 64 * largestBody;

/**
 * The JSON interface under `/api/`: turns a request into a read, a write or a call on the device, and what it answers
 * into a reply. The checks of a POST come in this order: name and verb, body, credentials, payload; then the act.
 */
export class RestInterface {
  readonly #device: Device;
  readonly #reads: PreparedReads;
  readonly #bodies = new Bodies(largestBody, largestTogether);

  constructor(device: Device) {
    this.#device = device;
    this.#reads = new PreparedReads(device);
  }

  /** Answers a request for the endpoint of this name: at once, unless it is a POST with a body to be read first. */
  handle(name: string, request: IncomingMessage, response: ServerResponse): void | Promise<void> {
    const endpoint = this.#device.endpoints.get(name);
    if (request.method === 'GET' && endpoint?.kind === 'variable') {
      return this.#read(endpoint, name, response);
    }
    const file = this.#device.files.get(name);
    if (file !== undefined) return answerFile(file, request, response);
    if (request.method === 'POST') return this.#post(name, request, response);
    const fault = new Fault('notFound', '', absence(name, request.method ?? '', endpoint));
    return this.#refuse(name, response, fault);
  }

  #read(variable: Variable<unknown>, name: string, response: ServerResponse): void {
    try {
      reply(response, this.#reads.of(variable, name));
    } catch (error) {
      this.#refuse(name, response, error);
    }
  }

  async #post(name: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const payload = await this.#received(request);
      const endpoint = this.#device.endpoints.get(name);
      if (endpoint === undefined) throw new Fault('notFound', '', absence(name, 'POST', endpoint));
      if (endpoint.kind === 'variable' && endpoint.facts.write === undefined) {
        throw new Fault('readOnly', '', `${name} cannot be written`);
      }
      if (payload instanceof Fault) throw payload;
      if (endpoint.kind === 'variable') this.#write(endpoint, name, payload, response);
      else await this.#call(endpoint, name, payload, response);
    } catch (error) {
      if (!(error instanceof BodyBrokenOff)) this.#refuse(name, response, error);
    }
  }

  /** The payload, or what is wrong with the body: that is told after what is wrong with the name. */
  async #received(request: IncomingMessage): Promise<Payload | Fault> {
    try {
      const payload = await readPayload(request, this.#bodies);
      this.#device.access.noteUse(payload.header);
      return payload;
    } catch (error) {
      if (error instanceof Fault) return error;
      throw error;
    }
  }

  #write(variable: Variable<unknown>, name: string, payload: Payload, response: ServerResponse): void {
    const caller = this.#device.access.authenticate(payload.header, name);
    this.#device.write(variable, name, payload.data, caller);
    reply(response, successBody());
  }

  async #call(
    method: Method<unknown, unknown>,
    name: string,
    { header, data }: Payload,
    response: ServerResponse,
  ): Promise<void> {
    const caller: Caller =
      method.facts.level === 'open' ? anybody : this.#device.access.authenticate(header, name);
    const answer = await this.#device.call(method, data, caller);
    const { answersIn = 'data' } = method.facts;
    reply(
      response,
      successBody(method.hasResponse ? { [answersIn]: answer.response } : {}),
      answer.afterwards,
    );
  }

  #refuse(name: string, response: ServerResponse, error: unknown): void {
    if (response.headersSent || response.destroyed) return;
    if (error instanceof Fault) {
      refuse(response, error);
      return;
    }
    const correlation = randomUUID();
    const reason = error instanceof Error ? error.stack : String(error);
    this.#device.host.log.error('A request failed inside the scanner', {
      endpoint: name,
      correlation,
      reason,
    });
    refuse(
      response,
      new Fault('internalServerError', '', `see the log of the scanner, correlation ${correlation}`),
    );
  }
}

function absence(name: string, verb: string, endpoint: Endpoint | undefined): string {
  if (endpoint === undefined) return `nothing here is named ${name.slice(0, 80)}`;
  return `${name} is a ${endpoint.kind}: ${endpoint.kind === 'method' ? 'POST' : 'GET and POST'} only, not ${verb}`;
}
