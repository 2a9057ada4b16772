import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Device, TooFewFiles } from '@azimuth/device';
import { extensionPrefix, Fault } from '@azimuth/model';
import { answerFile } from '../files/file-interface.js';
import { replyLater, replyText } from '../http/reply.js';
import { pathOf } from '../http/request-head.js';
import type { Turns } from '../http/turns.js';
import type { Counts } from '../metrics/counts.js';
import { type Page, pageAt, pageFor } from '../pages/pages.js';
import { Exchange } from '../rest/exchange.js';
import { RestInterface, restBodies, restPath } from '../rest/rest-interface.js';
import { SaidOnce } from '../said-once.js';

const root = 'api';

/**
 * The name that a path of the interface means which is not written as it should be: with doubled slashes, dots, capital
 * letters in `/API`, encoded slashes or one at the end. Empty where it means none, undefined for a path beside `/api`.
 */
export function nameMeant(path: string): string | undefined {
  const [first, ...others] = segmentsOf(path);
  return first?.toLowerCase() === root ? others.join('/') : undefined;
}

/** RFC 3986 §5.2.4, with empty segments taken away. */
function segmentsOf(path: string): string[] {
  const segments: string[] = [];
  for (const segment of withoutCodes(path).split('/')) {
    if (segment === '..') segments.pop();
    else if (segment !== '' && segment !== '.') segments.push(segment);
  }
  return segments;
}

/** Also where `decodeURIComponent` would give up. */
function withoutCodes(path: string): string {
  return path.replace(/%[0-9a-f]{2}/gi, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)));
}

const extensionPath = `/${extensionPrefix}`;

/** Brings a request to what its path names: the interface of the specification, or a page of ours beside it. */
export class Router {
  readonly #device: Device;
  readonly #counts: Counts;
  readonly #turns: Turns;
  readonly #shortages: SaidOnce;
  readonly #rest: RestInterface;
  readonly #extensions: RestInterface;

  constructor(device: Device, counts: Counts, turns: Turns) {
    const { traffic } = counts;
    this.#device = device;
    this.#counts = counts;
    this.#shortages = new SaidOnce(device.host.log);
    const bodies = restBodies(device.clock);
    this.#rest = new RestInterface(device, traffic, turns, bodies, {
      prefix: '',
      endpoints: () => device.endpoints,
      fileAt: (name) => {
        const file = device.files.get(name);
        if (file === undefined) return undefined;
        return (request, response, log) => answerFile(device, file, request, response, log);
      },
    });
    this.#extensions = new RestInterface(device, traffic, turns, bodies, {
      prefix: extensionPrefix,
      endpoints: () => device.extensions,
      fileAt: () => undefined,
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
    new Exchange(this.#device, this.#counts.traffic, path, request, response).refuse(fault);
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
      await page({ device: this.#device, counts: this.#counts }, response);
      this.#shortages.again();
    } catch (error) {
      this.#refuse(path, error, response);
    }
    this.#counts.traffic.sent(path, response.statusCode);
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
