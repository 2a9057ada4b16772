import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import {
  Admission,
  type AllowedNames,
  allowing,
  betweenRequests,
  type Certificate,
  Connections,
  type DrainTimes,
  type ErrorReport,
  HttpPort,
  hasLocalRights,
  listen,
  PortDrain,
  type RequestContext,
  refusalOfBrowser,
  refuseUpgrade,
  respondText,
  urlOf,
} from '@azimuth/http';
import { refusals } from './refusals.js';
import { isForScanner } from './scanner-path.js';

export interface FleetListenerOptions {
  readonly host: string;
  /** 0 for any free one. */
  readonly port: number;
  readonly maxConnections: number;
  /** Host names by which clients may call it, in addition to its addresses, and origins of pages that may use it. */
  readonly allowed?: AllowedNames | undefined;
  /** Certificate; without it, it is plain HTTP. */
  readonly tls?: Certificate | undefined;
}

/** The handlers at the port of a fleet. */
interface Served {
  readonly errors: ErrorReport;
  /** Returns the reason why it cannot serve now; undefined if it can. */
  notReady(): string | undefined;
  /** Responds to all requests but probes. */
  serve(context: RequestContext, response: ServerResponse): void;
  /** Takes a connection over, or refuses it. */
  upgrade(context: RequestContext, socket: Socket, head: Buffer): Promise<void>;
  /** Called when the port listens no more. Ends everything that does not end by itself. */
  ended(): void;
  /**
   * For the port of a worker: true if a gateway of the deployment has sent a request. Other requests get a response, also
   * while the port ends.
   */
  readonly isTrusted?: (request: IncomingMessage) => boolean;
  /** True if Host and Origin are checked before a WebSocket is taken over. Otherwise, scanners check them. */
  readonly checksUpgrades?: boolean;
}

/** The port of a fleet: its listener, its probes, and its end. Its handlers serve requests for scanners and for the fleet. */
export class FleetListener {
  readonly #options: FleetListenerOptions;
  readonly #served: Served;
  readonly #server: Server;
  readonly #names: Admission;
  readonly #hasLocalRights: boolean;
  readonly #drain = new PortDrain();
  readonly #closeAll: () => void;
  #url = '';

  constructor(options: FleetListenerOptions, served: Served) {
    const { maxConnections, allowed, tls } = options;
    const { errors, checksUpgrades = false } = served;
    this.#options = options;
    this.#served = served;
    this.#hasLocalRights = hasLocalRights(allowed);
    const report = (error: unknown) => errors.report('http', error);
    const connections = new Connections(maxConnections, report, betweenRequests);
    this.#names = new Admission({ ...allowing(allowed), servesRefused: true });
    const port = new HttpPort({
      ...{ errors, connections, drain: this.#drain },
      // The handlers check Host and Origin: a scanner does it itself, and probes may use any name.
      admission: new Admission({ servesRefused: true }),
      serve: (context, response) => this.#serve(context, response),
      upgrades: {
        isAt: (_, context) =>
          isForScanner(context.request) && (!checksUpgrades || this.#names.admitsUpgrade(context)),
        accept: (context, socket, head) => this.#upgrade(context, socket, head),
      },
    });
    const server = tls === undefined ? port.listener() : port.secureListener(tls);
    this.#server = server;
    this.#closeAll = () => server.closeAllConnections();
  }

  /** The URL; empty before it is open. */
  get url(): string {
    return this.#url;
  }

  /** The address and the port of its socket, as known to the system. @throws Error if it is not open */
  get socket(): { readonly address: string; readonly port: number } {
    const socket = this.#server.address();
    if (socket === null || typeof socket === 'string') throw new Error('the port is not open');
    return socket;
  }

  /** Opens the port. @returns its URL @throws PortTaken */
  async open(): Promise<string> {
    const { host, tls } = this.#options;
    const port = await listen(this.#server, host, this.#options.port, '--port');
    this.#url = urlOf({ host, port }, tls === undefined ? 'http' : 'https');
    return this.#url;
  }

  /**
   * Checks a request that is not for one scanner. If it is not allowed, it gets its response here: HTTP forbids it, it is
   * foreign, or a browser only asks for permission.
   */
  admits(context: RequestContext, response: ServerResponse): boolean {
    return this.#names.admits(context, response);
  }

  /** True if this request for a WebSocket comes by an allowed name, and from an allowed page. */
  admitsUpgrade(context: RequestContext): boolean {
    return this.#names.admitsUpgrade(context);
  }

  /**
   * Ends the port, and loses no request that was sent. For a while it continues, and tells its clients to close their
   * connections. Fulfilled when all running requests have their responses.
   */
  drain(times: DrainTimes): Promise<void> {
    return this.#drain.drain(times, () => this.#served.ended());
  }

  /** Ends at once. Running requests are broken off. */
  close(): void {
    this.#server.close();
    this.#closeAll();
  }

  #serve(context: RequestContext, response: ServerResponse): void {
    const { request, connection } = context;
    this.#check(context);
    const isFull = connection.isRefused;
    if (isFull) response.shouldKeepAlive = false;
    // Requests that cost no scanner anything are answered in order, too: a client may send thousands of them at once.
    if (isProbe(request) && !context.isFromGateway)
      context.respondInTurn(response, () => this.#respondToProbe(request, response));
    else if (isFull) context.respondInTurn(response, () => respondFull(request, response));
    else this.#served.serve(context, response);
  }

  #check(context: RequestContext): void {
    context.isBehindProxy = !this.#hasLocalRights;
    context.isFromGateway = this.#served.isTrusted?.(context.request) ?? false;
  }

  /** Responds to a probe with the state of the port. It asks no other process. */
  #respondToProbe(request: IncomingMessage, response: ServerResponse): void {
    request.resume();
    const why = this.#served.notReady() ?? (this.#drain.isEnding ? refusals.ending : undefined);
    if (request.url === '/healthz' || why === undefined) respondText(response, 200, 'ok');
    else respondText(response, 503, why);
  }

  async #upgrade(context: RequestContext, socket: Duplex, head: Buffer): Promise<void> {
    socket.on('error', () => socket.destroy());
    this.#check(context);
    const isOfWorker = this.#served.isTrusted !== undefined;
    const foreign = !isOfWorker || context.isFromGateway ? refusalOfBrowser(context.request) : undefined;
    if (!isOfWorker && this.#drain.isEnding)
      refuseUpgrade(socket, 503, refusals.ending, ['Retry-After', '1']);
    else if (foreign !== undefined) refuseUpgrade(socket, 403, foreign);
    else if (socket instanceof Socket) await this.#served.upgrade(context, socket, head);
    else socket.destroy();
  }
}

function isProbe({ url }: IncomingMessage): boolean {
  return url === '/healthz' || url === '/readyz';
}

/** Refuses a request on a connection for probes. */
function respondFull(request: IncomingMessage, response: ServerResponse): void {
  request.resume();
  response.setHeader('Retry-After', 1);
  respondText(response, 503, refusals.full);
}
