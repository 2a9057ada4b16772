import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import {
  forwardingFailure,
  pathOf,
  type RequestContext,
  refuseUpgrade,
  respondText,
  ScannerForwarding,
} from '@azimuth/http';
import { contentAt, isOwnPage, sendOwnPage } from '@azimuth/server/pages';
import { mostUsesOfScanner } from '../limits.js';
import type { RealTarget } from './adopted-client.js';

interface Options extends RealTarget {
  /** Its name in refusals. */
  readonly name: string;
  /** The folder of the GUI; undefined for none. */
  readonly gui: string | undefined;
}

/** Paths of the simulation. */
const simulation = /^\/x\/sim(?:[/?]|$)/;

const noSimulation = 'This is a real scanner: it has no simulation.';

/**
 * Forwards requests at the port of a fleet to a real scanner. Logins stay between the client and the scanner. Pages come
 * from this program; nothing that the scanner answers is a page.
 */
export class AdoptedRequests {
  readonly #options: Options;
  readonly #forwarding: ScannerForwarding;
  /** Connections of running requests and WebSockets. */
  readonly #open = new Set<Duplex>();
  readonly #responding = new Set<Promise<void>>();
  #count = 0;

  constructor(options: Options) {
    this.#options = options;
    this.#forwarding = new ScannerForwarding({ ...options, contentAt });
  }

  /** True if this program answers a request itself. */
  static isOwn({ request: { url = '' } }: RequestContext): boolean {
    return isOwnPage(pathOf(url)) || simulation.test(url);
  }

  /** Number of requests so far. */
  get count(): number {
    return this.#count;
  }

  /** Responds to a request. Never rejects. */
  async respond(context: RequestContext, response: ServerResponse): Promise<void> {
    const responding = this.#respond(context, response).finally(() => this.#responding.delete(responding));
    this.#responding.add(responding);
    await responding;
  }

  /** Fulfilled when all requests that run now have their responses. */
  async responded(): Promise<void> {
    await Promise.all(this.#responding);
  }

  async #respond(context: RequestContext, response: ServerResponse): Promise<void> {
    const { request } = context;
    const { name, gui } = this.#options;
    const { url: target = '' } = request;
    this.#count++;
    const { socket } = request;
    try {
      if (simulation.test(target)) {
        request.resume();
        respondText(response, 404, noSimulation);
      } else if (isOwnPage(pathOf(target))) {
        request.resume();
        await sendOwnPage(gui, pathOf(target), response);
      } else if (this.#open.size >= mostUsesOfScanner) {
        request.resume();
        response.setHeader('Retry-After', 1);
        respondText(response, 503, `${name} has ${mostUsesOfScanner} requests that are not answered yet.`);
      } else {
        this.#open.add(socket);
        await this.#forwarding.request(target, context, response);
      }
    } catch (error) {
      respondText(response, 502, `${name} does not answer: ${forwardingFailure(error)}`);
    } finally {
      this.#open.delete(socket);
    }
  }

  upgrade(context: RequestContext, socket: Duplex, head: Buffer): void {
    this.#count++;
    if (this.#open.size >= mostUsesOfScanner) {
      refuseUpgrade(socket, 503, `${this.#options.name} has too many connections.`, ['Retry-After', '1']);
      return;
    }
    this.#open.add(socket);
    socket.once('close', () => this.#open.delete(socket));
    this.#forwarding.upgrade(context.request.url ?? '', context, socket, head);
  }

  /** Breaks off running requests and WebSockets. */
  breakOff(): void {
    for (const socket of this.#open) socket.destroy();
  }

  close(): void {
    this.breakOff();
  }
}
