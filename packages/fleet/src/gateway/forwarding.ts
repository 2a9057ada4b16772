import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { replyText } from '@azimuth/server';
import { memoryMetrics, metricText } from '../front/metric-text.js';
import { refusals, refuseUpgrade } from '../front/refusals.js';
import { within } from '../within.js';
import { KeptBodies } from './kept-bodies.js';
import type { Routes } from './routes.js';
import { Tries } from './tries.js';
import type { WorkerAddress, WorkerConnections } from './worker-connections.js';
import { exchange, upgrade, WorkerFailure } from './worker-exchange.js';

/** What is under way with a worker: a request that it has not answered yet, or a WebSocket. */
interface UnderWay {
  readonly serial: string;
  readonly worker: WorkerAddress;
  /** Ends it: another worker has the scanner. */
  readonly leave: () => void;
}

/** ms between two looks whether a scanner has moved meanwhile. */
const watchEvery = 500;

interface Options {
  readonly routes: Routes;
  readonly connections: WorkerConnections;
  /** ms that a request waits for a worker to take its scanner over. */
  readonly patience: number;
  /** Bytes of all bodies that are kept for the next worker, at most. By default, 64 MiB. */
  readonly keptBodies?: number;
}

/** Takes what is asked of scanners to the workers that have them, also while they move from one to another. */
export class Forwarding {
  readonly #options: Options;
  readonly #bodies: KeptBodies;
  #requests = 0;
  /** Requests that no worker has answered. */
  #failures = 0;
  readonly #underWay = new Set<UnderWay>();
  /** Those of them that were to be left at the last look. */
  #moved: ReadonlySet<UnderWay> = new Set();
  /** Requests that are not answered yet, also while they wait for a worker. */
  readonly #open = new Set<Promise<void>>();
  readonly #watching: NodeJS.Timeout;

  constructor(options: Options) {
    this.#options = options;
    this.#bodies = new KeptBodies(options.keptBodies);
    this.#watching = setInterval(() => this.#leaveMoved(), watchEvery).unref();
  }

  /** Answers a request of a scanner. */
  answer(serial: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const answered = this.#answer(serial, request, response);
    const settled = answered.catch(() => undefined).finally(() => this.#open.delete(settled));
    this.#open.add(settled);
    return answered;
  }

  /** Makes a connection a WebSocket of a scanner, or refuses it. It waits as a request does. */
  async upgrade(serial: string, request: IncomingMessage, socket: Socket, head: Buffer): Promise<void> {
    const { routes, connections, patience } = this.#options;
    if (!routes.scanners.has(serial)) {
      refuseUpgrade(socket, 404, refusals.unknown);
      return;
    }
    const until = performance.now() + patience;
    const tries = new Tries();
    let why = refusals.waiting;
    while (!socket.destroyed) {
      const worker = routes.workerOf(serial);
      if (worker === undefined) why = refusals.waiting;
      else if (tries.begin(worker)) {
        const { unanswered, leave } = upgrade(connections, worker, request, socket, head);
        const joined = { serial, worker, leave };
        this.#underWay.add(joined);
        const forget = () => void this.#underWay.delete(joined);
        socket.once('close', forget);
        const refused = await unanswered;
        if (refused === undefined) return;
        why = refused;
        socket.off('close', forget);
        forget();
      }
      if (performance.now() > until) break;
      // A database that is silent is waited for no longer.
      await within(until - performance.now(), routes.look());
    }
    if (!socket.destroyed) refuseUpgrade(socket, 503, why);
  }

  /** Fulfilled when all requests are answered, also those that come meanwhile over connections which were in use. */
  async allAnswered(): Promise<void> {
    while (this.#open.size > 0) await Promise.all(this.#open);
  }

  /** In the text format of Prometheus. */
  metrics(): string {
    return (
      metricText('azimuth_gateway_requests_total', 'counter', 'Requests of scanners.', this.#requests) +
      metricText(
        'azimuth_gateway_failures_total',
        'counter',
        'Requests that no worker has answered.',
        this.#failures,
      ) +
      memoryMetrics()
    );
  }

  close(): void {
    clearInterval(this.#watching);
  }

  async #answer(serial: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.#requests++;
    if (!this.#options.routes.scanners.has(serial)) {
      request.resume();
      replyText(response, 404, refusals.unknown);
      return;
    }
    await this.#bodies.withBody(request, (body) => this.#answerWith(body, serial, request, response));
  }

  /** A scanner may be moving from one worker to another: the request waits for the one that takes it. */
  async #answerWith(
    body: Buffer | undefined,
    serial: string,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const { routes, patience } = this.#options;
    const until = performance.now() + patience;
    const tries = new Tries();
    let why = refusals.waiting;
    for (;;) {
      const worker = routes.workerOf(serial);
      try {
        if (worker === undefined) why = refusals.waiting;
        else if (tries.begin(worker)) {
          const unanswered = await this.#ask({ serial, worker }, body, request, response);
          if (unanswered === undefined) return;
          why = unanswered;
        }
      } catch (error) {
        if (!(error instanceof WorkerFailure)) throw error;
        this.#failures++;
        request.resume();
        if (!response.headersSent)
          replyText(response, 502, `The worker of this scanner has not answered: ${error.message}`);
        return;
      }
      // A body that was not kept is on its way to nowhere.
      if (body === undefined || response.destroyed || performance.now() > until) break;
      // A database that is silent is waited for no longer.
      await within(until - performance.now(), routes.look());
    }
    this.#failures++;
    request.resume();
    response.setHeader('Retry-After', 1);
    replyText(response, 503, why);
  }

  /** @returns why nothing was answered; undefined if it was */
  async #ask(
    { serial, worker }: Omit<UnderWay, 'leave'>,
    body: Buffer | undefined,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<string | undefined> {
    const { unanswered, leave } = exchange(this.#options.connections, worker, { request, body, response });
    const asking = { serial, worker, leave };
    this.#underWay.add(asking);
    try {
      return await unanswered;
    } finally {
      this.#underWay.delete(asking);
    }
  }

  /**
   * A worker without any lease may be paused, or cut off: others have its scanners. A worker with leases lives, and answers. One
   * that has just given its last shard away has answered by the next look.
   */
  #leaveMoved(): void {
    const { routes } = this.#options;
    const living = new Set(routes.workers.map(({ url }) => url));
    const moved = [...this.#underWay].filter(({ serial, worker }) => {
      const now = routes.workerOf(serial);
      return now !== undefined && now.url !== worker.url && !living.has(worker.url);
    });
    for (const one of moved) if (this.#moved.has(one)) one.leave();
    this.#moved = new Set(moved);
  }
}
