import {
  type BrokenFrame,
  binaryFrame,
  type Framing,
  type LegacyTelegram,
  textEnd,
  textStart,
} from './framing.js';

/** With a limit below it the length of a binary payload begins with 00, so that it is not taken for a marker. */
const highestLimit = 2 ** 24 - 1;

/** A piece is taken in parts of this size: what is kept beside a telegram does not depend on how large pieces are. */
const part = 16_384;

const nothing = new Uint8Array(0);
const marker = textStart;
const { markers, length: lengthBytes, head, checksum } = binaryFrame;

/**
 * Cuts a stream of bytes, as it comes over TCP, into telegrams of the legacy protocol, text and binary in any mixture.
 * What is of no telegram is skipped up to the next 02. Behind a frame that is broken the search goes on at its second
 * byte: a telegram that a wrong length hides is found. In what a broken frame claimed for itself, text has to look like a
 * command, so that measured data are not taken for telegrams.
 *
 * The work is in proportion to the bytes that come, however they are made and cut; what is kept between two pieces is one
 * frame of the limit at most.
 */
export class LegacySplitter {
  readonly #limit: number;
  readonly #tellsBroken: boolean;
  readonly #window = new ByteWindow();
  /** Bytes at the start of the window that are known to be neither start nor end of a text telegram. */
  #searched = 0;
  /** How many bytes from the start of the window a broken frame claimed. */
  #doubtful = 0;
  #skipped = 0;
  #damaged = 0;
  #oversized = 0;

  /**
   * @param limit bytes that a payload may have, 1 to 16777215.
   * @param tellsBroken whether broken frames stand among the telegrams, in their place.
   * @throws RangeError for another limit.
   */
  constructor(limit: number, tellsBroken = false) {
    if (!(limit >= 1 && limit <= highestLimit)) {
      throw new RangeError(`expected a limit of 1 to ${highestLimit} bytes, got ${limit}`);
    }
    this.#limit = limit;
    this.#tellsBroken = tellsBroken;
  }

  /** Bytes so far that were of no telegram, those of broken frames among them. */
  get skipped(): number {
    return this.#skipped;
  }

  /** Binary frames so far whose checksum was wrong; those within a broken frame are not counted. */
  get damaged(): number {
    return this.#damaged;
  }

  /** Frames so far that were longer than the limit; those within a broken frame are not counted. */
  get oversized(): number {
    return this.#oversized;
  }

  /** Has a binary frame begun that is not whole yet? */
  get isWithinFrame(): boolean {
    return this.#window.length > 0 && this.#window.at(0) === marker && this.#run() >= markers;
  }

  /** Bytes that are kept until more come: a telegram that is not whole yet. */
  get held(): number {
    return this.#window.length;
  }

  /** Takes the next bytes of the stream; returns the telegrams that are whole now, each an array of its own. */
  push(piece: Uint8Array): readonly LegacyTelegram[] {
    const telegrams: LegacyTelegram[] = [];
    for (let at = 0; at < piece.length; at += part) {
      this.#window.append(piece.length <= part ? piece : piece.subarray(at, at + part));
      while (this.#step(telegrams));
    }
    return telegrams;
  }

  /**
   * The rest of a binary frame has not come in time: it was none. Returns the telegrams that it hid, each an array of its
   * own.
   */
  giveUp(): readonly LegacyTelegram[] {
    const telegrams: LegacyTelegram[] = [];
    if (!this.isWithinFrame) return telegrams;
    this.#breakOff('unfinished', this.#claimed, telegrams);
    while (this.#step(telegrams));
    return telegrams;
  }

  /** Takes a telegram or skips bytes; false if more bytes are needed. */
  #step(telegrams: LegacyTelegram[]): boolean {
    const window = this.#window;
    if (window.length === 0) return false;
    if (window.at(0) !== marker) {
      const next = window.indexOf(marker, 0);
      this.#skip(next === -1 ? window.length : next);
      return true;
    }
    const run = this.#run();
    if (run > markers) this.#skip(run - markers);
    if (run >= markers) return this.#binary(telegrams);
    if (run === window.length) return false;
    if (run > 1) this.#skip(run - 1);
    return this.#text(telegrams);
  }

  /** How many markers the window begins with. */
  #run(): number {
    let run = 1;
    while (this.#window.at(run) === marker) run++;
    return run;
  }

  /** Length of the frame at the beginning of the window, as the frame states it. */
  get #claimed(): number {
    let length = 0;
    // What is not there yet counts as 0: a length that is too large is found as early as it can be.
    for (let at = markers; at < markers + lengthBytes; at++) length = length * 256 + this.#window.at(at);
    return head + length + checksum;
  }

  #binary(telegrams: LegacyTelegram[]): boolean {
    const window = this.#window;
    const frame = this.#claimed;
    const end = frame - checksum;
    if (end - head > this.#limit) return this.#breakOff('oversized', frame, telegrams);
    if (window.length < frame) return false;
    if (window.xor(head, end) !== window.at(end)) return this.#breakOff('damaged', frame, telegrams);
    telegrams.push({ framing: 'binary', payload: window.copy(head, end) });
    return this.#take(frame);
  }

  #text(telegrams: LegacyTelegram[]): boolean {
    const window = this.#window;
    // Where it ends, something new begins, or the window ends.
    const end = window.indexOfEither(textEnd, marker, Math.max(this.#searched, 1));
    if (end > this.#limit + 1) {
      this.#note('text', 'oversized', telegrams);
      this.#skip(end);
      return true;
    }
    if (end === window.length) {
      this.#searched = end;
      return false;
    }
    if (window.at(end) === marker) {
      this.#skip(end);
      return true;
    }
    const payload = window.copy(1, end);
    if (this.#doubtful > 0 && !isCommand(payload)) {
      this.#skip(1);
      return true;
    }
    telegrams.push({ framing: 'text', payload });
    return this.#take(end + 1);
  }

  /** Goes on behind a telegram: what begins there is in step. */
  #take(bytes: number): true {
    this.#doubtful = 0;
    this.#advance(bytes);
    return true;
  }

  /** Goes on with the second byte of a broken frame that claims this length. */
  #breakOff(broken: BrokenFrame, frame: number, telegrams: LegacyTelegram[]): true {
    this.#note('binary', broken, telegrams);
    this.#doubtful = Math.max(this.#doubtful, frame);
    this.#skip(1);
    return true;
  }

  /** Broken frames within a broken frame are not reported. */
  #note(framing: Framing, broken: BrokenFrame, telegrams: LegacyTelegram[]): void {
    if (this.#doubtful > 0) return;
    if (broken === 'oversized') this.#oversized += 1;
    if (broken === 'damaged') this.#damaged += 1;
    if (this.#tellsBroken) telegrams.push({ framing, payload: nothing, broken });
  }

  #skip(bytes: number): void {
    this.#skipped += bytes;
    this.#advance(bytes);
  }

  #advance(bytes: number): void {
    this.#window.drop(bytes);
    this.#searched = 0;
    this.#doubtful = Math.max(0, this.#doubtful - bytes);
  }
}

/** Is it an `s` and then nothing but characters that can be seen, blanks, and bytes of characters beyond ASCII? */
function isCommand(payload: Uint8Array): boolean {
  return payload[0] === 0x73 && payload.every((byte) => byte >= 0x20 && byte !== 0x7f);
}

const leastRoom = 1024;

/**
 * The bytes of a stream that are still looked at. Appending costs in proportion to what is appended, whatever the size of
 * the pieces, and the XOR of any bytes in the window is known at once.
 */
class ByteWindow {
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
