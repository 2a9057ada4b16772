import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type Log, SystemClock } from '@azimuth/device';
import { UnexpectedErrors } from '@azimuth/device/reports';
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
import { FleetListener, type FleetListenerOptions } from '../port/fleet-listener.js';
import { BadFleetRequest, requestOrigin } from '../port/fleet-requests.js';
import { FleetResponses } from '../port/fleet-responses.js';
import { messageOf, refusals } from '../port/refusals.js';
import { portResponse, type ScannerPath, scannerPathOf } from '../port/scanner-path.js';
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
  /** ms that a request waits for a worker to acquire its scanner. */
  readonly patience: number;
  /** Largest number of bytes of all request bodies that are buffered for the next worker. By default, 64 MiB. */
  readonly bufferedBytes?: number | undefined;
  /** Largest number of requests to one worker without a response. By default, 1024. */
  readonly pendingPerWorker?: number | undefined;
  /** ms for which lists and metrics are cached; by default a second. */
  readonly freshFor?: number | undefined;
  /** True: its page `/metrics` has only its own metrics. By default, it has those of all workers together. */
  readonly hasOwnMetrics?: boolean | undefined;
}

/**
 * The port of a fleet whose scanners run in several processes. It forwards a request for a scanner to its worker, and a
 * request about the fleet to all workers.
 */
export class Gateway {
  readonly #options: GatewayOptions;
  readonly #port: FleetListener;
  readonly #responses: FleetResponses;
  readonly #forwarding: Forwarding;
  readonly #fleet: FleetOfWorkers;
  /** Errors that no request has handled. */
  readonly errors: UnexpectedErrors;

  constructor(options: GatewayOptions) {
    this.#options = options;
    const { routes, connections, freshFor, hasOwnMetrics = false } = options;
    this.#forwarding = new Forwarding(options);
    this.#fleet = new FleetOfWorkers({
      ...{ routes, connections, freshFor },
      metrics: hasOwnMetrics ? () => this.#metrics() : undefined,
    });
    const message = 'Unexpected error inside the gateway; it continues';
    this.errors = new UnexpectedErrors({ log: options.log, clock: new SystemClock(), message });
    this.#responses = new FleetResponses(options.gui, freshFor);
    this.#port = new FleetListener(options, {
      errors: this.errors,
      // It opens its port only after it knows the workers of scanners.
      notReady: () => undefined,
      serve: (context, response) => context.respondInTurn(response, () => this.#respond(context, response)),
      upgrade: (context, socket, head) => this.#upgrade(context, socket, head),
      ended: () => this.#responses.endEvents(),
      checksUpgrades: true,
    });
  }

  /** Opens the port. @returns its URL @throws PortTaken */
  open(): Promise<string> {
    return this.#port.open();
  }

  /** Ends, and loses no request that was sent: clients continue with the next gateway. */
  async drain(times: DrainTimes): Promise<void> {
    await this.#port.drain(times);
    this.close();
  }

  /** Ends at once. Running requests are broken off. */
  close(): void {
    this.#port.close();
    this.#forwarding.close();
    this.#fleet.close();
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

  #respond(context: RequestContext, response: ServerResponse): void {
    this.#serve(context, response).catch((error: unknown) => {
      respondText(response, error instanceof BadFleetRequest ? 400 : 502, messageOf(error));
    });
  }

  async #serve(context: RequestContext, response: ServerResponse): Promise<void> {
    if (!this.#port.admits(context, response)) return;
    const { request } = context;
    const scanner = scannerPathOf(request.url ?? '/');
    if (scanner === undefined)
      await this.#responses.respond(this.#fleet, context, response, requestOrigin(request) ?? this.#port.url);
    else if (!this.#options.routes.scanners.has(scanner.serial)) {
      request.resume();
      respondText(response, 404, refusals.unknown);
    } else {
      const own = portResponse(scanner, request, response);
      if (own === undefined) await this.#forward(scanner, context, response);
      else own();
    }
  }

  /** Forwards a request. Pages come from this program: everything that a scanner sends is data. */
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
      // The scanner decides how long an upload may take.
      context.allowLong();
      await this.#forwarding.respond(serial, context, response);
    }
  }

  async #upgrade(context: RequestContext, socket: Socket, head: Buffer): Promise<void> {
    const scanner = scannerPathOf(context.request.url ?? '');
    if (scanner === undefined) refuseUpgrade(socket, 404, refusals.noWebSocket);
    else await this.#forwarding.upgrade(scanner.serial, context, socket, head);
  }
}
