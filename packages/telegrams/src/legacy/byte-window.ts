const leastRoom = 1024;

/**
 * The bytes of a stream that are still looked at. Appending costs in proportion to what is appended, whatever the size of
 * the pieces, and the XOR of any bytes in the window is known at once.
 */
export class ByteWindow {
  #bytes = new Uint8Array(leastRoom);
  /** At each place the XOR of all bytes of the stream in front of it. */
  #sums = new Uint8Array(leastRoom + 1);
  #start = 0;
  #end = 0;

  get length(): number {
    return this.#end - this.#start;
  }

  /** The byte at an offset from the start of the window; 0 behind its end. */
  at(offset: number): number {
    return offset < this.length ? (this.#bytes[this.#start + offset] ?? 0) : 0;
  }

  /** The offset of the first such byte from an offset on; -1 if there is none. */
  indexOf(byte: number, from: number): number {
    const at = this.#bytes.subarray(0, this.#end).indexOf(byte, this.#start + from);
    return at === -1 ? -1 : at - this.#start;
  }

  /** The offset of the first byte, from an offset on, that is one of the two; the end of the window if there is none. */
  indexOfEither(one: number, other: number, from: number): number {
    const bytes = this.#bytes;
    const end = this.#end;
    let at = this.#start + from;
    while (at < end && bytes[at] !== one && bytes[at] !== other) at++;
    return at - this.#start;
  }

  /** XOR of the bytes from one offset up to another. */
  xor(from: number, to: number): number {
    return (this.#sums[this.#start + from] ?? 0) ^ (this.#sums[this.#start + to] ?? 0);
  }

  /** A copy of the bytes from one offset up to another. */
  copy(from: number, to: number): Uint8Array<ArrayBuffer> {
    return this.#bytes.slice(this.#start + from, this.#start + to);
  }

  /** Takes bytes away at the start. */
  drop(count: number): void {
    this.#start += count;
  }

  append(piece: Uint8Array): void {
    this.#makeRoom(piece.length);
    const bytes = this.#bytes;
    const sums = this.#sums;
    let at = this.#end;
    let sum = sums[at] ?? 0;
    bytes.set(piece, at);
    for (const end = at + piece.length; at < end; ) {
      sum ^= bytes[at] ?? 0;
      at += 1;
      sums[at] = sum;
    }
    this.#end = at;
  }

  /** Moves the content to the front, into new arrays of twice the needed size if these are too small or far too large. */
  #makeRoom(count: number): void {
    if (this.#end + count <= this.#bytes.length) return;
    const needed = this.length + count;
    const room = Math.max(leastRoom, 2 * needed);
    const isFitting = room <= this.#bytes.length && this.#bytes.length <= 8 * room;
    const bytes = isFitting ? this.#bytes : new Uint8Array(room);
    const sums = isFitting ? this.#sums : new Uint8Array(room + 1);
    bytes.set(this.#bytes.subarray(this.#start, this.#end));
    sums.set(this.#sums.subarray(this.#start, this.#end + 1));
    this.#end = this.length;
    this.#start = 0;
    this.#bytes = bytes;
    this.#sums = sums;
  }
}
