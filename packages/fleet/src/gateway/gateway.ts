import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type Log, SystemClock, UnexpectedErrors } from '@azimuth/device';
import {
  type AllowedNames,
  CrossOrigin,
  HostAndOrigin,
  httpListener,
  isFromThisComputer,
  isGuiPath,
  listen,
  replyForbidden,
  replyJson,
  replyText,
  sendGui,
  urlOf,
} from '@azimuth/server';
import { bodyOf, partOf, Refused, urlAsked } from '../front/asked.js';
import { sendEvents } from '../front/events-stream.js';
import { FrontConnections } from '../front/front-connections.js';
import type { ListedUnit } from '../front/listed-unit.js';
import { sendOverviewPage } from '../front/overview-page.js';
import { isForWebSocket, scannerPathOf, scannersPath } from '../front/scanner-path.js';
import { matcherOf } from '../units/pattern.js';
import { FollowedWorkers } from './followed-workers.js';
import type { KnownScanner, Routes } from './routes.js';
import { sumOf, sumOfMetrics } from './sums.js';
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
  /** Metrics of the gateway itself; by default, the sums over all workers are shown. */
  readonly metrics?: (counts: GatewayCounts) => string;
  /** Why it is not ready to serve, for `/readyz`; undefined if it is. */
  readonly notReady?: () => string | undefined;
}

/** What a gateway has done since it started. */
export interface GatewayCounts {
  readonly requests: number;
  /** Requests of scanners that no worker has answered. */
  readonly failures: number;
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
  readonly #hostAndOrigin: HostAndOrigin;
  readonly #crossOrigin: CrossOrigin | undefined;
  readonly #sockets = new Set<Socket>();
  readonly #counts = { requests: 0, failures: 0 };
  /** Requests that workers have not answered yet. */
  readonly #asking = new Set<Asking>();
  /** WebSockets of scanners. */
  readonly #joined = new Set<Joined>();
  readonly #watching: NodeJS.Timeout;
  readonly #events: FollowedWorkers;
  /** Errors that no request has handled. */
  readonly errors: UnexpectedErrors;
  #url = '';

  constructor(options: GatewayOptions) {
    this.#options = options;
    this.#events = new FollowedWorkers(options.routes, options.connections);
    const message = 'Unexpected error inside the gateway; it continues';
    this.errors = new UnexpectedErrors({ log: options.log, clock: new SystemClock(), message });
    this.#hostAndOrigin = new HostAndOrigin(options.allowed);
    const { origins = [] } = options.allowed ?? {};
    this.#crossOrigin = origins.length === 0 ? undefined : new CrossOrigin(origins);
    this.#watching = setInterval(() => this.#leaveMoved(), watchEvery).unref();
    this.#server = httpListener({}, isForWebSocket);
    new FrontConnections(options.maxConnections).watch(this.#server);
    this.#server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
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
   * The last resort of a process that runs only this gateway: an error that nothing else has handled is logged and counted, and
   * does not end the process. Call it once.
   */
  outliveErrors(): void {
    process.on('uncaughtException', (error) => this.errors.report('process', error));
    process.on('unhandledRejection', (reason) => this.errors.report('process', reason));
  }

  close(): void {
    clearInterval(this.#watching);
    this.#events.close();
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    this.#options.connections.close();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { url = '/' } = request;
    if (url === '/healthz' || url === '/readyz') {
      request.resume();
      const why = url === '/readyz' ? this.#options.notReady?.() : undefined;
      replyText(response, why === undefined ? 200 : 503, why ?? 'ok');
      return;
    }
    const refusal = this.#hostAndOrigin.refusalOf(request);
    if (refusal !== undefined) {
      request.resume();
      replyForbidden(response, refusal.why);
      return;
    }
    this.#crossOrigin?.share(request, response);
    if (this.#crossOrigin?.answersPreflight(request, response) === true) {
      request.resume();
      return;
    }
    const asked = scannerPathOf(url);
    if (asked !== undefined) await this.#forward(asked.serial, request, response);
    else await this.#answer(urlAsked(url), request, response);
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
    const { routes, connections, patience } = this.#options;
    this.#counts.requests++;
    if (!routes.scanners.has(serial)) {
      request.resume();
      replyText(response, 404, 'This fleet has no scanner with this serial number.');
      return;
    }
    const body = await connections.bodyOf(request);
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
        this.#counts.failures++;
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
    this.#counts.failures++;
    request.resume();
    response.setHeader('Retry-After', 1);
    replyText(response, 503, 'No worker runs this scanner now. It is started again as soon as one is free.');
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
    const isForeign = this.#hostAndOrigin.refusalOf(request) !== undefined;
    if (isForeign || asked === undefined || worker === undefined || !(socket instanceof Socket)) {
      const isKnown = asked !== undefined && routes.scanners.has(asked.serial);
      const status = isForeign ? '403 Forbidden' : isKnown ? '503 Service Unavailable' : '404 Not Found';
      socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
      return;
    }
    const joined = { serial: asked.serial, worker, socket };
    this.#joined.add(joined);
    socket.once('close', () => this.#joined.delete(joined));
    connections.upgrade(worker, request, socket, head);
  }

  async #answer(
    { pathname, searchParams }: URL,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const { metrics, gui, routes } = this.#options;
    if (request.method === 'POST' && pathname === '/fleet/power') {
      await this.#power(request, response);
      return;
    }
    request.resume();
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      replyText(response, 405, 'Only GET is answered here, and POST at /fleet/power.');
    } else if (pathname === scannersPath) replyJson(response, 200, await this.#list(searchParams));
    else if (pathname === '/fleet/events') sendEvents(this.#events, searchParams, response);
    else if (pathname === '/metrics') {
      replyText(response, 200, metrics?.(this.#counts) ?? sumOfMetrics(await this.#askAll('/metrics')));
    } else if (pathname === '/' && !searchParams.has('scanners')) {
      const pattern = searchParams.get('q') ?? '';
      const units = await this.#list(new URLSearchParams(pattern === '' ? '' : { q: pattern }));
      sendOverviewPage(response, units, routes.scanners.size, pattern);
    } else if (pathname === '/fleet') replyJson(response, 200, await this.#overview());
    else if (gui !== undefined && isGuiPath(pathname)) await sendGui(gui, pathname, response);
    else
      replyText(
        response,
        404,
        'Nothing is here. /scanners lists the scanners, /scanners/SERIAL/ is one of them.',
      );
  }

  async #overview(): Promise<object> {
    const { routes } = this.#options;
    const sum = sumOf(await this.#askAll('/fleet'));
    return {
      ...sum,
      scanners: routes.scanners.size,
      workers: routes.workers.length,
      uptime: process.uptime(),
    };
  }

  /** The lists of all workers, in the order of the fleet. What no worker runs now has the state `waiting`. */
  async #list(asked: URLSearchParams): Promise<readonly ListedUnit[]> {
    const { routes } = this.#options;
    const pattern = asked.get('q');
    const [group, state] = [asked.get('group'), asked.get('state')];
    const isMeant = pattern === null ? () => true : matcherOf(pattern);
    const chosen = [...routes.scanners.values()].filter(
      (one) => isMeant(one) && (group === null || one.group === group),
    );
    const listed = await this.#listed(pattern);
    const all = chosen.map((one) => listed.get(one.serial) ?? waiting(one, this.#url));
    return partOf(state === null ? all : all.filter((one) => one.state === state), asked);
  }

  async #listed(pattern: string | null): Promise<ReadonlyMap<string, ListedUnit>> {
    const query = pattern === null ? '' : `?q=${encodeURIComponent(pattern)}`;
    const lists = await this.#ask(`${scannersPath}${query}`);
    const listed = new Map<string, ListedUnit>();
    for (const { worker, content } of lists) {
      for (const one of isList(content) ? content : []) {
        // Only this port is known outside, but for ports of the scanner itself.
        const isThere = one.url === worker.url + one.path;
        listed.set(one.serialNumber, isThere ? { ...one, url: this.#url + one.path } : one);
      }
    }
    return listed;
  }

  async #power(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!isFromThisComputer(request)) {
      request.resume();
      replyForbidden(response, 'only programs on the computer of the fleet switch its scanners on and off');
      return;
    }
    const { routes, connections } = this.#options;
    const body = await bodyOf(request);
    const answers = await Promise.all(
      routes.workers.map((worker) => connections.ask(worker, '/fleet/power', body)),
    );
    const done = answers.filter(({ ok }) => ok).map(({ content }) => content);
    const [first] = answers;
    if (done.length > 0) replyJson(response, 200, sumOf(done));
    else replyText(response, first?.status ?? 502, String(first?.content ?? 'no worker answers').trim());
  }

  async #askAll(path: string): Promise<readonly unknown[]> {
    return (await this.#ask(path)).map(({ content }) => content);
  }

  /** The answers of the workers that answer: one that has just ended tells nothing. */
  async #ask(path: string) {
    const { routes, connections } = this.#options;
    const answers = await Promise.all(
      routes.workers.map(async (worker) => {
        const { ok, content } = await connections.ask(worker, path);
        return ok ? [{ worker, content }] : [];
      }),
    );
    return answers.flat();
  }
}

/** A scanner that no worker runs now. */
function waiting({ serial, group, release }: KnownScanner, origin: string): ListedUnit {
  const path = `${scannersPath}/${serial}`;
  return {
    ...{ serialNumber: serial, group, release, path, url: origin + path, state: 'waiting' },
    ports: { http: null, legacyA: null, legacyB: null },
    ...{ requests: 0, telegrams: 0, unsaved: 0, faults: 0 },
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function isList(content: unknown): content is readonly ListedUnit[] {
  return Array.isArray(content);
}
