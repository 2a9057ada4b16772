import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { type AddressInfo, isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { ClientError, Scanner, ScannerError, UnreachableError } from '@azimuth/client';
import {
  Admission,
  Bodies,
  BodyRefused,
  type Closable,
  Connections,
  errorReport,
  forwardingFailure,
  HostAndOrigin,
  HttpPort,
  isFromThisComputer,
  isGuiPath,
  noServiceWorker,
  pagesOfSeveral,
  type RequestContext,
  refusalOfBrowser,
  refuseUpgrade,
  requestsServiceWorker,
  respondJson,
  respondSite,
  respondText,
  sendGui,
  siteAnswer,
  sitePaths,
} from '@azimuth/http';
import { mostLocalConnections } from '@azimuth/http/limits';
import { isLoginLevel, isObject, scanPath } from '@azimuth/model';
import { WebSocketServer } from 'ws';
import { CommandFailure } from '../command-failure.js';
import { routeTo } from '../scan-data/stream-settings.js';
import { Forwarding } from './forwarding.js';
import type { GuiSite, ShownScanner } from './gui-site.js';
import { ReceivedScans } from './received-scans.js';

/** The paths of the scanners: `/s/0`, `/s/1` … */
const scannersPath = /^\/s\/(\d{1,4})(\/.*)$/s;

/** Path of requests that read or change the route of the scan data. Not a path of the scanner. */
const dataPath = '/data';

/** Path of requests that report a new address of the scanner. Not a path of the scanner. */
const addressPath = '/address';

/** Time limit in ms for the answer of a scanner at its new address. */
const newAddressTimeout = 3000;

/** Paths of a scanner that pages use. Nothing else is forwarded. */
const forwarded = /^\/(?:api\/|x\/|apievents$|apievents\?|cloud\.pcd$|metrics$|(?:openapi|asyncapi)\.json$)/;

const foreign = 'Only pages of this server may ask it, by its own address.';

/** Maximum bytes of the body of a request to this server itself. */
const maxBodyBytes = 10_000;

export interface GuiOptions {
  /** The files of the GUI. */
  readonly folder: string;
  readonly host: string;
  /** Port; 0 for any free one. */
  readonly port: number;
  readonly scanners: readonly ShownScanner[];
  /** What is known of all of them. */
  readonly site: GuiSite;
}

interface Part {
  readonly url: string;
  readonly forwarding: Forwarding;
  readonly scans: ReceivedScans;
}

/**
 * A web server on this computer that shows the GUI for scanners elsewhere. It forwards requests of the pages to these
 * scanners only. Pages of other origins are refused, and also names of others that point to this computer.
 */
export class GuiServer {
  readonly #options: GuiOptions;
  /** The scanners by their numbers in the paths. */
  readonly #parts: Part[];
  readonly #server: Server & Closable;
  readonly #sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: 1024 });
  /** Allows its own address with its port, and no names of others that point to this computer. */
  #names = new HostAndOrigin({}, new Set());

  constructor(options: GuiOptions) {
    this.#options = options;
    this.#parts = options.scanners.map(({ url }) => requestTarget(url));
    const errors = errorReport((_, error) => process.emitWarning(String(error)));
    const connections = new Connections(mostLocalConnections, (error) => errors.report('http', error));
    const port = new HttpPort({
      ...{ errors, connections },
      admission: new Admission({
        check: ({ request }, head) => this.#names.refusalOf(request, head),
        respond: (response, { httpStatus, why }) =>
          respondText(response, httpStatus, httpStatus === 403 ? foreign : why),
      }),
      serve: (context, response) =>
        context.respondInTurn(response, () => void this.#serve(context, response)),
      upgrades: {
        isAt: (path) => scannersPath.test(path),
        accept: (context, socket, head) => this.#upgrade(context, socket, head),
      },
    });
    this.#server = port.listener();
  }

  /**
   * Opens the port.
   * @returns the address for the browser
   * @throws errors of node:net
   */
  async open(): Promise<string> {
    const { host, port } = this.#options;
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(port, host, resolve);
    });
    const bound = listeningPort(this.#server.address());
    const hostText = host.includes(':') ? `[${host}]` : host;
    const own = [hostText, '127.0.0.1', 'localhost', '[::1]'].map((name) => `${name}:${bound}`);
    this.#names = new HostAndOrigin({}, new Set(own));
    return `http://${hostText}:${bound}/`;
  }

  /**
   * Closes the port, and restores changed settings of scanners. @throws CommandFailure that names settings that could
   * not be restored
   */
  async close(): Promise<void> {
    this.#server.close();
    const ended = await Promise.allSettled([
      ...this.#parts.map(({ scans }) => scans.close()),
      this.#options.site.close(),
    ]);
    this.#server.closeAllConnections();
    for (const result of ended) if (result.status === 'rejected') throw result.reason;
  }

  async #serve(context: RequestContext, response: ServerResponse): Promise<void> {
    try {
      await this.#respond(context, response);
    } catch (error) {
      respondText(
        response,
        500,
        `The page could not be sent: ${error instanceof Error ? error.message : error}`,
      );
    }
  }

  async #respond(context: RequestContext, response: ServerResponse): Promise<void> {
    const { request } = context;
    const { url = '/', method } = request;
    const [path = '/'] = url.split('?');
    const elsewhere = pagesOfSeveral(url);
    const [, index, rest = ''] = scannersPath.exec(url) ?? [];
    if (index !== undefined) {
      const part = this.#parts[Number(index)];
      const refusal = refusalOfBrowser(request);
      if (refusal !== undefined) respondText(response, 403, refusal);
      else if (part === undefined) respondText(response, 404, 'There is no scanner of this number.');
      else if (rest === dataPath) await this.#data(part, request, response);
      else if (rest === addressPath) await this.#move(Number(index), part, context, response);
      else if (forwarded.test(rest)) {
        // The scanner sets the time limit of an upload.
        context.allowLong();
        await part.forwarding.request(rest, context, response);
      } else respondText(response, 404, 'This path of the scanner is not forwarded.');
      return;
    }
    if (requestsServiceWorker(request)) respondText(response, 403, noServiceWorker);
    else if (method !== 'GET' && method !== 'HEAD') respondText(response, 405, 'Only GET is answered here.');
    else if (elsewhere !== undefined) response.writeHead(302, { Location: elsewhere }).end();
    else if (sitePaths.includes(path)) respondSite(response, await siteAnswer(this.#options.site, url));
    else if (isGuiPath(path)) await sendGui(this.#options.folder, path, response);
    else respondText(response, 404, 'Nothing is here.');
  }

  /** GET: the route of the scan data. POST: makes the scanner send it here. DELETE: restores its settings. */
  async #data({ url, scans }: Part, request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      if (request.method === 'POST') {
        const { user, password } = await loginIn(request);
        await scans.aim({ user, password });
      } else if (request.method === 'DELETE') await scans.restore();
      const live = await hasLiveScans(url);
      const state = live ? { state: 'live' } : await scans.checkRoute();
      json(response, { ...state, here: (await routeTo(url)).own });
    } catch (error) {
      if (error instanceof ScannerError && error.statusName === 'accessDenied')
        respondText(response, 403, error.message);
      else if (error instanceof ClientError || error instanceof CommandFailure)
        respondText(response, 502, error.message);
      else throw error;
    }
  }

  /** POST: forwards to another address from now on, if the same scanner answers there. */
  async #move(index: number, part: Part, context: RequestContext, response: ServerResponse): Promise<void> {
    const { request } = context;
    if (request.method !== 'POST') {
      respondText(response, 405, 'Only POST is answered here.');
      return;
    }
    if (!isFromThisComputer(context)) {
      respondText(response, 403, 'Only pages on the computer of this server may say where a scanner is now.');
      return;
    }
    const body = await readJsonBody(request);
    const { address, serialNumber } = isObject(body) ? body : {};
    if (typeof address !== 'string' || isIP(address) !== 4 || typeof serialNumber !== 'string') {
      respondText(response, 400, 'expected {"address": IPv4 address, "serialNumber": TEXT}');
      return;
    }
    const url = atAddress(part.url, address);
    const refusal = await addressProblem(url, serialNumber);
    if (refusal !== undefined) {
      respondText(response, 502, refusal);
      return;
    }
    if (url !== part.url && this.#parts[index] === part) {
      this.#parts[index] = requestTarget(url);
      await Promise.all([part.scans.close(), this.#options.site.moved(index, url)]);
    }
    json(response, { url });
  }

  async #upgrade(context: RequestContext, socket: Duplex, head: Buffer): Promise<void> {
    const { request } = context;
    socket.on('error', () => socket.destroy());
    const [, index = '', rest = ''] = scannersPath.exec(request.url ?? '') ?? [];
    const part = this.#parts[Number(index)];
    const foreign = refusalOfBrowser(request);
    if (foreign !== undefined || index === '' || part === undefined || !forwarded.test(rest)) {
      refuseUpgrade(socket, 403, foreign ?? 'No WebSocket is here.');
      return;
    }
    try {
      if (rest !== scanPath || (await hasLiveScans(part.url))) {
        part.forwarding.upgrade(rest, context, socket, head);
        return;
      }
    } catch (error) {
      refuseUpgrade(socket, 502, `${part.url} does not answer: ${forwardingFailure(error)}`);
      return;
    }
    this.#sockets.handleUpgrade(request, socket, head, (connection) => {
      connection.on('error', () => connection.terminate());
      part.scans.add(connection);
    });
  }
}

function requestTarget(url: string): Part {
  return { url, forwarding: new Forwarding(url), scans: new ReceivedScans(url) };
}

/** Returns the address of a web server at another host, with the same scheme, port and path. */
function atAddress(url: string, address: string): string {
  const moved = new URL(url);
  moved.hostname = address;
  return moved.href.replace(/\/$/, '');
}

/**
 * Returns the reason why a scanner is not at an address; undefined if it is there. So pages cannot have requests
 * forwarded to other servers.
 */
async function addressProblem(url: string, serialNumber: string): Promise<string | undefined> {
  try {
    const actual = await new Scanner({ url, timeoutMs: newAddressTimeout }).read('SerialNumber');
    return actual === serialNumber ? undefined : `${url} is another scanner: its serial number is ${actual}.`;
  } catch (error) {
    if (error instanceof ClientError) return error.message;
    throw error;
  }
}

/** True if the scanner has live scans itself. @throws UnreachableError */
async function hasLiveScans(url: string): Promise<boolean> {
  const request = { redirect: 'manual', signal: AbortSignal.timeout(10_000) } as const;
  const response = await fetch(url + scanPath, request).catch((error: unknown) => {
    throw new UnreachableError(url, 'it does not answer', error);
  });
  await response.body?.cancel();
  return response.status === 426;
}

/** Reads the login in the body of a request. @throws CommandFailure */
async function loginIn(request: IncomingMessage) {
  const login = await readJsonBody(request);
  if (isObject(login) && typeof login.user === 'string' && isLoginLevel(login.user)) {
    if (typeof login.password === 'string') return { user: login.user, password: login.password };
  }
  throw new CommandFailure('expected {"user": LEVEL, "password": TEXT}');
}

const bodies = new Bodies(maxBodyBytes, 64 * maxBodyBytes);

/** Returns undefined for a body that is not JSON, or too long. */
async function readJsonBody(request: IncomingMessage): Promise<unknown> {
  try {
    return JSON.parse(String(await bodies.read(request)));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof BodyRefused) return undefined;
    throw error;
  }
}

function json(response: ServerResponse, value: unknown): void {
  response.setHeader('Cache-Control', 'no-store');
  respondJson(response, 200, value);
}

function listeningPort(address: AddressInfo | string | null): number {
  return address !== null && typeof address === 'object' ? address.port : 0;
}
