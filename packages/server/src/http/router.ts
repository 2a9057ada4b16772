import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Device, TooFewFiles } from '@azimuth/device';
import { extensionPrefix, Fault, type FileEndpoint } from '@azimuth/model';
import type { Traffic } from '../metrics/traffic.js';
import { Exchange } from '../rest/exchange.js';
import { RestInterface, restBodies, restPath } from '../rest/rest-interface.js';
import { SaidOnce } from '../said-once.js';
import { pageFor } from './beside.js';
import { type Page, pageAt } from './pages.js';
import { replyLater, replyText } from './reply.js';
import { nameMeant } from './sloppy-path.js';
import { pathOf } from './target.js';
import type { Turns } from './turns.js';

const extensionPath = `/${extensionPrefix}`;
const noFiles: ReadonlyMap<string, FileEndpoint> = new Map();

/** Brings a request to what its path names: the interface of the specification, or a page of ours beside it. */
export class Router {
  readonly #device: Device;
  readonly #traffic: Traffic;
  readonly #turns: Turns;
  readonly #shortages: SaidOnce;
  readonly #rest: RestInterface;
  readonly #extensions: RestInterface;

  constructor(device: Device, traffic: Traffic, turns: Turns) {
    this.#device = device;
    this.#traffic = traffic;
    this.#shortages = new SaidOnce(device.host.log);
    const bodies = restBodies(device.clock);
    this.#rest = new RestInterface(device, traffic, turns, bodies, {
      prefix: '',
      endpoints: () => device.endpoints,
      files: () => device.files,
    });
    this.#extensions = new RestInterface(device, traffic, turns, bodies, {
      prefix: extensionPrefix,
      endpoints: () => device.extensions,
      files: () => noFiles,
    });
    this.#turns = turns;
  }

  /** Answers a request: at once, or in a turn that it takes. */
  serve(request: IncomingMessage, response: ServerResponse): void {
    const path = pathOf(request.url ?? '');
    if (path.startsWith(restPath) && path.indexOf('/', restPath.length) < 0) {
      this.#rest.handle(path.slice(restPath.length), request, response);
      return;
    }
    // Tools that look for an extension end at what is no JSON: what is not there is told like a name under /api/.
    if (path.startsWith(extensionPath) && pageAt(path) === undefined) {
      this.#extensions.handle(path.slice(extensionPath.length), request, response);
      return;
    }
    const meant = nameMeant(path);
    if (meant !== undefined || path.startsWith(restPath)) {
      this.#serveLongPath(path, meant, request, response);
      return;
    }
    // Whatever comes with it is read and dropped.
    request.on('data', () => this.#device.clock.catchUp());
    const page = pageFor(path, request, response);
    if (page !== undefined) this.#send(path, page, request, response);
  }

  /** A name with a slash in it, or a path that is not written as it should be: clients end at what is no JSON. */
  #serveLongPath(
    path: string,
    meant: string | undefined,
    request: IncomingMessage,
    response: ServerResponse,
  ): void {
    if (meant === undefined || !this.#exists(meant) || path === restPath + meant) {
      const name = path.startsWith(restPath) ? path.slice(restPath.length) : path;
      this.#rest.handle(name, request, response);
      return;
    }
    const fault = new Fault('notFound', '', `nothing is at ${path}: did you mean ${restPath}${meant}?`);
    new Exchange(this.#device, this.#traffic, path, request, response).refuse(fault);
  }

  #exists(name: string): boolean {
    return this.#device.endpoints.has(name) || this.#device.files.has(name);
  }

  #send(path: string, page: Page, { socket }: IncomingMessage, response: ServerResponse): void {
    const release = this.#turns.take(socket);
    this.#device.errors.contain(
      'http',
      () => this.#sent(path, page, response).finally(release),
      () => response.destroy(),
    );
  }

  async #sent(path: string, page: Page, response: ServerResponse): Promise<void> {
    try {
      await page({ device: this.#device, traffic: this.#traffic }, response);
      this.#shortages.again();
    } catch (error) {
      this.#refuse(path, error, response);
    }
    this.#traffic.sent(path, response.statusCode);
  }

  #refuse(path: string, error: unknown, response: ServerResponse): void {
    const facts = { path, reason: String(error) };
    if (error instanceof TooFewFiles) {
      // Whoever has taken all files may ask a thousand times a second.
      this.#shortages.error('A page could not be sent', facts);
      if (!response.headersSent) replyLater(response, error.message);
      return;
    }
    this.#device.host.log.error('A page could not be sent', facts);
    if (!response.headersSent) replyText(response, 500, 'The scanner failed to answer; its log says why.');
  }
}
