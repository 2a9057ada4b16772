import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Log } from '@azimuth/device';
import {
  counter,
  gauge,
  type Metric,
  memoryMetrics,
  type RequestContext,
  refuseUpgrade,
  respondText,
} from '@azimuth/http';
import { messageOf, refusals } from '../port/refusals.js';
import { scannersPath } from '../port/scanner-path.js';
import { BufferedBodies } from './buffered-bodies.js';
import { PendingRequests } from './pending-requests.js';
import { type Routes, WorkerAttempts } from './routes.js';
import type { WorkerAddress, WorkerConnections } from './worker-connections.js';
import {
  ConnectionLost,
  type Exchange,
  exchange,
  KeyRefused,
  upgrade,
  WorkerFailure,
} from './worker-exchange.js';

/** A running exchange with a worker: a request without a response yet, or a WebSocket. */
interface RunningExchange {
  readonly serial: string;
  readonly worker: WorkerAddress;
  /** Ends it: another worker has the scanner. */
  readonly abandon: () => void;
}

/** ms until a worker must show that it is alive. */
const probeTimeout = 2000;

/** ms between two checks whether a scanner has moved. */
const watchInterval = 500;

interface Options {
  readonly routes: Routes;
  readonly connections: WorkerConnections;
  /** ms that a request waits for a worker to acquire its scanner. */
  readonly patience: number;
  readonly log: Log;
  /** Largest number of bytes of all bodies that are buffered for the next worker. By default, 64 MiB. */
  readonly bufferedBytes?: number;
  /** Largest number of requests to one worker without a response. By default, 1024. */
  readonly pendingPerWorker?: number;
}

/** Forwards requests for scanners to the workers that have them, also while scanners move from one worker to another. */
export class Forwarding {
  readonly #options: Options;
  readonly #bodies: BufferedBodies;
  readonly #pending: PendingRequests;
  #requests = 0;
  /** Number of requests that no worker has answered. */
  #failures = 0;
  readonly #running = new Set<RunningExchange>();
  /** Exchanges that had to be abandoned at the last check. */
  #moved: ReadonlySet<RunningExchange> = new Set();
  /** Workers that do not accept the key of this gateway, by their URLs. */
  readonly #refusing = new Set<string>();
  readonly #watching: NodeJS.Timeout;

  constructor(options: Options) {
    this.#options = options;
    this.#bodies = new BufferedBodies(options.bufferedBytes);
    this.#pending = new PendingRequests(options.pendingPerWorker);
    this.#watching = setInterval(() => this.#abandonMoved(), watchInterval).unref();
  }

  /** Responds to a request of a scanner. */
  async respond(serial: string, context: RequestContext, response: ServerResponse): Promise<void> {
    const { request } = context;
    this.#requests++;
    if (!this.#options.routes.scanners.has(serial)) {
      respondText(response, 404, refusals.unknown);
      return;
    }
    await this.#bodies.withBody(request, (body) => this.#respondWith(body, serial, context, response));
  }

  /** Makes a connection a WebSocket of a scanner, or refuses it. It waits like a request. */
  async upgrade(serial: string, context: RequestContext, socket: Socket, head: Buffer): Promise<void> {
    const { routes, connections } = this.#options;
    if (!routes.scanners.has(serial)) {
      refuseUpgrade(socket, 404, refusals.unknown);
      return;
    }
    let why = refusals.waiting;
    const attempts = this.#attemptsAt(serial);
    do {
      const worker = attempts.next();
      if (worker === 'later') continue;
      if (socket.destroyed) return;
      if (worker === undefined) {
        why = refusals.waiting;
        continue;
      }
      const release = this.#pending.begin(worker, socket);
      if (release === undefined) {
        refuseUpgrade(socket, 503, refusals.busy, ['Retry-After', '1']);
        return;
      }
      const { refusal, abandon } = upgrade(connections, worker, context, socket, head);
      const joined = { serial, worker, abandon };
      this.#running.add(joined);
      const forget = () => void this.#running.delete(joined);
      socket.once('close', forget);
      try {
        const refused = await refusal;
        if (refused === undefined) return;
        why = refused;
      } catch (error) {
        const again = await this.#refusalOf(error, { serial, worker }, socket);
        if (again === undefined) {
          if (!socket.destroyed) refuseUpgrade(socket, 502, noResponse(error));
          return;
        }
        why = again;
      } finally {
        release();
      }
      socket.off('close', forget);
      forget();
    } while (await attempts.mayGoOn());
    if (!socket.destroyed) refuseUpgrade(socket, 503, why);
  }

  /**
   * Handles the refusal of a worker. If the worker is alive and still has the scanner, the scanner has reset the connection,
   * as by a planned fault or a reboot. The client then sees the same.
   * @returns the reason to try the next worker; undefined if there is none
   */
  async #refusalOf(
    error: unknown,
    { serial, worker }: Omit<RunningExchange, 'abandon'>,
    client: Socket,
  ): Promise<string | undefined> {
    if (!(error instanceof WorkerFailure)) throw error;
    if (error instanceof KeyRefused) this.#logKeyRefused(worker);
    if (!(error instanceof ConnectionLost)) return undefined;
    if (!(await this.#runs(worker, serial))) return error.retryReason;
    if (error.isReset) client.resetAndDestroy();
    else client.destroy();
    return undefined;
  }

  /** True if the worker is alive, and has the scanner. */
  async #runs(worker: WorkerAddress, serial: string): Promise<boolean> {
    const { content } = await this.#options.connections.query(
      worker,
      `${scannersPath}?serials=${encodeURIComponent(serial)}`,
      undefined,
      probeTimeout,
    );
    return Array.isArray(content) && content.length > 0;
  }

  #logKeyRefused({ url }: WorkerAddress): void {
    if (this.#refusing.has(url)) return;
    this.#refusing.add(url);
    this.#options.log.error('A worker does not accept the key of this gateway', { worker: url });
  }

  #attemptsAt(serial: string): WorkerAttempts {
    const { routes, patience } = this.#options;
    return new WorkerAttempts(routes, serial, patience);
  }

  metrics(): readonly Metric[] {
    return [
      counter('azimuth_gateway_requests_total', 'Requests of scanners.', this.#requests),
      counter('azimuth_gateway_failures_total', 'Requests that no worker has answered.', this.#failures),
      gauge('azimuth_gateway_scanners_waiting', 'Scanners that no worker runs now.', this.#waitingScanners),
      ...memoryMetrics(),
    ];
  }

  close(): void {
    clearInterval(this.#watching);
  }

  get #waitingScanners(): number {
    const { routes } = this.#options;
    let count = 0;
    for (const serial of routes.scanners.keys()) if (routes.workerOf(serial) === undefined) count++;
    return count;
  }

  async #respondWith(
    body: Buffer | undefined,
    serial: string,
    context: RequestContext,
    response: ServerResponse,
  ): Promise<void> {
    const { request } = context;
    let why = refusals.waiting;
    const attempts = this.#attemptsAt(serial);
    do {
      const worker = attempts.next();
      if (worker === 'later') continue;
      if (worker === undefined) why = refusals.waiting;
      else {
        const release = this.#pending.begin(worker, request.socket);
        if (release === undefined) {
          why = refusals.busy;
          break;
        }
        try {
          const refused = await this.#exchange(
            { serial, worker },
            { context, body, response, responding: release },
          );
          if (refused === undefined) return;
          why = refused;
        } catch (error) {
          const again = await this.#refusalOf(error, { serial, worker }, request.socket);
          if (again === undefined) {
            this.#failures++;
            request.resume();
            if (!response.headersSent) respondText(response, 502, noResponse(error));
            return;
          }
          why = again;
        } finally {
          release();
        }
      }
      // A body that was not buffered has been sent to a worker that is gone.
      if (body === undefined || response.destroyed) break;
    } while (await attempts.mayGoOn());
    this.#failures++;
    request.resume();
    // In between, a worker may have found a mistake in the request itself.
    if (response.headersSent) return;
    response.setHeader('Retry-After', 1);
    respondText(response, 503, why);
  }

  /** Forwards a request. @returns the reason if there is no response; undefined if the client has its response */
  async #exchange(
    { serial, worker }: Omit<RunningExchange, 'abandon'>,
    request: Exchange,
  ): Promise<string | undefined> {
    const { refusal, abandon } = exchange(this.#options.connections, worker, request);
    const running = { serial, worker, abandon };
    this.#running.add(running);
    try {
      return await refusal;
    } finally {
      this.#running.delete(running);
    }
  }

  /**
   * Abandons exchanges with workers that have no lease at two successive checks, if another worker has the scanner. Such a
   * worker may be paused, or cut off. A worker that has just given its last shard away has responded by the second check. A
   * worker with leases is alive, and responds.
   */
  #abandonMoved(): void {
    const { routes } = this.#options;
    const living = new Set(routes.workers.map(({ url }) => url));
    const moved = [...this.#running].filter(({ serial, worker }) => {
      const now = routes.workerOf(serial);
      return now !== undefined && now.url !== worker.url && !living.has(worker.url);
    });
    for (const one of moved) if (this.#moved.has(one)) one.abandon();
    for (const url of this.#refusing) if (!living.has(url)) this.#refusing.delete(url);
    this.#moved = new Set(moved);
  }
}

function noResponse(error: unknown): string {
  return error instanceof KeyRefused
    ? error.message
    : `The worker of this scanner has not answered: ${messageOf(error)}`;
}
