import type { IncomingMessage } from 'node:http';
import { SharedLimit } from '@azimuth/http';

/** Bytes of a body that is kept, so that it can be sent again to another worker. */
const mostKept = 256 * 1024;

/** Bytes of all bodies that are kept, if nobody says otherwise. */
const usuallyKeptTogether = 64 * 1024 * 1024;

const nothing = Buffer.alloc(0);

/** Bodies of requests that a gateway keeps until they are answered. */
export class KeptBodies {
  readonly #kept: SharedLimit;

  /** @param most bytes of all of them. A body for which there is no room goes to one worker only */
  constructor(most = usuallyKeptTogether) {
    this.#kept = new SharedLimit(most);
  }

  /**
   * Lets `act` have what is to be sent to whichever worker takes it: the body if it is small, and kept until `act` has ended.
   * A body that is larger, has no length or has no room goes to one worker only: it is undefined.
   * @throws Error if the client breaks off
   */
  async withBody<T>(request: IncomingMessage, act: (body: Buffer | undefined) => Promise<T>): Promise<T> {
    const length = Number(request.headers['content-length'] ?? 0);
    if (request.headers['transfer-encoding'] !== undefined || length > mostKept) return act(undefined);
    if (length === 0) return act(nothing);
    if (!this.#kept.tryAdd(length)) return act(undefined);
    try {
      const pieces: Buffer[] = [];
      for await (const piece of request) pieces.push(Buffer.from(piece));
      return await act(Buffer.concat(pieces));
    } finally {
      this.#kept.add(-length);
    }
  }
}
