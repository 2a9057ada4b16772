import type { Readable } from 'node:stream';
import type { Clock } from '@azimuth/device';

const firstSize = 1024;
const nothing: Buffer = Buffer.alloc(0);

/**
 * One body as it comes: copied into one buffer that doubles, as a chunk that is kept may cost a hundred times its bytes.
 * Only a chunk that is the whole body is taken as it is: then there is nothing to wait for.
 */
class BodyBuffer {
  readonly #longest: number;
  readonly #reserve: (bytes: number) => boolean;
  readonly #announced: number | undefined;
  #buffer: Buffer = nothing;
  #length = 0;
  #reserved = 0;
  /** Why it is not taken, if it is not. */
  refusal: string | undefined;

  /** @param reserve asks for the bytes that it is about to take; negative for those that it gives back */
  constructor(longest: number, reserve: (bytes: number) => boolean, announced?: number) {
    this.#longest = longest;
    this.#reserve = reserve;
    this.#announced = announced;
  }

  get content(): Buffer {
    return this.#buffer.subarray(0, this.#length);
  }

  add(chunk: Buffer): void {
    if (this.refusal !== undefined) return;
    const length = this.#length + chunk.length;
    if (length > this.#longest) this.#refuse(`expected a body of at most ${this.#longest} bytes`);
    else if (length === this.#announced && this.#length === 0) this.#take(chunk);
    else if (!this.#fits(length)) this.#refuse('too many large bodies at the same time; try again');
    else {
      chunk.copy(this.#buffer, this.#length);
      this.#length = length;
    }
  }

  free(): void {
    this.#reserve(-this.#reserved);
    this.#reserved = 0;
    this.#buffer = nothing;
    this.#length = 0;
  }

  #take(chunk: Buffer): void {
    this.#buffer = chunk;
    this.#length = chunk.length;
  }

  #fits(length: number): boolean {
    const size = this.#buffer.length;
    if (length <= size) return true;
    const wanted = Math.min(this.#longest, Math.max(firstSize, 2 * size, length));
    if (!this.#reserve(wanted - size)) return false;
    this.#reserved = wanted;
    const grown = Buffer.allocUnsafeSlow(wanted);
    this.#buffer.copy(grown, 0, 0, this.#length);
    this.#buffer = grown;
    return true;
  }

  #refuse(why: string): void {
    this.free();
    this.refusal = why;
  }
}

/** A body that is not taken; the message says why. What was sent of it is read and gone. */
export class BodyRefused extends Error {
  override readonly name = 'BodyRefused';
}

/** The connection went before the body had come: there is nobody left to answer. */
export class BodyBrokenOff extends Error {
  override readonly name = 'BodyBrokenOff';
}

/** Reads the bodies of requests: each of at most so many bytes, and all unfinished ones together. */
export class Bodies {
  readonly #longest: number;
  readonly #together: number;
  readonly #clock: Pick<Clock, 'catchUp'> | undefined;
  #held = 0;

  /** @param clock is kept up to date while hundreds of bodies come at once */
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
   * Reads a request to its end, also if the body is refused: the connection stays of use.
   * @param announced its length in bytes, if the request states one
   * @param longest bytes that this one may have, if that is less than for all others
   * @throws BodyRefused, BodyBrokenOff
   */
  read(request: Readable, announced?: number, longest = this.#longest): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const body = new BodyBuffer(longest, (bytes) => this.#reserve(bytes), announced);
      const brokenOff = () => {
        body.free();
        reject(new BodyBrokenOff());
      };
      if (request.destroyed) return brokenOff();
      request.on('data', (chunk: Buffer) => {
        this.#clock?.catchUp();
        body.add(chunk);
      });
      request.on('end', () => {
        request.off('close', brokenOff);
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
