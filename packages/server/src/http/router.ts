import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Device } from '@azimuth/device';
import { RestInterface, restPath } from '../rest/rest-interface.js';
import { type Page, pageAt } from './pages.js';
import { replyText } from './reply.js';
import { pathOf } from './target.js';

/** Brings a request to what its path names: the interface of the specification, or a page of ours beside it. */
export class Router {
  readonly #device: Device;
  readonly #rest: RestInterface;

  constructor(device: Device) {
    this.#device = device;
    this.#rest = new RestInterface(device);
  }

  /** Answers a request: at once, or by the time that the promise is fulfilled. */
  serve(request: IncomingMessage, response: ServerResponse): void | Promise<void> {
    const path = pathOf(request.url ?? '');
    // Clients of the interface end at an answer that is no JSON: the bare path is answered like any unknown name.
    if (path.startsWith(restPath) || `${path}/` === restPath) {
      return this.#rest.handle(path.slice(restPath.length), request, response);
    }
    request.resume();
    return this.#serveBeside(path, request, response);
  }

  #serveBeside(path: string, request: IncomingMessage, response: ServerResponse): void | Promise<void> {
    if (request.method !== 'GET') {
      return replyText(response, 405, `Only GET is answered here; the interface is under ${restPath}`);
    }
    const page = pageAt(path);
    if (page === undefined) {
      return replyText(
        response,
        404,
        `Nothing is at ${path.slice(0, 200)}; the interface is under ${restPath}`,
      );
    }
    return this.#send(path, page, response);
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
