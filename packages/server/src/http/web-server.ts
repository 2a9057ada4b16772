import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Device } from '@azimuth/device';
import { Fault } from '@azimuth/model';
import { RestInterface, restPath } from '../rest/rest-interface.js';
import { Connections } from './connections.js';
import { listen } from './listen.js';
import { type Page, pageAt } from './pages.js';
import { RateLimit } from './rate-limit.js';
import { refuse, replyText } from './reply.js';

export interface WebServerFacts {
  readonly host: string;
  /** 0 for any free one; once chosen it stays the same over reboots. */
  readonly port: number;
  readonly maxConnections: number;
  /** Requests a second and client; undefined for no limit. */
  readonly rateLimit?: number;
}

/** Everything that is served over HTTP: the interface of the specification under `/api/`, our own paths beside it. */
export class WebServer {
  readonly #device: Device;
  readonly #facts: WebServerFacts;
  readonly #rest: RestInterface;
  readonly #rateLimit: RateLimit | undefined;
  #server: Server | undefined;
  #opening: object | undefined;
  #port: number;

  constructor(device: Device, facts: WebServerFacts) {
    this.#device = device;
    this.#facts = facts;
    this.#port = facts.port;
    this.#rest = new RestInterface(device);
    this.#rateLimit =
      facts.rateLimit === undefined ? undefined : new RateLimit(device.clock, facts.rateLimit);
  }

  /** The port it listens on, or will; undefined while nothing listens. */
  get port(): number | undefined {
    return this.#server === undefined ? undefined : this.#port;
  }

  /** @throws PortTaken */
  async open(): Promise<void> {
    const connections = new Connections(this.#facts.maxConnections);
    const server = createServer((request, response) => {
      if (connections.isRefused(request.socket)) {
        response.shouldKeepAlive = false;
        request.resume();
        refuse(response, new Fault('outOfConnections', '', 'too many connections at the same time'));
        return;
      }
      this.#answer(request, response);
    });
    server.on('connection', (socket) => connections.add(socket));
    const wish = { server };
    this.#opening = wish;
    const port = await listen(server, this.#facts.host, this.#port, '--port');
    // Closed while the port was being opened: then it is not to be open.
    if (this.#opening !== wish) {
      server.close();
      server.closeAllConnections();
      return;
    }
    this.#port = port;
    this.#server = server;
  }

  /** Closes the listener and every connection, at once. */
  close(): void {
    this.#opening = undefined;
    this.#server?.close();
    this.#server?.closeAllConnections();
    this.#server = undefined;
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const wait = this.#rateLimit?.wait(request.socket.remoteAddress ?? '') ?? 0;
    if (wait > 0) {
      request.resume();
      response.setHeader('Retry-After', wait);
      refuse(response, new Fault('outOfConnections', '', `too many requests: try again in ${wait} s`), 429);
      return;
    }
    const [path = ''] = (request.url ?? '').split('?', 1);
    // Clients of the interface end at an answer that is no JSON: the bare path is answered like any unknown name.
    if (path.startsWith(restPath) || `${path}/` === restPath) {
      void this.#rest.handle(path.slice(restPath.length), request, response);
      return;
    }
    request.resume();
    this.#answerBeside(path, request, response);
  }

  #answerBeside(path: string, request: IncomingMessage, response: ServerResponse): void {
    if (request.method !== 'GET') {
      replyText(response, 405, `Only GET is answered here; the interface is under ${restPath}`);
      return;
    }
    const page = pageAt(path);
    if (page === undefined) {
      replyText(response, 404, `Nothing is at ${path.slice(0, 200)}; the interface is under ${restPath}`);
      return;
    }
    void this.#send(path, page, response);
  }

  async #send(path: string, page: Page, response: ServerResponse): Promise<void> {
    try {
      await page(this.#device, response);
    } catch (error) {
      this.#device.host.log.error('A page could not be sent', { path, reason: String(error) });
      if (!response.headersSent) replyText(response, 500, 'The scanner failed to answer; its log says why.');
    }
  }
}
