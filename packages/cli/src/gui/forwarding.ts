import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { forwardingFailure, type RequestContext, respondText, ScannerForwarding } from '@azimuth/http';
import { contentAt } from '@azimuth/server/pages';

/** Forwards requests and WebSockets of `azimuth gui` to one scanner. */
export class Forwarding {
  readonly #scanner: ScannerForwarding;

  /** @param url the scanner, without a slash at its end */
  constructor(readonly url: string) {
    this.#scanner = new ScannerForwarding({ url, contentAt });
  }

  /** @param path the requested path of the scanner, with its query */
  async request(path: string, context: RequestContext, response: ServerResponse): Promise<void> {
    try {
      await this.#scanner.request(path, context, response);
    } catch (error) {
      respondText(response, 502, `${this.url} does not answer: ${forwardingFailure(error)}`);
    }
  }

  upgrade(path: string, context: RequestContext, socket: Duplex, head: Buffer): void {
    this.#scanner.upgrade(path, context, socket, head);
  }
}
