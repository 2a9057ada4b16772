import type { Patience } from './patience.js';
import type { Progress } from './source.js';

interface Facts {
  readonly response: Response;
  readonly patience: Patience;
  readonly onProgress: Progress;
  /** The error of ours that an error of the platform means. */
  readonly errorOf: (error: unknown) => Error;
}

/** A file on its way: piece by piece, or all of it. It can be read once. */
export class Download implements AsyncIterable<Uint8Array> {
  readonly #facts: Facts;

  constructor(facts: Facts) {
    this.#facts = facts;
  }

  /** Bytes in all; undefined where the scanner does not say. */
  get size(): number | undefined {
    const length = this.#facts.response.headers.get('Content-Length');
    return length === null ? undefined : Number(length);
  }

  /** @throws UnreachableError where the connection breaks off, or nothing comes any more. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void> {
    const { response, patience, onProgress, errorOf } = this.#facts;
    const reader = response.body?.getReader();
    let received = 0;
    try {
      for (;;) {
        const piece = await reader?.read();
        if (piece?.value === undefined) return;
        patience.renew();
        received += piece.value.byteLength;
        onProgress(received, this.size);
        yield piece.value;
      }
    } catch (error) {
      throw errorOf(error);
    } finally {
      patience.end();
      // Whoever stops reading in the middle lets the connection go.
      await reader?.cancel().catch(() => undefined);
    }
  }

  /** The whole file. */
  async bytes(): Promise<Uint8Array<ArrayBuffer>> {
    const pieces: Uint8Array[] = [];
    let length = 0;
    for await (const piece of this) {
      pieces.push(piece);
      length += piece.byteLength;
    }
    const whole = new Uint8Array(length);
    let at = 0;
    for (const piece of pieces) {
      whole.set(piece, at);
      at += piece.byteLength;
    }
    return whole;
  }
}
