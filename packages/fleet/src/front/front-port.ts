import { type IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Server as SecureServer } from 'node:https';
import type { Duplex } from 'node:stream';
import {
  type AllowedNames,
  dataPolicy,
  hasLocalRights,
  httpListener,
  httpsListener,
  isUnwanted,
  listen,
  noteProxy,
  pathOf,
  RequestsInOrder,
  refusalOfBrowser,
  replyText,
  urlOf,
  vouchFor,
} from '@azimuth/http';
import { isOwnPage } from '@azimuth/server/pages';
import type { Fleet } from '../fleet.js';
import type { FleetScanner } from '../scanners/scanner.js';
import { originAsked, Refused } from './asked.js';
import { FleetAnswers } from './fleet-answers.js';
import { FleetInProcess } from './fleet-in-process.js';
import { FrontConnections } from './front-connections.js';
import { type GatewayKey, notHere, unsigned } from './gateway-key.js';
import { NameCheck } from './name-check.js';
import { type DrainTimes, PortDrain } from './port-drain.js';
import { endSoon, messageOf, refusals, refuseUpgrade, replyFull } from './refusals.js';
import { isForWebSocket, ownAnswer, type ScannerPath, scannerPathOf } from './scanner-path.js';

interface Options {
  readonly host: string;
  /** 0 for any free one. */
  readonly port: number;
  readonly maxConnections: number;
  /** Names of hosts by which it may be called, beside its addresses, and origins of pages that may use it. */
  readonly allowed?: AllowedNames | undefined;
  /** The folder of the GUI; undefined for none. */
  readonly gui?: string;
  /** Certificate and private key, as PEM; without them, it is plain HTTP. */
  readonly tls?: { readonly cert: string; readonly key: string };
  /** ms for which lists and metrics are kept; by default a second. */
  readonly freshFor?: number;
  /** What makes it the port of a worker, for gateways alone. */
  readonly worker?: WorkerRole;
}

/** A port that serves a part of a fleet, behind gateways. */
export interface WorkerRole {
  /** The key of the deployment: whoever does not know it is refused. */
  readonly key: GatewayKey;
  /** The URL by which gateways know it; by default, that of the port. */
  advertised?(): string;
  /** Whether it may answer for a scanner now. */
  owns(serial: string): boolean;
  /** Why the worker cannot serve now; undefined if it can. */
  notReady(): string | undefined;
  /** Its own metrics, in the text format of Prometheus. */
  metrics(): string;
}

/**
 * One port for all scanners of a fleet: `/scanners` lists them, `/scanners/SERIAL/api/…` is one of them, with its own logins and
 * limits. Programs on this computer switch scanners on and off at `/fleet/power`.
 */
export class FrontPort {
  readonly #options: Options;
  readonly #server: Server | SecureServer;
  readonly #names: NameCheck;
  readonly #answers: FleetAnswers;
  readonly #order = new RequestsInOrder((error) => this.#fleet?.errors.report('http', error));
  readonly #connections: FrontConnections;
  readonly #drain: PortDrain;
  #fleet: Fleet | undefined;
  #whole: FleetInProcess | undefined;
  readonly #hasLocalRights: boolean;
  #url = '';

  constructor(options: Options) {
    this.#options = options;
    this.#names = new NameCheck(options.allowed);
    this.#hasLocalRights = hasLocalRights(options.allowed);
    this.#answers = new FleetAnswers(options.gui, options.freshFor);
    const takesUpgrade = (request: IncomingMessage) =>
      isForWebSocket(request) && this.#order.mayUpgrade(request);
    this.#server =
      options.tls === undefined ? httpListener({}, takesUpgrade) : httpsListener(options.tls, takesUpgrade);
    this.#connections = new FrontConnections(options.maxConnections);
    this.#drain = new PortDrain(this.#server);
    this.#connections.watch(this.#server);
    this.#order.watch(this.#server);
    this.#server.on('request', (request, response) => {
      this.#order.note(request, response);
      this.#drain.take(request, response, () => this.#serve(request, response));
    });
    this.#server.on(
      'upgrade',
      (request, socket, head) => void this.#drain.join(this.#upgrade(request, socket, head)),
    );
  }

  /** Serves a fleet from now on. Before, requests are answered HTTP 503. */
  serve(fleet: Fleet): void {
    this.#fleet = fleet;
    this.#whole = new FleetInProcess(fleet, this.#options.freshFor);
  }

  /** Opens the port. @returns its URL @throws PortTaken */
  async open(): Promise<string> {
    const { host } = this.#options;
    const port = await listen(this.#server, host, this.#options.port, '--port');
    this.#url = urlOf({ host, port }, this.#options.tls === undefined ? 'http' : 'https');
    return this.#url;
  }

  /** The address and the port of its socket, as the system tells them. @throws Error if it is not open */
  get socket(): { readonly address: string; readonly port: number } {
    const socket = this.#server.address();
    if (socket === null || typeof socket === 'string') throw new Error('the port is not open');
    return socket;
  }

  /**
   * Ends the port, and loses no request that was sent: for a while it goes on, and asks its clients to use their connections no
   * more. A worker whose scanners have moved says so to gateways that do not know it yet.
   */
  async drain(times: DrainTimes): Promise<void> {
    await this.#drain.drain(times, () => this.#answers.endEvents());
    this.close();
  }

  close(): void {
    this.#server.close();
    this.#connections.close();
  }

  #serve(request: IncomingMessage, response: ServerResponse): void {
    const { worker } = this.#options;
    if (!this.#hasLocalRights) noteProxy(request);
    const isForProbes = this.#connections.isForProbes(request.socket);
    if (isForProbes) response.shouldKeepAlive = false;
    const isSigned = worker !== undefined && this.#isSigned(worker, request);
    if (isSigned) vouchFor(request);
    // What costs no scanner anything is answered in order, too: a client may send thousands of such requests at once.
    const inOrder = (answer: () => void) => this.#order.receive(request, response, answer);
    if (isProbe(request) && !isSigned) {
      inOrder(() => this.#answerProbe(request, response));
      return;
    }
    if (isForProbes) {
      inOrder(() => replyFull(request, response));
      return;
    }
    if (worker !== undefined && !isSigned) {
      inOrder(() => this.#refuseUnsigned(worker, request, response));
      return;
    }
    const fleet = this.#fleet;
    const whole = this.#whole;
    const asked = scannerPathOf(request.url ?? '');
    if (fleet === undefined || whole === undefined) {
      request.resume();
      // Of a scanner that a worker has taken, and does not run yet: the gateway waits.
      if (worker !== undefined && asked !== undefined) inOrder(() => this.#replyUnknown(response));
      else inOrder(() => replyStarting(response));
      return;
    }
    if (asked === undefined) {
      inOrder(() => this.#answer(whole, request, response));
      return;
    }
    const unit = this.#unitOf(fleet, asked.serial);
    if (unit === undefined) {
      request.resume();
      inOrder(() => this.#replyUnknown(response));
      return;
    }
    const own = ownAnswer(asked, request, response);
    if (own !== undefined) inOrder(own);
    else this.#ask(fleet, unit, asked, request, response)?.catch((error: unknown) => failed(response, error));
  }

  /** How it is. A worker tells it those who have no key, too. It asks nobody else. */
  #answerProbe(request: IncomingMessage, response: ServerResponse): void {
    request.resume();
    const why = this.#options.worker?.notReady() ?? this.#notReady;
    if (request.url === '/healthz' || why === undefined) replyText(response, 200, 'ok');
    else replyText(response, 503, why);
  }

  get #notReady(): string | undefined {
    if (this.#drain.isEnding) return refusals.ending;
    return this.#fleet === undefined ? refusals.starting : undefined;
  }

  /** What one scanner is asked. It checks Host, Origin and login itself. */
  #ask(
    fleet: Fleet,
    unit: FleetScanner,
    { serial, target }: ScannerPath,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> | undefined {
    // Its pages are those of this program, and say themselves what they may do.
    if (!isOwnPage(pathOf(target))) response.setHeader('Content-Security-Policy', dataPolicy);
    request.url = target;
    return unit.receive(request, response)?.catch((error: unknown) => {
      request.resume();
      // It has moved while it was started.
      if (this.#unitOf(fleet, serial) === undefined) this.#replyUnknown(response);
      else replyText(response, 502, refusals.silent(serial, messageOf(error)));
    });
  }

  #unitOf(fleet: Fleet | undefined, serial: string): FleetScanner | undefined {
    const { worker } = this.#options;
    return worker?.owns(serial) === false ? undefined : fleet?.scanners.get(serial);
  }

  /** A gateway looks for the worker that has the scanner by now. */
  #replyUnknown(response: ServerResponse): void {
    if (this.#options.worker === undefined) {
      replyText(response, 404, refusals.unknown);
      return;
    }
    response.setHeader(notHere, '1');
    replyText(response, 421, refusals.elsewhere);
  }

  #refuseUnknown(socket: Duplex): void {
    if (this.#options.worker === undefined) refuseUpgrade(socket, 404, refusals.unknown);
    else refuseUpgrade(socket, 421, refusals.elsewhere, { [notHere]: '1' });
  }

  #isSigned({ key, advertised }: WorkerRole, request: IncomingMessage): boolean {
    return key.signed(advertised?.() ?? this.#url, request);
  }

  /** Everybody may ask a worker how it is, and for its metrics. All else needs the key of the deployment. */
  #refuseUnsigned(worker: WorkerRole, request: IncomingMessage, response: ServerResponse): void {
    request.resume();
    if (request.url === '/metrics' && this.#whole !== undefined)
      this.#sendMetrics(worker, this.#whole, response);
    else {
      response.setHeader(unsigned, '1');
      replyText(response, 401, refusals.worker);
    }
  }

  /** Those of its scanners are made as for a fleet of its own. */
  #sendMetrics(worker: WorkerRole, whole: FleetInProcess, response: ServerResponse): void {
    this.#answers
      .metrics(whole)
      .then((ofScanners) => replyText(response, 200, ofScanners + worker.metrics().trimEnd()))
      .catch((error: unknown) => failed(response, error));
  }

  async #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    socket.on('error', () => socket.destroy());
    // Node calls this, too, for requests that follow a last answer.
    if (isUnwanted(socket)) return;
    const { worker } = this.#options;
    if (this.#connections.isForProbes(socket)) {
      refuseUpgrade(socket, 503, refusals.full, { 'Retry-After': '1' });
      return;
    }
    if (worker === undefined && this.#drain.isEnding) {
      refuseUpgrade(socket, 503, refusals.ending, { 'Retry-After': '1' });
      return;
    }
    if (worker !== undefined && !this.#isSigned(worker, request)) {
      refuseUpgrade(socket, 401, refusals.worker, { [unsigned]: '1' });
      return;
    }
    if (worker !== undefined) vouchFor(request);
    const asked = scannerPathOf(request.url ?? '');
    const foreign = refusalOfBrowser(request);
    if (foreign !== undefined) {
      refuseUpgrade(socket, 403, foreign);
      return;
    }
    if (asked === undefined || !asked.target.startsWith('/')) {
      refuseUpgrade(socket, 404, refusals.noWebSocket);
      return;
    }
    if (this.#fleet === undefined && worker === undefined) {
      refuseUpgrade(socket, 503, refusals.starting, { 'Retry-After': '1' });
      return;
    }
    const unit = this.#unitOf(this.#fleet, asked.serial);
    if (unit === undefined) {
      this.#refuseUnknown(socket);
      return;
    }
    request.url = asked.target;
    try {
      await unit.upgrade(request, socket, head, () => this.#answerOn(socket, unit, request));
    } catch (error) {
      // It has moved while it was started.
      if (this.#unitOf(this.#fleet, asked.serial) === undefined) this.#refuseUnknown(socket);
      else refuseUpgrade(socket, 502, refusals.silent(asked.serial, messageOf(error)));
    }
  }

  /** The scanner takes no WebSocket there: it answers as to any other request, which is the last one of its connection. */
  #answerOn(socket: Duplex, unit: FleetScanner, request: IncomingMessage): void {
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    response.assignSocket(request.socket);
    response.once('finish', () => endSoon(socket));
    unit.receive(request, response)?.catch(() => socket.destroy());
  }

  #answer(whole: FleetInProcess, request: IncomingMessage, response: ServerResponse): void {
    if (!this.#names.admits(request, response)) return;
    const { worker } = this.#options;
    // Gateways ask with a host that is not theirs.
    const origin = worker === undefined ? undefined : (worker.advertised?.() ?? this.#url);
    this.#answers
      .answer(whole, request, response, origin ?? originAsked(request) ?? this.#url)
      .catch((error: unknown) => failed(response, error));
  }
}

function isProbe({ url }: IncomingMessage): boolean {
  return url === '/healthz' || url === '/readyz';
}

function replyStarting(response: ServerResponse): void {
  response.setHeader('Retry-After', 1);
  replyText(response, 503, refusals.starting);
}

function failed(response: ServerResponse, error: unknown): void {
  if (response.headersSent) response.destroy();
  else replyText(response, error instanceof Refused ? 400 : 500, messageOf(error));
}
