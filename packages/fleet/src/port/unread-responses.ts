import type { ServerResponse } from 'node:http';
import { AddressShares, clientOf, respondText, SharedLimit, sendBytes } from '@azimuth/http';

/** Bytes of all responses that clients have not read yet. The list of 10,000 scanners has 4 MB. */
const defaultUnreadBytes = 64 * 1024 * 1024;

/** Bytes of a response that is written at once: it waits at its connection, and not here. */
const mostAtOnce = 16 * 1024;

/**
 * Responses about a whole fleet while clients read them. Clients that read the same response share its bytes. If there is no
 * room, the address with most responses loses one to an address with fewer.
 */
export class UnreadResponses {
  readonly #unread: SharedLimit;
  /** Number of readers of each body. */
  readonly #readers = new Map<Buffer, number>();
  readonly #reading = new Map<ServerResponse, Buffer>();
  readonly #shares = new AddressShares<ServerResponse>();

  /** @param most largest number of bytes of all responses */
  constructor(most = defaultUnreadBytes) {
    this.#unread = new SharedLimit(most);
  }

  /** Sends a body, or HTTP 503 if there is no room for it. HEAD gets its length. */
  send(response: ServerResponse, mediaType: string, body: Buffer): void {
    // The client left while the response was made. Node would not report it again.
    if (response.destroyed || response.req.socket.destroyed) return;
    const isShort = body.length <= mostAtOnce || response.req.method === 'HEAD';
    if (!isShort && !this.#hold(response, body)) {
      response.setHeader('Retry-After', 1);
      respondText(response, 503, 'Too many clients have not read their answers yet.');
      return;
    }
    sendBytes(response, mediaType, body);
  }

  #hold(response: ServerResponse, body: Buffer): boolean {
    const client = clientOf(response.req.socket.remoteAddress);
    const before = () => this.#readers.get(body) ?? 0;
    while (before() === 0 && !this.#unread.hasRoom(body.length)) if (!this.#endOneFor(client)) return false;
    if (before() === 0) this.#unread.add(body.length);
    this.#readers.set(body, before() + 1);
    this.#reading.set(response, body);
    this.#shares.add(response, client);
    response.once('close', () => this.#release(response));
    return true;
  }

  /** @returns false if no address reads more responses than this one would then */
  #endOneFor(client: string): boolean {
    const [oldest] = this.#shares.largest(client);
    if (oldest === undefined) return false;
    this.#release(oldest);
    oldest.destroy();
    return true;
  }

  #release(response: ServerResponse): void {
    const body = this.#reading.get(response);
    if (body === undefined) return;
    this.#reading.delete(response);
    this.#shares.delete(response);
    const left = (this.#readers.get(body) ?? 1) - 1;
    if (left > 0) {
      this.#readers.set(body, left);
      return;
    }
    this.#readers.delete(body);
    this.#unread.add(-body.length);
  }
}
