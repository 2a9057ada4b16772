import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { anybody, type Caller, type Device } from '@azimuth/device';
import { type Endpoint, Fault, type Method, type Variable } from '@azimuth/model';
import { answerFile } from '../files/file-interface.js';
import { refuse, reply } from '../http/reply.js';
import { readPayload } from './body.js';
import { successBody } from './envelope.js';
import { PreparedReads } from './prepared-reads.js';

/** The path that everything of the specification stands under. */
export const restPath = '/api/';

/**
 * The JSON interface under `/api/`: turns a request into a read, a write or a call on the device, and what it answers
 * into a reply. The checks come in this order: name and verb, body, credentials, payload; then the act.
 */
export class RestInterface {
  readonly #device: Device;
  readonly #reads: PreparedReads;

  constructor(device: Device) {
    this.#device = device;
    this.#reads = new PreparedReads(device);
  }

  /** Answers a request for the endpoint of this name. */
  async handle(name: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const endpoint = this.#device.endpoints.get(name);
      if (request.method === 'GET' && endpoint?.kind === 'variable') {
        reply(response, this.#reads.of(endpoint, name));
        return;
      }
      const file = this.#device.files.get(name);
      if (file !== undefined) {
        answerFile(file, request, response);
        return;
      }
      if (request.method !== 'POST' || endpoint === undefined) {
        throw new Fault('notFound', '', absence(name, request.method ?? '', endpoint));
      }
      if (endpoint.kind === 'variable') await this.#write(endpoint, name, request, response);
      else await this.#call(endpoint, name, request, response);
    } catch (error) {
      this.#refuse(name, response, error);
    } finally {
      // What a refused request still sends is read and thrown away, so that the connection stays of use.
      if (!request.readableEnded) request.resume();
    }
  }

  async #write(
    variable: Variable<unknown>,
    name: string,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    if (variable.facts.write === undefined) throw new Fault('readOnly', '', `${name} cannot be written`);
    const { header, data } = await readPayload(request);
    this.#device.write(variable, name, data, this.#device.access.authenticate(header, name));
    reply(response, successBody());
  }

  async #call(
    method: Method<unknown, unknown>,
    name: string,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const { header, data } = await readPayload(request);
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
