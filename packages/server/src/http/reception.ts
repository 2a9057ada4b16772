import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Log } from '@azimuth/device';
import { Fault } from '@azimuth/model';
import type { Traffic } from '../metrics/traffic.js';
import { BrokenRequests, TunnelWanted } from './broken-requests.js';
import { Connections } from './connections.js';
import type { RateLimit } from './rate-limit.js';
import { refuse } from './reply.js';
import type { Turns } from './turns.js';
import { objectionTo } from './unacceptable.js';
import { mostWaiting } from './waiting-acts.js';

interface Facts {
  readonly log: Log;
  readonly maxConnections: number;
  readonly rateLimit: RateLimit | undefined;
  readonly traffic: Traffic;
  readonly turns: Turns;
  /** Answers a request; where that takes longer, it takes the turn of the connection for so long. */
  readonly serve: (request: IncomingMessage, response: ServerResponse) => void;
}

/** Lets requests in: those of one connection in their order, not too many, and nothing that is no HTTP. */
export class Reception {
  readonly #facts: Facts;
  readonly #connections: Connections;
  readonly #broken = new BrokenRequests();

  constructor(facts: Facts) {
    this.#facts = facts;
    this.#connections = new Connections(facts.maxConnections);
  }

  /** Takes what comes to this listener, which must leave the check of the header Host to it. */
  attach(server: Server): void {
    const { traffic } = this.#facts;
    server.on('connection', (socket) => {
      traffic.connections++;
      socket.once('close', () => {
        traffic.connections--;
      });
      this.#connections.add(socket);
      // After node has looked at what came with the end.
      socket.once('end', () => setImmediate(() => this.#broken.ended(socket)));
    });
    server.on('clientError', (error, socket) => {
      traffic.turnedAway('broken');
      this.#broken.refuse(error, socket);
    });
    server.on('request', (request, response) => this.#receive(request, response));
    server.on('checkExpectation', (request, response) => this.#refuseExpectation(request, response));
    server.on('connect', (_, connection) => this.#refuseTunnel(connection));
  }

  #receive(request: IncomingMessage, response: ServerResponse): void {
    if (this.#isTurnedAway(request, response)) return;
    const { socket } = request;
    if (this.#facts.turns.isTaken(socket)) this.#wait(request, response);
    else this.#facts.serve(request, response);
  }

  #wait(request: IncomingMessage, response: ServerResponse): void {
    this.#facts.turns.wait(
      request.socket,
      // Its body may turn out broken, and be refused, while it waits.
      () => {
        if (!response.headersSent) this.#facts.serve(request, response);
      },
      () => {
        const why = `more than ${mostWaiting} requests wait on this connection; those behind this one are not done`;
        this.#facts.traffic.turnedAway('rate');
        response.setHeader('Retry-After', 1);
        refuseAndClose(request, response, new Fault('outOfConnections', '', why), 429);
      },
    );
  }

  #refuseExpectation(request: IncomingMessage, response: ServerResponse): void {
    if (this.#isTurnedAway(request, response)) return;
    request.resume();
    this.#facts.traffic.turnedAway('expectation');
    refuse(response, new Fault('parsingFailed', '', 'nothing but 100-continue can be expected'), 417);
  }

  /** Node leaves the connection to us, without anybody who hears of its errors. */
  #refuseTunnel(connection: Duplex): void {
    connection.on('error', () => connection.destroy());
    this.#facts.traffic.turnedAway('broken');
    this.#broken.refuse(new TunnelWanted(), connection);
    connection.resume();
  }

  #isTurnedAway(request: IncomingMessage, response: ServerResponse): boolean {
    const { traffic } = this.#facts;
    const { socket } = request;
    this.#connections.noteRequest(socket);
    this.#broken.follow(response);
    if (this.#connections.isRefused(socket)) {
      traffic.turnedAway('connections');
      const why = 'too many connections at the same time';
      refuseAndClose(request, response, new Fault('outOfConnections', '', why));
      return true;
    }
    const objection = objectionTo(request);
    if (objection !== undefined) {
      const { httpStatus, why, counted } = objection;
      traffic.turnedAway(counted);
      refuseAndClose(request, response, new Fault('parsingFailed', '', why), httpStatus);
      return true;
    }
    // Nobody takes upgrades here, and node loses what has come behind such a request.
    if (request.headers.upgrade !== undefined) response.shouldKeepAlive = false;
    const wait = this.#facts.rateLimit?.wait(socket.remoteAddress ?? '') ?? 0;
    if (wait === 0) return false;
    traffic.turnedAway('rate');
    request.resume();
    response.setHeader('Retry-After', wait);
    refuse(response, new Fault('outOfConnections', '', `too many requests: try again in ${wait} s`), 429);
    return true;
  }
}

function refuseAndClose(
  request: IncomingMessage,
  response: ServerResponse,
  fault: Fault,
  httpStatus?: number,
): void {
  response.shouldKeepAlive = false;
  request.resume();
  refuse(response, fault, httpStatus);
}
