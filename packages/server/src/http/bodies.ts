import type { Readable } from 'node:stream';
import type { Clock } from '@azimuth/device';
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
  readonly #clock: Pick<Clock, 'catchUp'> | undefined;
  #held = 0;

  /** `clock` keeps its time where hundreds of bodies come at once. */
  constructor(longest: number, together: number, clock?: Pick<Clock, 'catchUp'>) {
    this.#longest = longest;
    this.#together = together;
    this.#clock = clock;
  }

  /** The bytes set aside for bodies that have not come to their end. */
  get held(): number {
    return this.#held;
  }

  /**
   * Reads a request to its end, also where the body is refused: the connection stays of use. `announced` is its
   * length in bytes where the request states one, `longest` what this one may have where that is less than all others.
   * Calls one of the two, once. (A promise for each body took as long as all checks of a write together.)
   */
  receive(
    request: Readable,
    announced: number | undefined,
    received: (body: Buffer) => void,
    failed: (why: BodyRefused | BodyBrokenOff) => void,
    longest = this.#longest,
  ): void {
    if (request.destroyed) {
      failed(new BodyBrokenOff());
      return;
    }
    const body = new BodyBuffer(longest, (bytes) => this.#reserve(bytes), announced);
    let settled = false;
    const brokenOff = () => {
      // Every request closes, most of them after their end.
      if (settled) return;
      settled = true;
      body.free();
      failed(new BodyBrokenOff());
    };
    request.on('data', (chunk: Buffer) => {
      this.#clock?.catchUp();
      body.add(chunk);
    });
    request.on('end', () => {
      if (settled) return;
      settled = true;
      const { content, refusal } = body;
      body.free();
      if (refusal === undefined) received(content);
      else failed(new BodyRefused(refusal));
    });
    request.on('close', brokenOff);
    request.on('error', brokenOff);
  }

  /**
   * The same as a promise.
   * @throws BodyRefused, BodyBrokenOff
   */
  read(request: Readable, announced?: number): Promise<Buffer> {
    return new Promise((resolve, reject) => this.receive(request, announced, resolve, reject));
  }

  /** Takes bytes from what all bodies share, or gives them back where negative; false where there are not enough. */
  #reserve(bytes: number): boolean {
    if (this.#held + bytes > this.#together) return false;
    this.#held += bytes;
    return true;
  }
}
