import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type Log, SystemClock, UnexpectedErrors } from '@azimuth/device';
import {
  type AllowedNames,
  allowLong,
  counter,
  hasLocalRights,
  httpListener,
  isUnwanted,
  listen,
  noteProxy,
  pathOf,
  RequestsInOrder,
  refusalOfBrowser,
  replyText,
  urlOf,
} from '@azimuth/http';
import { isOwnPage, sendOwnPage } from '@azimuth/server/pages';
import { originAsked, Refused } from '../front/asked.js';
import { FleetAnswers } from '../front/fleet-answers.js';
import { FrontConnections } from '../front/front-connections.js';
import { NameCheck } from '../front/name-check.js';
import { type DrainTimes, PortDrain } from '../front/port-drain.js';
import { messageOf, refusals, refuseUpgrade, replyFull } from '../front/refusals.js';
import { isForWebSocket, ownAnswer, type ScannerPath, scannerPathOf } from '../front/scanner-path.js';
import { FleetOfWorkers } from './fleet-of-workers.js';
import { Forwarding } from './forwarding.js';
import type { Routes } from './routes.js';
import type { WorkerConnections } from './worker-connections.js';

export interface GatewayOptions {
  readonly host: string;
  /** 0 for any free one. */
  readonly port: number;
  /** Names of hosts by which it may be called, beside its addresses. */
  readonly allowed?: AllowedNames | undefined;
  readonly maxConnections: number;
  readonly routes: Routes;
  readonly connections: WorkerConnections;
  readonly log: Log;
  /** The folder of the GUI; undefined for none. */
  readonly gui?: string | undefined;
  /** ms that a request waits for a worker to take its scanner over. */
  readonly patience: number;
  /** Bytes of all request bodies that are kept for the next worker, at most. By default, 64 MiB. */
  readonly keptBodies?: number | undefined;
  /** Requests that one worker has not begun to answer, at most. By default, 1024. */
  readonly askedOfWorker?: number | undefined;
  /** ms for which lists and metrics are kept; by default a second. */
  readonly freshFor?: number | undefined;
  /** Its page `/metrics` tells of the gateway alone; by default, of all workers together. */
  readonly hasOwnMetrics?: boolean | undefined;
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
  readonly #drain: PortDrain;
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
      metrics: hasOwnMetrics ? () => this.#metrics() : undefined,
    });
    const message = 'Unexpected error inside the gateway; it continues';
    this.errors = new UnexpectedErrors({ log: options.log, clock: new SystemClock(), message });
    this.#names = new NameCheck(options.allowed);
    this.#answers = new FleetAnswers(options.gui, options.freshFor);
    this.#server = httpListener({}, (request) => isForWebSocket(request) && this.#order.mayUpgrade(request));
    this.#drain = new PortDrain(this.#server);
    this.#clients = new FrontConnections(options.maxConnections);
    this.#clients.watch(this.#server);
    this.#order.watch(this.#server);
    this.#server.on('request', (request, response) => {
      this.#order.note(request, response);
      if (!hasLocalRights(options.allowed)) noteProxy(request);
      this.#drain.take(request, response, () =>
        this.#order.receive(request, response, () => this.#answer(request, response)),
      );
    });
    this.#server.on(
      'upgrade',
      (request, socket, head) => void this.#drain.join(this.#upgrade(request, socket, head)),
    );
  }

  /** Opens the port. @returns its URL @throws PortTaken */
  async open(): Promise<string> {
    const { host, port } = this.#options;
    this.#url = urlOf({ host, port: await listen(this.#server, host, port, '--port') }, 'http');
    return this.#url;
  }

  /**
   * Ends, and loses no request that was sent: for a while it goes on, and asks its clients to use their connections no more. Whoever
   * goes on asks the next gateway.
   */
  async drain(times: DrainTimes): Promise<void> {
    await this.#drain.drain(times, () => this.#answers.endEvents());
    this.close();
  }

  /** Ends at once. What is under way is broken off. */
  close(): void {
    this.#server.close();
    this.#forwarding.close();
    this.#whole.close();
    this.#clients.close();
    this.#options.connections.close();
  }

  #metrics(): string {
    return (
      this.#forwarding.metrics() +
      counter(
        'azimuth_gateway_unexpected_errors_total',
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
      if (url === '/readyz' && this.#drain.isEnding) replyText(response, 503, refusals.ending);
      else replyText(response, 200, 'ok');
      return;
    }
    if (isForProbes) {
      replyFull(request, response);
      return;
    }
    if (!this.#names.admits(request, response)) return;
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
    if (this.#drain.isEnding) {
      refuseUpgrade(socket, 503, refusals.ending, { 'Retry-After': '1' });
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
