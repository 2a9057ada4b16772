import type { IncomingMessage } from 'node:http';
import { SharedLimit } from '@azimuth/http';

/** Largest body in bytes that is buffered, so that it can be sent again to another worker. */
const largestBuffered = 256 * 1024;

/** Default limit of the bytes of all buffered bodies. */
const defaultBufferedBytes = 64 * 1024 * 1024;

const nothing = Buffer.alloc(0);

/** Buffers the bodies of requests until the requests are answered. */
export class BufferedBodies {
  readonly #buffered: SharedLimit;

  /** @param most bytes of all bodies. A body without room goes to one worker only */
  constructor(most = defaultBufferedBytes) {
    this.#buffered = new SharedLimit(most);
  }

  /**
   * Calls `act` with the body for any number of workers: if the body is small, it is buffered until `act` has ended. If it is
   * larger, has no length or has no room, it goes to one worker only, and the argument is undefined.
   * @throws Error if the client breaks off
   */
  withBody<T>(request: IncomingMessage, act: (body: Buffer | undefined) => Promise<T>): Promise<T> {
    const length = Number(request.headers['content-length'] ?? 0);
    if (request.headers['transfer-encoding'] !== undefined || length > largestBuffered) return act(undefined);
    if (length === 0) return act(nothing);
    if (!this.#buffered.tryAdd(length)) return act(undefined);
    return this.#buffer(request, length, act);
  }

  async #buffer<T>(request: IncomingMessage, length: number, act: (body: Buffer) => Promise<T>): Promise<T> {
    try {
      const pieces: Buffer[] = [];
      for await (const piece of request) pieces.push(Buffer.from(piece));
      return await act(Buffer.concat(pieces));
    } finally {
      this.#buffered.add(-length);
    }
  }
}
