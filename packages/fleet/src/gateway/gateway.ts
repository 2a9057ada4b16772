import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type Log, SystemClock, UnexpectedErrors } from '@azimuth/device';
import {
  counter,
  type DrainTimes,
  pathOf,
  prometheusText,
  type RequestContext,
  refuseUpgrade,
  respondText,
} from '@azimuth/http';
import { isOwnPage, sendOwnPage } from '@azimuth/server/pages';
import { originAsked, Refused } from '../port/asked.js';
import { FleetAnswers } from '../port/fleet-answers.js';
import { FleetListener, type FleetListenerOptions } from '../port/fleet-listener.js';
import { messageOf, refusals } from '../port/refusals.js';
import { ownAnswer, type ScannerPath, scannerPathOf } from '../port/scanner-path.js';
import { FleetOfWorkers } from './fleet-of-workers.js';
import { Forwarding } from './forwarding.js';
import type { Routes } from './routes.js';
import type { WorkerConnections } from './worker-connections.js';

export interface GatewayOptions extends Omit<FleetListenerOptions, 'tls'> {
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
  readonly #port: FleetListener;
  readonly #answers: FleetAnswers;
  readonly #forwarding: Forwarding;
  readonly #whole: FleetOfWorkers;
  /** Errors that no request has handled. */
  readonly errors: UnexpectedErrors;

  constructor(options: GatewayOptions) {
    this.#options = options;
    const { routes, connections, freshFor, hasOwnMetrics = false } = options;
    this.#forwarding = new Forwarding(options);
    this.#whole = new FleetOfWorkers({
      ...{ routes, connections, freshFor },
      metrics: hasOwnMetrics ? () => this.#metrics() : undefined,
    });
    const message = 'Unexpected error inside the gateway; it continues';
    this.errors = new UnexpectedErrors({ log: options.log, clock: new SystemClock(), message });
    this.#answers = new FleetAnswers(options.gui, freshFor);
    this.#port = new FleetListener(options, {
      errors: this.errors,
      // It listens only once it knows who runs what.
      notReady: () => undefined,
      serve: (context, response) => context.respondInTurn(response, () => this.#answer(context, response)),
      upgrade: (context, socket, head) => this.#upgrade(context, socket, head),
      ended: () => this.#answers.endEvents(),
      checksUpgrades: true,
    });
  }

  /** Opens the port. @returns its URL @throws PortTaken */
  open(): Promise<string> {
    return this.#port.open();
  }

  /** Ends, and loses no request that was sent: whoever goes on asks the next gateway. */
  async drain(times: DrainTimes): Promise<void> {
    await this.#port.drain(times);
    this.close();
  }

  /** Ends at once. What is under way is broken off. */
  close(): void {
    this.#port.close();
    this.#forwarding.close();
    this.#whole.close();
    this.#options.connections.close();
  }

  #metrics(): Promise<string> {
    return prometheusText([
      ...this.#forwarding.metrics(),
      counter(
        'azimuth_gateway_unexpected_errors_total',
        'Errors that no request has handled.',
        this.errors.counts.total,
      ),
    ]);
  }

  #answer(context: RequestContext, response: ServerResponse): void {
    this.#serve(context, response).catch((error: unknown) => {
      respondText(response, error instanceof Refused ? 400 : 502, messageOf(error));
    });
  }

  async #serve(context: RequestContext, response: ServerResponse): Promise<void> {
    if (!this.#port.admits(context, response)) return;
    const { request } = context;
    const asked = scannerPathOf(request.url ?? '/');
    if (asked === undefined)
      await this.#answers.answer(this.#whole, context, response, originAsked(request) ?? this.#port.url);
    else if (!this.#options.routes.scanners.has(asked.serial)) {
      request.resume();
      respondText(response, 404, refusals.unknown);
    } else {
      const own = ownAnswer(asked, request, response);
      if (own === undefined) await this.#forward(asked, context, response);
      else own();
    }
  }

  /** Pages are those of this program: what a scanner sends is data. */
  async #forward(
    { serial, target }: ScannerPath,
    context: RequestContext,
    response: ServerResponse,
  ): Promise<void> {
    const { request } = context;
    const path = pathOf(target);
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (isRead && isOwnPage(path)) {
      request.resume();
      await sendOwnPage(this.#options.gui, path, response);
    } else {
      // The scanner says how long an upload may take.
      context.allowLong();
      await this.#forwarding.answer(serial, context, response);
    }
  }

  async #upgrade(context: RequestContext, socket: Socket, head: Buffer): Promise<void> {
    const asked = scannerPathOf(context.request.url ?? '');
    if (asked === undefined) refuseUpgrade(socket, 404, refusals.noWebSocket);
    else await this.#forwarding.upgrade(asked.serial, context, socket, head);
  }
}
