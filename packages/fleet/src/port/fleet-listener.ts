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
  /** Names of hosts by which it may be called, beside its addresses, and origins of pages that may use it. */
  readonly allowed?: AllowedNames | undefined;
  /** Without it, it is plain HTTP. */
  readonly tls?: Certificate | undefined;
}

/** What is served at the port of a fleet. */
interface Served {
  readonly errors: ErrorReport;
  /** Why it cannot serve now; undefined if it can. */
  notReady(): string | undefined;
  /** Answers all requests but probes. */
  serve(context: RequestContext, response: ServerResponse): void;
  /** Takes a connection over, or refuses to. */
  upgrade(context: RequestContext, socket: Socket, head: Buffer): Promise<void>;
  /** Ends what does not end by itself, when the port listens no more. */
  ended(): void;
  /** For the port of a worker: whether a gateway of the deployment has sent a request. All else is answered, also while it ends. */
  readonly vouches?: (request: IncomingMessage) => boolean;
  /** Are Host and Origin checked before a WebSocket is taken over? Otherwise, scanners check them. */
  readonly checksUpgrades?: boolean;
}

/** The port of a fleet: its listener, its probes, and its end. Others serve what is asked of scanners and of the whole. */
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
      // Whoever answers checks Host and Origin: a scanner does it itself, and probes may use any name.
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

  /** Empty before it is open. */
  get url(): string {
    return this.#url;
  }

  /** The address and the port of its socket, as the system tells them. @throws Error if it is not open */
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
   * Is this request, which is not for one scanner, allowed? If not, it is answered: HTTP forbids it, it is foreign, or a browser only
   * asks what it may.
   */
  admits(context: RequestContext, response: ServerResponse): boolean {
    return this.#names.admits(context, response);
  }

  /**
   * Ends the port, and loses no request that was sent: for a while it goes on, and asks its clients to use their connections no
   * more. Fulfilled when what was under way is answered.
   */
  drain(times: DrainTimes): Promise<void> {
    return this.#drain.drain(times, () => this.#served.ended());
  }

  /** Ends at once. What is under way is broken off. */
  close(): void {
    this.#server.close();
    this.#closeAll();
  }

  #serve(context: RequestContext, response: ServerResponse): void {
    const { request, connection } = context;
    this.#judge(context);
    const isFull = connection.isRefused;
    if (isFull) response.shouldKeepAlive = false;
    // What costs no scanner anything is answered in order, too: a client may send thousands of such requests at once.
    if (isProbe(request) && !context.isVouched)
      context.respondInTurn(response, () => this.#answerProbe(request, response));
    else if (isFull) context.respondInTurn(response, () => replyFull(request, response));
    else this.#served.serve(context, response);
  }

  #judge(context: RequestContext): void {
    context.isBehindProxy = !this.#hasLocalRights;
    context.isVouched = this.#served.vouches?.(context.request) ?? false;
  }

  /** How it is. It asks nobody else. */
  #answerProbe(request: IncomingMessage, response: ServerResponse): void {
    request.resume();
    const why = this.#served.notReady() ?? (this.#drain.isEnding ? refusals.ending : undefined);
    if (request.url === '/healthz' || why === undefined) respondText(response, 200, 'ok');
    else respondText(response, 503, why);
  }

  async #upgrade(context: RequestContext, socket: Duplex, head: Buffer): Promise<void> {
    socket.on('error', () => socket.destroy());
    this.#judge(context);
    const isOfWorker = this.#served.vouches !== undefined;
    const foreign = !isOfWorker || context.isVouched ? refusalOfBrowser(context.request) : undefined;
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
function replyFull(request: IncomingMessage, response: ServerResponse): void {
  request.resume();
  response.setHeader('Retry-After', 1);
  respondText(response, 503, refusals.full);
}
