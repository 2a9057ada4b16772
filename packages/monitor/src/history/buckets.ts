/** Buckets of a chunk. */
export const chunkLength = 240;

/** Consecutive buckets. A value that does not change needs one number, however long it lasts. */
export type Chunk =
  | { readonly from: number; to: number; readonly value: number }
  /** NaN where nothing is known. */
  | Float32Array;

/** Values of equal stretches of time, the last so many of them, with gaps. Numbers of 32 bits. */
export class Buckets {
  /** By their numbers: the number of the first bucket, divided by the length of a chunk. */
  readonly #chunks = new Map<number, Chunk>();
  readonly #mostChunks: number;

  /** @param most buckets that are kept at least; at most a chunk more */
  constructor(most: number) {
    this.#mostChunks = Math.ceil(most / chunkLength) + 1;
  }

  get chunks(): ReadonlyMap<number, Chunk> {
    return this.#chunks;
  }

  /** Number of the first bucket that is known; undefined if none is. */
  get first(): number | undefined {
    if (this.#chunks.size === 0) return undefined;
    const number = Math.min(...this.#chunks.keys());
    const chunk = this.#chunks.get(number);
    if (chunk === undefined) return undefined;
    const within =
      chunk instanceof Float32Array ? chunk.findIndex((each) => !Number.isNaN(each)) : chunk.from;
    return number * chunkLength + Math.max(0, within);
  }

  /** NaN if it is not known. @param bucket its number: ms since 1970, divided by the length of a bucket */
  get(bucket: number): number {
    const chunk = this.#chunks.get(Math.floor(bucket / chunkLength));
    const within = modulo(bucket);
    if (chunk === undefined) return Number.NaN;
    if (chunk instanceof Float32Array) return chunk[within] ?? Number.NaN;
    return within >= chunk.from && within < chunk.to ? chunk.value : Number.NaN;
  }

  set(bucket: number, given: number): void {
    const number = Math.floor(bucket / chunkLength);
    const within = modulo(bucket);
    const value = Math.fround(given);
    const chunk = this.#chunks.get(number);
    if (chunk === undefined) {
      this.put(number, { from: within, to: within + 1, value });
      return;
    }
    if (chunk instanceof Float32Array) chunk[within] = value;
    else if (chunk.value === value && within >= chunk.from && within <= chunk.to)
      chunk.to = Math.max(chunk.to, within + 1);
    else {
      const array = new Float32Array(chunkLength).fill(Number.NaN).fill(chunk.value, chunk.from, chunk.to);
      array[within] = value;
      this.#chunks.set(number, array);
    }
  }

  /** Adds a chunk. If there are too many then, the oldest one is forgotten. A clock that was wrong for a while forgets no more. */
  put(number: number, chunk: Chunk): void {
    this.#chunks.set(number, chunk);
    if (this.#chunks.size > this.#mostChunks) this.#chunks.delete(Math.min(...this.#chunks.keys()));
  }
}

function modulo(bucket: number): number {
  return ((bucket % chunkLength) + chunkLength) % chunkLength;
}
