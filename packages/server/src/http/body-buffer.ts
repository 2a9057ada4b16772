const firstSize = 1024;
const nothing = Buffer.alloc(0);

/** One body as it comes: copied into one buffer that doubles, as a chunk kept may cost a hundred times its bytes. */
export class BodyBuffer {
  readonly #longest: number;
  readonly #reserve: (bytes: number) => boolean;
  #buffer = nothing;
  #length = 0;
  /** Why it is not taken, if it is not. */
  refusal: string | undefined;

  /** `reserve` is asked for the bytes it is about to take, and told with a minus of those it gives back. */
  constructor(longest: number, reserve: (bytes: number) => boolean) {
    this.#longest = longest;
    this.#reserve = reserve;
  }

  get content(): Buffer {
    return this.#buffer.subarray(0, this.#length);
  }

  add(chunk: Buffer): void {
    if (this.refusal !== undefined) return;
    const length = this.#length + chunk.length;
    if (length > this.#longest) this.#refuse(`a body of at most ${this.#longest} bytes expected`);
    else if (!this.#hasRoom(length)) this.#refuse('too many large bodies at the same time; try again');
    else {
      chunk.copy(this.#buffer, this.#length);
      this.#length = length;
    }
  }

  free(): void {
    this.#reserve(-this.#buffer.length);
    this.#buffer = nothing;
    this.#length = 0;
  }

  #hasRoom(length: number): boolean {
    const size = this.#buffer.length;
    if (length <= size) return true;
    const wanted = Math.min(this.#longest, Math.max(firstSize, 2 * size, length));
    if (!this.#reserve(wanted - size)) return false;
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
