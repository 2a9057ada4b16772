const firstSize = 1024;
const nothing: Buffer = Buffer.alloc(0);

/**
 * One body as it comes: copied into one buffer that doubles, as a chunk kept may cost a hundred times its bytes. Only a
 * chunk that is the whole body is taken as it is, since nothing is waited for then.
 */
export class BodyBuffer {
  readonly #longest: number;
  readonly #reserve: (bytes: number) => boolean;
  readonly #announced: number | undefined;
  #buffer: Buffer = nothing;
  #length = 0;
  #reserved = 0;
  /** Why it is not taken, if it is not. */
  refusal: string | undefined;

  /** `reserve` is asked for the bytes it is about to take, and told with a minus of those it gives back. */
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
    if (length > this.#longest) this.#refuse(`a body of at most ${this.#longest} bytes expected`);
    else if (length === this.#announced && this.#length === 0) this.#take(chunk);
    else if (!this.#hasRoom(length)) this.#refuse('too many large bodies at the same time; try again');
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

  #hasRoom(length: number): boolean {
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
