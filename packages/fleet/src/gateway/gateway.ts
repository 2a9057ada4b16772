import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { type Log, SystemClock, UnexpectedErrors } from '@azimuth/device';
import { type AllowedNames, httpListener, listen, replyText, urlOf } from '@azimuth/server';
import { Refused } from '../front/asked.js';
import { FrontConnections } from '../front/front-connections.js';
import { metricText } from '../front/metric-text.js';
import { NameCheck } from '../front/name-check.js';
import { refusals, refuseUpgrade } from '../front/refusals.js';
import { isForWebSocket, scannerPathOf } from '../front/scanner-path.js';
import { answerForFleet } from '../front/whole-fleet.js';
import { FleetOfWorkers } from './fleet-of-workers.js';
import type { Routes } from './routes.js';
import { type WorkerAddress, type WorkerConnections, WorkerFailure } from './worker-connections.js';

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
  /** Its page `/metrics` tells of the gateway alone; by default, of all workers together. */
  readonly hasOwnMetrics?: boolean;
}

/** A request that a worker has not answered yet. */
interface Asking {
  readonly serial: string;
  readonly worker: WorkerAddress;
  readonly moved: AbortController;
}

/** A WebSocket, and the worker that has it. */
interface Joined {
  readonly serial: string;
  readonly worker: WorkerAddress;
  readonly socket: Socket;
}

/** ms between two looks whether a scanner has moved while its worker was asked. */
const watchEvery = 500;

/**
 * The port of a fleet whose scanners run in several processes: it forwards what is asked of a scanner to the worker that has it,
 * and asks all workers about the whole.
 */
export class Gateway {
  readonly #options: GatewayOptions;
  readonly #server: Server;
  readonly #names: NameCheck;
  readonly #clients: FrontConnections;
  #requests = 0;
  /** Requests of scanners that no worker has answered. */
  #failures = 0;
  /** Requests that workers have not answered yet. */
  readonly #asking = new Set<Asking>();
  /** Requests of scanners that are not answered yet, also while they wait for a worker. */
  readonly #forwarding = new Set<Promise<void>>();
  #isEnding = false;
  /** WebSockets of scanners. */
  readonly #joined = new Set<Joined>();
  readonly #watching: NodeJS.Timeout;
  readonly #whole: FleetOfWorkers;
  /** Errors that no request has handled. */
  readonly errors: UnexpectedErrors;
  #url = '';

  constructor(options: GatewayOptions) {
    this.#options = options;
    const { routes, connections, hasOwnMetrics = false } = options;
    this.#whole = new FleetOfWorkers({
      routes,
      connections,
      origin: () => this.#url,
      ...(hasOwnMetrics ? { metrics: () => this.#metrics() } : {}),
    });
    const message = 'Unexpected error inside the gateway; it continues';
    this.errors = new UnexpectedErrors({ log: options.log, clock: new SystemClock(), message });
    this.#names = new NameCheck(options.allowed);
    this.#watching = setInterval(() => this.#leaveMoved(), watchEvery).unref();
    this.#server = httpListener({}, isForWebSocket);
    this.#clients = new FrontConnections(options.maxConnections);
    this.#clients.watch(this.#server);
    this.#server.on('request', (request, response) => {
      this.#serve(request, response).catch((error: unknown) => {
        if (response.headersSent) response.destroy();
        else replyText(response, error instanceof Refused ? 400 : 502, messageOf(error));
      });
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
      const over = new AbortController();
      const limit = pause(drain, undefined, { signal: over.signal }).catch(() => undefined);
      await Promise.race([this.#allAnswered(), limit]);
      over.abort();
    }
    clearInterval(this.#watching);
    this.#whole.close();
    this.#clients.close();
    this.#options.connections.close();
  }

  /** Also those that come meanwhile over connections which were in use. They are the last ones there. */
  async #allAnswered(): Promise<void> {
    while (this.#forwarding.size > 0) await Promise.all(this.#forwarding);
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { url = '/' } = request;
    // It listens only once it knows who runs what.
    if (url === '/healthz' || url === '/readyz') {
      request.resume();
      replyText(response, 200, 'ok');
      return;
    }
    if (!this.#names.admits(request, response)) return;
    // Whoever goes on asks the next gateway.
    if (this.#isEnding) response.setHeader('Connection', 'close');
    const asked = scannerPathOf(url);
    if (asked !== undefined) await this.#noted(this.#forward(asked.serial, request, response));
    else await answerForFleet(this.#whole, this.#options.gui, request, response);
  }

  /** A request that is waited for at the end. */
  async #noted(forwarded: Promise<void>): Promise<void> {
    const settled = forwarded.catch(() => undefined).finally(() => this.#forwarding.delete(settled));
    this.#forwarding.add(settled);
    return forwarded;
  }

  /** A worker that is paused, or has lost its network, would be silent for long: its scanners may be others' by now. */
  #leaveMoved(): void {
    const isMoved = ({ serial, worker }: { readonly serial: string; readonly worker: WorkerAddress }) => {
      const now = this.#options.routes.workerOf(serial);
      return now !== undefined && now.url !== worker.url;
    };
    for (const asking of this.#asking) if (isMoved(asking)) asking.moved.abort();
    // As when the power of the scanner fails: its client connects again.
    for (const joined of this.#joined) if (isMoved(joined)) joined.socket.destroy();
  }

  /** A scanner may be moving from one worker to another: the request waits for the one that takes it. */
  async #forward(serial: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { routes, connections } = this.#options;
    this.#requests++;
    if (!routes.scanners.has(serial)) {
      request.resume();
      replyText(response, 404, refusals.unknown);
      return;
    }
    await connections.withBody(request, (body) => this.#forwardWith(body, serial, request, response));
  }

  async #forwardWith(
    body: Buffer | undefined,
    serial: string,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const { routes, connections, patience } = this.#options;
    const until = performance.now() + patience;
    for (;;) {
      const worker = routes.workerOf(serial);
      const asking = worker === undefined ? undefined : { serial, worker, moved: new AbortController() };
      try {
        if (asking !== undefined) {
          this.#asking.add(asking);
          const { moved } = asking;
          if (await connections.send(asking.worker, request, body, response, moved.signal)) return;
        }
      } catch (error) {
        if (!(error instanceof WorkerFailure)) throw error;
        this.#failures++;
        request.resume();
        if (!response.headersSent)
          replyText(response, 502, `The worker of this scanner has not answered: ${error.message}`);
        return;
      } finally {
        if (asking !== undefined) this.#asking.delete(asking);
      }
      // A body that was not kept is on its way to nowhere.
      if (body === undefined || response.destroyed || performance.now() > until) break;
      await routes.look();
    }
    this.#failures++;
    request.resume();
    response.setHeader('Retry-After', 1);
    replyText(response, 503, refusals.waiting);
  }

  #metrics(): string {
    return (
      metricText('azimuth_gateway_requests_total', 'counter', 'Requests of scanners.', this.#requests) +
      metricText(
        'azimuth_gateway_failures_total',
        'counter',
        'Requests that no worker has answered.',
        this.#failures,
      )
    );
  }

  async #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    socket.on('error', () => socket.destroy());
    if (socket.destroyed || !isForWebSocket(request)) {
      // Node calls this, too, for what it has read of a connection that has ended.
      socket.destroy();
      return;
    }
    const { routes, connections } = this.#options;
    const asked = scannerPathOf(request.url ?? '');
    const worker = asked === undefined ? undefined : routes.workerOf(asked.serial);
    const foreign = this.#names.refusalOf(request);
    if (foreign !== undefined || asked === undefined || worker === undefined || !(socket instanceof Socket)) {
      const isKnown = asked !== undefined && routes.scanners.has(asked.serial);
      if (foreign !== undefined) refuseUpgrade(socket, 403, foreign);
      else if (isKnown) refuseUpgrade(socket, 503, refusals.waiting);
      else refuseUpgrade(socket, 404, refusals.unknown);
      return;
    }
    const joined = { serial: asked.serial, worker, socket };
    this.#joined.add(joined);
    socket.once('close', () => this.#joined.delete(joined));
    connections.upgrade(worker, request, socket, head);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
