import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Log } from '@azimuth/device';
import { Fault } from '@azimuth/model';
import { BrokenRequests } from './broken-requests.js';
import { Connections } from './connections.js';
import type { RateLimit } from './rate-limit.js';
import { refuse } from './reply.js';
import { Turns } from './turns.js';

interface Facts {
  readonly log: Log;
  readonly maxConnections: number;
  readonly rateLimit: RateLimit | undefined;
  readonly serve: (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;
}

/** Lets requests in: those of one connection in their order, not too many, and nothing that is no HTTP. */
export class Reception {
  readonly #facts: Facts;
  readonly #connections: Connections;
  readonly #turns: Turns;
  readonly #broken = new BrokenRequests();

  constructor(facts: Facts) {
    this.#facts = facts;
    this.#connections = new Connections(facts.maxConnections);
    this.#turns = new Turns((error) =>
      facts.log.error('A request failed inside the scanner', { reason: String(error) }),
    );
  }

  /** Takes what comes to this listener, which must leave the check of the header Host to it. */
  attach(server: Server): void {
    server.on('connection', (socket) => this.#connections.add(socket));
    server.on('clientError', (error, socket) => this.#broken.refuse(error, socket));
    server.on('request', (request, response) => this.#receive(request, response));
    server.on('checkExpectation', (request, response) => this.#refuseExpectation(request, response));
  }

  #receive(request: IncomingMessage, response: ServerResponse): void {
    if (this.#isTurnedAway(request, response)) return;
    const { socket } = request;
    if (this.#turns.isTaken(socket)) {
      // Its body may turn out broken, and be refused, while it waits.
      this.#turns.wait(socket, () =>
        response.headersSent ? undefined : this.#facts.serve(request, response),
      );
      return;
    }
    const begun = this.#facts.serve(request, response);
    if (begun !== undefined) void this.#turns.take(socket, begun);
  }

  #refuseExpectation(request: IncomingMessage, response: ServerResponse): void {
    if (this.#isTurnedAway(request, response)) return;
    request.resume();
    refuse(response, new Fault('parsingFailed', '', 'nothing but 100-continue can be expected'), 417);
  }

  #isTurnedAway(request: IncomingMessage, response: ServerResponse): boolean {
    this.#broken.follow(response);
    if (this.#connections.isRefused(request.socket)) {
      response.shouldKeepAlive = false;
      request.resume();
      refuse(response, new Fault('outOfConnections', '', 'too many connections at the same time'));
      return true;
    }
    // RFC 9112 §3.2.
    if (request.headers.host === undefined && request.httpVersion === '1.1') {
      response.shouldKeepAlive = false;
      request.resume();
      refuse(response, new Fault('parsingFailed', '', 'HTTP/1.1 needs the header Host'), 400);
      return true;
    }
    const wait = this.#facts.rateLimit?.wait(request.socket.remoteAddress ?? '') ?? 0;
    if (wait === 0) return false;
    request.resume();
    response.setHeader('Retry-After', wait);
    refuse(response, new Fault('outOfConnections', '', `too many requests: try again in ${wait} s`), 429);
    return true;
  }
}
