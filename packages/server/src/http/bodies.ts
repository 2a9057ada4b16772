import type { Readable } from 'node:stream';
import { BodyBuffer } from './body-buffer.js';

/** A body that is not taken; the message says why. What was sent of it is read and gone. */
export class BodyRefused extends Error {
  override readonly name = 'BodyRefused';
}

/** The connection went before the body had come: there is nobody left to answer. */
export class BodyBrokenOff extends Error {
  override readonly name = 'BodyBrokenOff';
}

/** Reads the bodies of one server's requests: each of at most so many bytes, and all unfinished ones together. */
export class Bodies {
  readonly #longest: number;
  readonly #together: number;
  #held = 0;

  constructor(longest: number, together: number) {
    this.#longest = longest;
    this.#together = together;
  }

  /** The bytes set aside for bodies that have not come to their end. */
  get held(): number {
    return this.#held;
  }

  /**
   * Reads a request to its end, also where the body is refused: the connection stays of use. `announced` is its
   * length in bytes where the request states one.
   * @throws BodyRefused, BodyBrokenOff
   */
  read(request: Readable, announced?: number): Promise<Buffer> {
    if (request.destroyed) return Promise.reject(new BodyBrokenOff());
    return new Promise((resolve, reject) => {
      const body = new BodyBuffer(this.#longest, (bytes) => this.#reserve(bytes), announced);
      let settled = false;
      const brokenOff = () => {
        // Every request closes, most of them after their end.
        if (settled) return;
        settled = true;
        body.free();
        reject(new BodyBrokenOff());
      };
      request.on('data', (chunk: Buffer) => body.add(chunk));
      request.on('end', () => {
        if (settled) return;
        settled = true;
        const { content, refusal } = body;
        body.free();
        if (refusal === undefined) resolve(content);
        else reject(new BodyRefused(refusal));
      });
      request.on('close', brokenOff);
      request.on('error', brokenOff);
    });
  }

  /** Takes bytes from what all bodies share, or gives them back where negative; false where there are not enough. */
  #reserve(bytes: number): boolean {
    if (this.#held + bytes > this.#together) return false;
    this.#held += bytes;
    return true;
  }
}
