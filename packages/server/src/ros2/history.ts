import { mostHistoryBytes } from './limits.js';

/** Sample of a writer, as it is stored for repairs. */
export interface Sample {
  readonly sequence: number;
  /** Time at which it was written: µs since 1970. */
  readonly time: number;
  /** Complete content; its length is a multiple of 4. */
  readonly payload: Uint8Array;
  /** GUID (16 bytes) of an instance that this sample ends; undefined for all others. */
  readonly ended: Uint8Array | undefined;
  /** Content for readers that expect an older form of it; undefined if there is none. */
  readonly older?: Sample;
  /** Number of peers and datagrams that still have to be sent: its memory must not change before. */
  pending: number;
}

/** Optional facts of a sample beside its content. */
export interface Addition {
  readonly ended?: Uint8Array | undefined;
  readonly older?: Uint8Array | undefined;
}

/** Minimum size of a buffer in bytes. */
const smallestBuffer = 256;
/** Factor by which buffers are larger than necessary, so that they can be used for the next samples. */
const spareRoom = 1.05;
/** Factor of the necessary size above which a buffer is not used again. */
const tooLarge = 2;

/** Last samples of a writer. The memory of samples that are dropped is used again. */
export class SampleHistory {
  readonly #depth: number;
  /** Age in µs. */
  readonly #age: number;
  readonly #samples: Sample[] = [];
  readonly #buffers = new WeakMap<Sample, Uint8Array>();
  /** Buffer for the next sample, from the last one that was dropped. */
  #spare: Uint8Array | undefined;
  /** Memory of the stored samples. */
  #bytes = 0;
  #lentBuffer: Uint8Array = new Uint8Array(0);
  /** Number of the last sample ever; 0 before the first. */
  last = 0;

  /**
   * @param depth number of stored samples, if they do not need too much memory
   * @param age time in ms for which they are stored; the last one always is
   */
  constructor(depth: number, age = Number.POSITIVE_INFINITY) {
    this.#depth = depth;
    this.#age = age * 1000;
  }

  /** Number of the first stored sample; one above `last` if none is. */
  get first(): number {
    return this.#samples[0]?.sequence ?? this.last + 1;
  }

  get all(): readonly Sample[] {
    return this.#samples;
  }

  get(sequence: number): Sample | undefined {
    if (sequence < this.first || sequence > this.last) return undefined;
    return this.#samples.find((sample) => sample.sequence === sequence);
  }

  /**
   * Returns a buffer of at least this size for the content of the next sample. The sample has to be added before the
   * next buffer is requested.
   */
  buffer(bytes: number): Uint8Array {
    this.#trim(this.#depth - 1, mostHistoryBytes - bytes);
    const spare = this.#spare;
    this.#spare = undefined;
    const size = Math.max(smallestBuffer, Math.ceil(bytes * spareRoom));
    const fits = spare !== undefined && spare.length >= bytes && spare.length < tooLarge * size;
    this.#lentBuffer = fits ? spare : new Uint8Array(size);
    return this.#lentBuffer;
  }

  /**
   * Adds a sample with the next number. Old samples are dropped, and above the depth the oldest one.
   * @param ended the GUID (16 bytes) of an instance that the sample ends
   * @param older its content in an older form, not in a buffer of this history
   */
  add(payload: Uint8Array, time: number, { ended, older }: Addition = {}): Sample {
    this.last += 1;
    const facts = { sequence: this.last, time, ended };
    const other = older === undefined ? undefined : { ...facts, payload: older, pending: 0 };
    const sample: Sample = { ...facts, payload, pending: 0, older: other };
    if (payload.buffer === this.#lentBuffer.buffer) this.#buffers.set(sample, this.#lentBuffer);
    this.#samples.push(sample);
    this.#bytes += this.#bytesOf(sample);
    this.#trim(this.#depth, mostHistoryBytes, time - this.#age);
    return sample;
  }

  remove(sequence: number): void {
    const at = this.#samples.findIndex((sample) => sample.sequence === sequence);
    for (const sample of at < 0 ? [] : this.#samples.splice(at, 1)) this.#bytes -= this.#bytesOf(sample);
  }

  #trim(count: number, bytes: number, oldest = Number.NEGATIVE_INFINITY): void {
    for (;;) {
      const [first] = this.#samples;
      // The last sample stays, however large it is.
      const isLast = this.#samples.length <= 1;
      const isOver = !isLast && (this.#bytes > bytes || (first?.time ?? 0) < oldest);
      if (!isOver && this.#samples.length <= Math.max(0, count)) return;
      const dropped = this.#samples.shift();
      if (dropped === undefined) return;
      this.#bytes -= this.#bytesOf(dropped);
      // The memory of a sample that still has to be sent must not change.
      if (dropped.pending === 0) this.#spare = this.#buffers.get(dropped) ?? this.#spare;
    }
  }

  #bytesOf(sample: Sample): number {
    return this.#buffers.get(sample)?.length ?? sample.payload.length;
  }
}
