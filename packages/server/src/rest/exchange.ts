import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Device, GoingDown, type Log, type LogFacts } from '@azimuth/device';
import { extensionPrefix, Fault } from '@azimuth/model';
import { closeUnanswered, type JsonBody, refuse, reply } from '../http/reply.js';
import type { Traffic } from '../traffic/traffic.js';

/** Differs from one process to the next, so that a correlation leads to one line of one log. */
const ofProcess = randomBytes(4).toString('hex');
let correlations = 0;

/** What a proxy or a client may call its request, so that our log and theirs can be laid side by side. */
const foreignName = /^[\w.:-]{1,64}$/;

/** The endpoint that requests for unknown names count under. */
const nowhere = '';

/**
 * A request for an endpoint, its reply, and the log of both. Each line carries a correlation, which the reply has in its
 * header `Azimuth-Correlation`. If nothing is logged, there is none; but status 4 always has one, because whether a line
 * was written would reveal its cause.
 */
export class Exchange implements Log {
  readonly endpoint: string;
  readonly request: IncomingMessage;
  readonly #device: Device;
  readonly #traffic: Traffic;
  readonly #response: ServerResponse;
  #correlation: string | undefined;

  constructor(
    device: Device,
    traffic: Traffic,
    endpoint: string,
    request: IncomingMessage,
    response: ServerResponse,
  ) {
    this.#device = device;
    this.#traffic = traffic;
    this.endpoint = endpoint;
    this.request = request;
    this.#response = response;
  }

  info(message: string, facts?: LogFacts): void {
    this.#device.host.log.info(message, { ...facts, ...this.#origin() });
  }

  warn(message: string, facts?: LogFacts): void {
    this.#device.host.log.warn(message, { ...facts, ...this.#origin() });
  }

  error(message: string, facts?: LogFacts): void {
    this.#device.host.log.error(message, { ...facts, ...this.#origin() });
  }

  succeed(body: JsonBody, afterwards?: () => void): void {
    this.#tellCorrelation();
    const { errors } = this.#device;
    const contained = afterwards === undefined ? undefined : () => errors.contain('http', afterwards);
    reply(this.#response, body, contained);
    this.#traffic.answered(this.endpoint, 'ok');
  }

  /**
   * Refuses with a Fault's status, or with 3 for anything else, which is for the log alone; what comes too late to be kept
   * gets no answer. Never throws.
   */
  refuse(error: unknown, httpStatus = 200): void {
    const response = this.#response;
    if (response.headersSent || response.destroyed) return;
    if (error instanceof GoingDown) {
      this.#traffic.turnedAway('reboot');
      closeUnanswered(response);
      return;
    }
    try {
      const fault = error instanceof Fault ? error : this.#innerFault(error);
      if (fault.status === 'accessDenied') this.#correlate();
      this.#tellCorrelation();
      refuse(response, fault, httpStatus);
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
    this.#traffic.answered(exists ? this.endpoint : nowhere, status);
  }

  #innerFault(error: unknown): Fault {
    const reason = error instanceof Error ? error.stack : String(error);
    this.error('A request failed inside the scanner', { endpoint: this.endpoint, reason });
    return new Fault(
      'internalServerError',
      '',
      `see the log of the scanner, correlation ${this.#correlation}`,
    );
  }

  #origin(): LogFacts {
    const { headers, socket } = this.request;
    const requestId = headers['x-request-id'];
    const named = typeof requestId === 'string' && foreignName.test(requestId) ? { requestId } : {};
    return { correlation: this.#correlate(), client: socket.remoteAddress, ...named };
  }

  #correlate(): string {
    this.#correlation ??= `${ofProcess}-${(correlations++).toString(36)}`;
    return this.#correlation;
  }

  #tellCorrelation(): void {
    if (this.#correlation === undefined || this.#response.headersSent) return;
    this.#response.setHeader('Azimuth-Correlation', this.#correlation);
  }
}
