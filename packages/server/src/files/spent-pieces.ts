import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Bytes of pieces that may lie about until they are collected. */
const enough = 8 * 1024 * 1024;

/**
 * Has the pieces of a large body collected when they have been dealt with. Node keeps them outside the heap, and its
 * collector lets more than 32 MB of them pile up before it looks; looking at what is young takes it half a millisecond.
 */
export class SpentPieces {
  #bytes = 0;

  add(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes < enough) return;
    this.#bytes = 0;
    known ??= collector();
    known();
  }
}

let known: (() => void) | undefined;

/** Node hands its collector out on demand, to contexts that are made afterwards; where it does not, it works as ever. */
function collector(): () => void {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('globalThis.gc');
  setFlagsFromString('--no-expose-gc');
  return typeof collect === 'function' ? () => collect({ type: 'minor' }) : () => undefined;
}
