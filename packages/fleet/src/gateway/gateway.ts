import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type Log, SystemClock, UnexpectedErrors } from '@azimuth/device';
import {
  type AllowedNames,
  allowLong,
  hasLocalRights,
  httpListener,
  isOwnPage,
  isUnwanted,
  listen,
  noteProxy,
  pathOf,
  RequestsInOrder,
  refusalOfBrowser,
  replyText,
  sendOwnPage,
  urlOf,
} from '@azimuth/server';
import { originAsked, Refused } from '../front/asked.js';
import { FleetAnswers } from '../front/fleet-answers.js';
import { FrontConnections } from '../front/front-connections.js';
import { metricText } from '../front/metric-text.js';
import { NameCheck } from '../front/name-check.js';
import { messageOf, refusals, refuseUpgrade, replyFull } from '../front/refusals.js';
import { isForWebSocket, ownAnswer, type ScannerPath, scannerPathOf } from '../front/scanner-path.js';
import { within } from '../within.js';
import { FleetOfWorkers } from './fleet-of-workers.js';
import { Forwarding } from './forwarding.js';
import type { Routes } from './routes.js';
import type { WorkerConnections } from './worker-connections.js';

export interface GatewayOptions {
  readonly host: string;
  /** 0 for any free one. */
  readonly port: number;
  /** Names of hosts by which it may be called, beside its addresses. */
  readonly allowed?: AllowedNames;
  readonly maxConnections: number;
  readonly routes: Routes;
  readonly connections: WorkerConnections;
  readonly log: Log;
  /** The folder of the GUI; undefined for none. */
  readonly gui?: string;
  /** ms that a request waits for a worker to take its scanner over. */
  readonly patience: number;
  /** Bytes of all request bodies that are kept for the next worker, at most. By default, 64 MiB. */
  readonly keptBodies?: number;
  /** Requests that one worker has not begun to answer, at most. By default, 1024. */
  readonly askedOfWorker?: number;
  /** ms for which lists and metrics are kept; by default a second. */
  readonly freshFor?: number;
  /** Its page `/metrics` tells of the gateway alone; by default, of all workers together. */
  readonly hasOwnMetrics?: boolean;
}

/**
 * The port of a fleet whose scanners run in several processes: it forwards what is asked of a scanner to the worker that has it,
 * and asks all workers about the whole.
 */
export class Gateway {
  readonly #options: GatewayOptions;
  readonly #server: Server;
  readonly #names: NameCheck;
  readonly #clients: FrontConnections;
  readonly #order = new RequestsInOrder((error) => this.errors.report('http', error));
  readonly #answers: FleetAnswers;
  #isEnding = false;
  readonly #forwarding: Forwarding;
  readonly #whole: FleetOfWorkers;
  /** Errors that no request has handled. */
  readonly errors: UnexpectedErrors;
  #url = '';

  constructor(options: GatewayOptions) {
    this.#options = options;
    const { routes, connections, hasOwnMetrics = false } = options;
    this.#forwarding = new Forwarding(options);
    this.#whole = new FleetOfWorkers({
      routes,
      connections,
      freshFor: options.freshFor,
      ...(hasOwnMetrics ? { metrics: () => this.#metrics() } : {}),
    });
    const message = 'Unexpected error inside the gateway; it continues';
    this.errors = new UnexpectedErrors({ log: options.log, clock: new SystemClock(), message });
    this.#names = new NameCheck(options.allowed);
    this.#answers = new FleetAnswers(options.gui, options.freshFor);
    this.#server = httpListener({}, (request) => isForWebSocket(request) && this.#order.mayUpgrade(request));
    this.#clients = new FrontConnections(options.maxConnections);
    this.#clients.watch(this.#server);
    this.#order.watch(this.#server);
    this.#server.on('request', (request, response) => {
      this.#order.note(request, response);
      if (!hasLocalRights(options.allowed)) noteProxy(request);
      this.#order.receive(request, response, () => this.#answer(request, response));
    });
    this.#server.on('upgrade', (request, socket, head) => void this.#upgrade(request, socket, head));
  }

  /** Opens the port. @returns its URL @throws PortTaken */
  async open(): Promise<string> {
    const { host, port } = this.#options;
    this.#url = urlOf({ host, port: await listen(this.#server, host, port, '--port') }, 'http');
    return this.#url;
  }

  /**
   * Takes no further connections, and ends.
   * @param drain ms that requests of scanners which are being answered may take; by default, they are broken off
   */
  async close(drain = 0): Promise<void> {
    this.#isEnding = true;
    this.#server.close();
    if (drain > 0) {
      this.#clients.closeUnused();
      await within(drain, this.#forwarding.allAnswered());
    }
    this.#forwarding.close();
    this.#whole.close();
    this.#clients.close();
    this.#options.connections.close();
  }

  #metrics(): string {
    return (
      this.#forwarding.metrics() +
      metricText(
        'azimuth_gateway_unexpected_errors_total',
        'counter',
        'Errors that no request has handled.',
        this.errors.counts.total,
      )
    );
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    this.#serve(request, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else replyText(response, error instanceof Refused ? 400 : 502, messageOf(error));
    });
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { url = '/' } = request;
    const isForProbes = this.#clients.isForProbes(request.socket);
    if (isForProbes) response.shouldKeepAlive = false;
    // It listens only once it knows who runs what.
    if (url === '/healthz' || url === '/readyz') {
      request.resume();
      replyText(response, 200, 'ok');
      return;
    }
    if (isForProbes) {
      replyFull(request, response);
      return;
    }
    if (!this.#names.admits(request, response)) return;
    // Whoever goes on asks the next gateway.
    if (this.#isEnding) response.shouldKeepAlive = false;
    const asked = scannerPathOf(url);
    if (asked === undefined)
      await this.#answers.answer(this.#whole, request, response, originAsked(request) ?? this.#url);
    else if (!this.#options.routes.scanners.has(asked.serial)) {
      request.resume();
      replyText(response, 404, refusals.unknown);
    } else {
      const own = ownAnswer(asked, request, response);
      if (own === undefined) await this.#forward(asked, request, response);
      else own();
    }
  }

  /** Pages are those of this program: what a scanner sends is data. */
  async #forward(
    { serial, target }: ScannerPath,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const path = pathOf(target);
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (isRead && isOwnPage(path)) {
      request.resume();
      await sendOwnPage(this.#options.gui, path, response);
    } else {
      // The scanner says how long an upload may take.
      allowLong(request);
      await this.#forwarding.answer(serial, request, response);
    }
  }

  async #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    socket.on('error', () => socket.destroy());
    // Node calls this, too, for requests that follow a last answer, and for what it has read of a connection that has ended.
    if (isUnwanted(socket)) return;
    if (this.#clients.isForProbes(socket)) {
      refuseUpgrade(socket, 503, refusals.full, { 'Retry-After': '1' });
      return;
    }
    if (!isForWebSocket(request)) {
      socket.destroy();
      return;
    }
    const foreign = this.#names.refusalOf(request) ?? refusalOfBrowser(request);
    const asked = scannerPathOf(request.url ?? '');
    if (foreign !== undefined) refuseUpgrade(socket, 403, foreign);
    else if (asked === undefined) refuseUpgrade(socket, 404, refusals.noWebSocket);
    else if (socket instanceof Socket) await this.#forwarding.upgrade(asked.serial, request, socket, head);
    else socket.destroy();
  }
}
