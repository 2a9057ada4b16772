import type { IncomingMessage } from 'node:http';
import type { Clock } from '@azimuth/device';
import type { FileTransfer } from '@azimuth/model';
import { Bodies, BodyRefused } from '../http/bodies.js';
import { drain } from './drain.js';
import { PartRefused, PartTooLarge, partOf } from './multipart.js';

/** What a multipart body may have beside the file, in bytes. */
const wrapping = 64 * 1024;
/** How many of the largest uploads may be under way at the same time. */
const largestAtOnce = 4;

/** Takes files of at most so many bytes out of requests, each as a body of its own or as a part of a multipart one. */
export class UploadedFiles {
  readonly #part: string;
  readonly #maxBytes: number;
  readonly #bodies: Bodies;

  constructor({ part = 'file', maxBytes = 0 }: FileTransfer) {
    this.#part = part;
    this.#maxBytes = maxBytes;
    const longest = maxBytes + wrapping;
    this.#bodies = new Bodies(longest, largestAtOnce * longest);
  }

  /**
   * The file that a request carries. What is not taken is read and dropped.
   * @throws PartRefused where there is none, PartTooLarge, BodyRefused where too many come at the same time,
   * BodyBrokenOff
   */
  async of(request: IncomingMessage, clock: Clock): Promise<Buffer> {
    const { headers } = request;
    const announced = headers['content-length'] === undefined ? undefined : Number(headers['content-length']);
    const isMultipart = /^\s*multipart\//i.test(headers['content-type'] ?? '');
    if (announced !== undefined && announced > this.#maxBytes + (isMultipart ? wrapping : 0)) {
      // Nobody has to send 100 MB to hear that they are too much.
      drain(request, clock);
      throw this.#tooLarge();
    }
    const body = await this.#received(request, announced, clock);
    const file = isMultipart
      ? await partOf(headers, body, { part: this.#part, maxBytes: this.#maxBytes })
      : body;
    if (file.length > this.#maxBytes) throw this.#tooLarge();
    if (file.length === 0) throw new PartRefused('a file expected, nothing came');
    return file;
  }

  async #received(request: IncomingMessage, announced: number | undefined, clock: Clock): Promise<Buffer> {
    let bytes = 0;
    const count = (chunk: Buffer) => {
      clock.catchUp();
      bytes += chunk.length;
    };
    request.on('data', count);
    try {
      return await this.#bodies.read(request, announced);
    } catch (error) {
      if (error instanceof BodyRefused && bytes > this.#maxBytes + wrapping) throw this.#tooLarge();
      throw error;
    }
  }

  #tooLarge(): PartTooLarge {
    return new PartTooLarge(`a file of at most ${this.#maxBytes} bytes expected`);
  }
}
