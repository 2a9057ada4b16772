import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import {
  type DrainTimes,
  dataPolicy,
  endWith,
  errorReport,
  type Metric,
  pathOf,
  prometheusText,
  type RequestContext,
  refuseUpgrade,
  respondText,
  setPolicy,
} from '@azimuth/http';
import { isOwnPage } from '@azimuth/server/pages';
import { AdoptedScanner } from '../adopted/adopted-scanner.js';
import type { Fleet, FleetMember } from '../fleet.js';
import type { FleetScanner } from '../scanners/scanner.js';
import { FleetInProcess } from './fleet-in-process.js';
import { FleetListener, type FleetListenerOptions } from './fleet-listener.js';
import { BadFleetRequest, requestOrigin } from './fleet-requests.js';
import { FleetResponses } from './fleet-responses.js';
import { type GatewayKey, notHereHeader, unsignedHeader } from './gateway-key.js';
import { messageOf, refusals } from './refusals.js';
import { portResponse, type ScannerPath, scannerPathOf } from './scanner-path.js';

interface Options extends FleetListenerOptions {
  /** The folder of the GUI; undefined for none. */
  readonly gui?: string | undefined;
  /** ms for which lists and metrics are cached; by default a second. */
  readonly freshFor?: number | undefined;
  /** Set for the port of a worker, which serves gateways only. */
  readonly worker?: WorkerRole | undefined;
}

/** The fleet and the functions that respond for it. */
interface Served {
  readonly fleet: Fleet;
  readonly source: FleetInProcess;
}

/** A port that serves a part of a fleet, behind gateways. */
export interface WorkerRole {
  /** The key of the deployment. Clients without it are refused. */
  readonly key: GatewayKey;
  /** Returns the URL by which gateways know it; by default, that of the port. */
  advertised?(): string;
  /** True if it may respond for a scanner now. */
  owns(serial: string): boolean;
  /** Returns the reason why the worker cannot serve now; undefined if it can. */
  notReady(): string | undefined;
  /** Returns its own metrics. */
  metrics(): readonly Metric[];
}

/**
 * One port for all scanners of a fleet: `/scanners` lists them, and `/scanners/SERIAL/api/…` is one of them, with its own
 * logins and limits. Programs on this computer switch scanners on and off at `/fleet/power`.
 */
export class FleetPort {
  readonly #options: Options;
  readonly #port: FleetListener;
  readonly #responses: FleetResponses;
  #served: Served | undefined;

  constructor(options: Options) {
    this.#options = options;
    const { worker } = options;
    this.#responses = new FleetResponses(options.gui, options.freshFor);
    this.#port = new FleetListener(options, {
      errors: errorReport((where, error) => {
        if (this.#served === undefined) process.emitWarning(String(error));
        else this.#served.fleet.errors.report(where, error);
      }),
      // A worker shows its state to clients without a key, too.
      notReady: () => worker?.notReady() ?? (this.#served === undefined ? refusals.starting : undefined),
      serve: (context, response) => this.#serve(context, response),
      upgrade: (context, socket, head) => this.#upgrade(context, socket, head),
      ended: () => this.#responses.endEvents(),
      ...(worker && {
        isTrusted: (request: IncomingMessage) => worker.key.signed(this.#advertised(worker), request),
      }),
    });
  }

  /** Serves a fleet from now on. Before, requests are answered HTTP 503. */
  serve(fleet: Fleet): void {
    this.#served = { fleet, source: new FleetInProcess(fleet, this.#options.freshFor) };
  }

  /** Opens the port. @returns its URL @throws PortTaken */
  open(): Promise<string> {
    return this.#port.open();
  }

  /** The address and the port of its socket, as known to the system. @throws Error if it is not open */
  get socket(): { readonly address: string; readonly port: number } {
    return this.#port.socket;
  }

  /** Ends the port, and loses no request. A worker whose scanners have moved says so to gateways that do not know it yet. */
  async drain(times: DrainTimes): Promise<void> {
    await this.#port.drain(times);
    this.close();
  }

  close(): void {
    this.#port.close();
  }

  #serve(context: RequestContext, response: ServerResponse): void {
    const { worker } = this.#options;
    const { request } = context;
    const inOrder = (respond: () => void) => context.respondInTurn(response, respond);
    if (worker !== undefined && !context.isFromGateway) {
      inOrder(() => this.#refuseUnsigned(worker, request, response));
      return;
    }
    const path = scannerPathOf(request.url ?? '');
    if (this.#served === undefined) {
      request.resume();
      // The worker has the lease of the scanner, but does not run it yet: the gateway waits.
      if (worker !== undefined && path !== undefined) inOrder(() => this.#respondUnknown(response));
      else inOrder(() => respondStarting(response));
      return;
    }
    const { fleet, source } = this.#served;
    if (path === undefined) {
      inOrder(() => this.#respond(source, context, response));
      return;
    }
    const scanner = this.#scannerOf(fleet, path.serial);
    if (scanner === undefined) {
      request.resume();
      inOrder(() => this.#respondUnknown(response));
      return;
    }
    const own = portResponse(path, request, response);
    if (own !== undefined) inOrder(own);
    else if (scanner instanceof AdoptedScanner)
      inOrder(() => this.#forward(scanner, path.target, context, response));
    else
      this.#handOver(fleet, scanner, path, context, response)?.catch((error: unknown) =>
        failed(response, error),
      );
  }

  /** Hands a request over to a scanner. The scanner checks Host, Origin and login itself. */
  #handOver(
    fleet: Fleet,
    scanner: FleetScanner,
    { serial, target }: ScannerPath,
    context: RequestContext,
    response: ServerResponse,
  ): Promise<void> | undefined {
    const { request } = context;
    // The pages of a scanner come from this program, and have their own policy.
    if (!isOwnPage(pathOf(target))) setPolicy(response, dataPolicy);
    request.url = target;
    return scanner.receive(context, response)?.catch((error: unknown) => {
      request.resume();
      // It has moved while it was started.
      if (this.#scannerOf(fleet, serial) === undefined) this.#respondUnknown(response);
      else respondText(response, 502, refusals.silent(serial, messageOf(error)));
    });
  }

  /** Forwards a request to a real scanner. Host and Origin are checked here: the scanner does not know this port. */
  #forward(scanner: AdoptedScanner, target: string, context: RequestContext, response: ServerResponse): void {
    if (!this.#port.admits(context, response)) return;
    context.request.url = target;
    scanner.respond(context, response).catch((error: unknown) => failed(response, error));
  }

  #scannerOf(fleet: Fleet | undefined, serial: string): FleetMember | undefined {
    const { worker } = this.#options;
    return worker?.owns(serial) === false ? undefined : fleet?.members.get(serial);
  }

  /** Tells a gateway to look for the worker that has the scanner now. */
  #respondUnknown(response: ServerResponse): void {
    if (this.#options.worker === undefined) {
      respondText(response, 404, refusals.unknown);
      return;
    }
    response.setHeader(notHereHeader, '1');
    respondText(response, 421, refusals.elsewhere);
  }

  #refuseUnknown(socket: Socket): void {
    if (this.#options.worker === undefined) refuseUpgrade(socket, 404, refusals.unknown);
    else refuseUpgrade(socket, 421, refusals.elsewhere, [notHereHeader, '1']);
  }

  /** Returns the URL by which gateways know it. */
  #advertised({ advertised }: WorkerRole): string {
    return advertised?.() ?? this.#port.url;
  }

  /**
   * Refuses requests without a signature. The state and the metrics of a worker are public. All else needs the key of the
   * deployment.
   */
  #refuseUnsigned(worker: WorkerRole, request: IncomingMessage, response: ServerResponse): void {
    request.resume();
    if (request.url === '/metrics' && this.#served !== undefined)
      this.#sendMetrics(worker, this.#served.source, response);
    else {
      response.setHeader(unsignedHeader, '1');
      respondText(response, 401, refusals.worker);
    }
  }

  /** Sends metrics. The metrics of its scanners are made as for a fleet of its own. */
  #sendMetrics(worker: WorkerRole, source: FleetInProcess, response: ServerResponse): void {
    Promise.all([this.#responses.metrics(source), prometheusText(worker.metrics())])
      .then(([ofScanners, own]) => respondText(response, 200, ofScanners + own.trimEnd()))
      .catch((error: unknown) => failed(response, error));
  }

  async #upgrade(context: RequestContext, socket: Socket, head: Buffer): Promise<void> {
    const { worker } = this.#options;
    const { request, isFromGateway: isVouched } = context;
    if (worker !== undefined && !isVouched) {
      refuseUpgrade(socket, 401, refusals.worker, [unsignedHeader, '1']);
      return;
    }
    const path = scannerPathOf(request.url ?? '');
    if (path === undefined || !path.target.startsWith('/')) {
      refuseUpgrade(socket, 404, refusals.noWebSocket);
      return;
    }
    const fleet = this.#served?.fleet;
    if (fleet === undefined && worker === undefined) {
      refuseUpgrade(socket, 503, refusals.starting, ['Retry-After', '1']);
      return;
    }
    const scanner = this.#scannerOf(fleet, path.serial);
    if (scanner === undefined) {
      this.#refuseUnknown(socket);
      return;
    }
    if (scanner instanceof AdoptedScanner && !this.#port.admitsUpgrade(context)) {
      refuseUpgrade(socket, 403, refusals.foreign);
      return;
    }
    request.url = path.target;
    if (scanner instanceof AdoptedScanner) {
      scanner.upgrade(context, socket, head);
      return;
    }
    try {
      await scanner.upgrade(context, socket, head, () => this.#respondOn(socket, scanner, context));
    } catch (error) {
      // It has moved while it was started.
      if (this.#scannerOf(fleet, path.serial) === undefined) this.#refuseUnknown(socket);
      else refuseUpgrade(socket, 502, refusals.silent(path.serial, messageOf(error)));
    }
  }

  /**
   * Responds on a connection that the scanner does not accept as a WebSocket: it is a normal request, and the last one of its
   * connection.
   */
  #respondOn(socket: Socket, scanner: FleetScanner, context: RequestContext): void {
    const response = new ServerResponse(context.request);
    response.shouldKeepAlive = false;
    response.assignSocket(socket);
    response.once('finish', () => endWith(socket));
    scanner.receive(context, response)?.catch(() => socket.destroy());
  }

  #respond(source: FleetInProcess, context: RequestContext, response: ServerResponse): void {
    if (!this.#port.admits(context, response)) return;
    const { worker } = this.#options;
    // Gateways use another name of the host.
    const origin = worker === undefined ? requestOrigin(context.request) : this.#advertised(worker);
    this.#responses
      .respond(source, context, response, origin ?? this.#port.url)
      .catch((error: unknown) => failed(response, error));
  }
}

function respondStarting(response: ServerResponse): void {
  response.setHeader('Retry-After', 1);
  respondText(response, 503, refusals.starting);
}

function failed(response: ServerResponse, error: unknown): void {
  respondText(response, error instanceof BadFleetRequest ? 400 : 500, messageOf(error));
}
