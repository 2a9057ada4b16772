import type { IncomingMessage } from 'node:http';
import type { PortClock } from './interfaces.js';
import { firstBodyBuffer, requestsPerClockUpdate } from './limits.js';
import type { SharedLimit } from './network/shared-limit.js';

const nothing: Buffer = Buffer.alloc(0);

/**
 * Collects one body in one buffer that doubles in size: keeping the chunks themselves may cost a hundred times their
 * bytes. A chunk that is the whole body is used without a copy.
 */
class BodyBuffer {
  readonly #longest: number;
  readonly #reserve: (bytes: number) => boolean;
  readonly #announced: number | undefined;
  #buffer: Buffer = nothing;
  #length = 0;
  #reserved = 0;
  /** Why the body is refused, if it is. */
  refusal: string | undefined;

  /** @param reserve reserves this many bytes; a negative number returns them */
  constructor(longest: number, reserve: (bytes: number) => boolean, announced?: number) {
    this.#longest = longest;
    this.#reserve = reserve;
    this.#announced = announced;
  }

  get content(): Buffer {
    return this.#length === this.#buffer.length ? this.#buffer : this.#buffer.subarray(0, this.#length);
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
    if (this.#reserved > 0) this.#reserve(-this.#reserved);
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
    const wanted = Math.min(this.#longest, Math.max(firstBodyBuffer, 2 * size, length));
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

/** The body is refused; the message says why. Its bytes have been read and dropped. */
export class BodyRefused extends Error {
  override readonly name = 'BodyRefused';
}

/** The connection closed before the body was complete, so no client is left to answer. */
export class BodyBrokenOff extends Error {
  override readonly name = 'BodyBrokenOff';
}

/** What became of a body. */
export type ReadBody = Buffer | BodyRefused | BodyBrokenOff;

/** Reads the bodies of requests. It limits the size of each, and of all unfinished bodies together. */
export class Bodies {
  readonly #longest: number;
  readonly #together: number;
  readonly #clock: Pick<PortClock, 'catchUp'> | undefined;
  readonly #shared: SharedLimit | undefined;
  #held = 0;
  #chunks = 0;

  /** @param clock is updated while hundreds of bodies arrive at once @param shared bytes of all scanners of the process */
  constructor(longest: number, together: number, clock?: Pick<PortClock, 'catchUp'>, shared?: SharedLimit) {
    this.#longest = longest;
    this.#together = together;
    this.#clock = clock;
    this.#shared = shared;
  }

  /** Bytes reserved for unfinished bodies. */
  get held(): number {
    return this.#held;
  }

  /**
   * Reads a request to its end, even if its body is refused, so that the connection can be used again.
   * @param announced its length in bytes, if the request states one
   * @param longest limit in bytes for this body, if it is lower than the general one
   * @throws BodyRefused, BodyBrokenOff
   */
  read(request: IncomingMessage, announced?: number, longest = this.#longest): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      this.collect(request, announced, longest, (body) => {
        if (body instanceof Error) reject(body);
        else resolve(body);
      });
    });
  }

  /** As `read`, but calls `done` once, at the end of the request: a promise would cost more than a short body. */
  collect(
    request: IncomingMessage,
    announced: number | undefined,
    longest: number,
    done: (body: ReadBody) => void,
  ): void {
    if (request.destroyed) {
      done(new BodyBrokenOff());
      return;
    }
    const body = new BodyBuffer(longest, this.#reserve, announced);
    let isDone = false;
    request.on('data', (chunk: Buffer) => {
      if (++this.#chunks % requestsPerClockUpdate === 0) this.#clock?.catchUp();
      body.add(chunk);
    });
    request.on('end', () => {
      isDone = true;
      const { content, refusal } = body;
      body.free();
      done(refusal === undefined ? content : new BodyRefused(refusal));
    });
    // Emitted for every request, after its end. Node emits no error for a request that has no listener for it.
    request.on('close', () => {
      if (isDone) return;
      body.free();
      done(new BodyBrokenOff());
    });
  }

  /** Reserves bytes of the limit that all bodies share, or returns them if negative. False if too few are left. */
  readonly #reserve = (bytes: number): boolean => {
    if (this.#held + bytes > this.#together) return false;
    if (this.#shared !== undefined && bytes > 0 && !this.#shared.hasRoom(bytes)) return false;
    this.#shared?.add(bytes);
    this.#held += bytes;
    return true;
  };
}
