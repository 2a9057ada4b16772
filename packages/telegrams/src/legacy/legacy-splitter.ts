import {
  type BrokenFrame,
  binaryFrame,
  type Framing,
  type LegacyTelegram,
  textEnd,
  textStart,
} from './framing.js';

/** Largest limit. Below it, the length of a binary payload begins with 00, so it never looks like a marker. */
const highestLimit = 2 ** 24 - 1;

/** A piece is processed in parts of this size: so the memory beside a telegram does not depend on the size of pieces. */
const part = 16_384;

const empty = new Uint8Array(0);
const marker = textStart;
const { markers, length: lengthBytes, head, checksum } = binaryFrame;

/**
 * Splits a TCP stream into telegrams of the legacy protocol, text and binary in any mixture. Other bytes are skipped up to
 * the next 02. After a broken frame, the search continues at its second byte, so that a telegram hidden by a wrong length is
 * found. Within the claimed length of a broken frame, text must look like a command, so that measured data are not mistaken
 * for telegrams.
 *
 * The work is proportional to the received bytes, no matter how they are cut. Between two pieces, at most one frame of the
 * limit is stored.
 */
export class LegacySplitter {
  readonly #limit: number;
  readonly #reportsBroken: boolean;
  readonly #window = new ByteWindow();
  /** Bytes at the start of the window that are neither start nor end of a text telegram. */
  #searched = 0;
  /** Bytes from the start of the window that a broken frame claimed. */
  #doubtful = 0;
  #skipped = 0;
  #damaged = 0;
  #oversized = 0;

  /**
   * @param limit largest payload in bytes, 1 to 16777215.
   * @param reportsBroken true: broken frames are returned among the telegrams, in order.
   * @throws RangeError for another limit.
   */
  constructor(limit: number, reportsBroken = false) {
    if (!(limit >= 1 && limit <= highestLimit)) {
      throw new RangeError(`expected a limit of 1 to ${highestLimit} bytes, got ${limit}`);
    }
    this.#limit = limit;
    this.#reportsBroken = reportsBroken;
  }

  /** Bytes so far that belonged to no telegram, including broken frames. */
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

  /** True if a binary frame has begun that is not complete yet. */
  get isInsideFrame(): boolean {
    return this.#window.length > 0 && this.#window.at(0) === marker && this.#markerCount() >= markers;
  }

  /** Bytes that are stored until more come: an incomplete telegram. */
  get held(): number {
    return this.#window.length;
  }

  /** Adds the next bytes of the stream. Returns the telegrams that are complete now, each an array of its own. */
  push(piece: Uint8Array): readonly LegacyTelegram[] {
    const telegrams: LegacyTelegram[] = [];
    for (let at = 0; at < piece.length; at += part) {
      this.#window.append(piece.length <= part ? piece : piece.subarray(at, at + part));
      while (this.#step(telegrams));
    }
    return telegrams;
  }

  /**
   * Gives an incomplete binary frame up: its rest has not come in time. Returns the telegrams that it hid, each an array of
   * its own.
   */
  giveUp(): readonly LegacyTelegram[] {
    const telegrams: LegacyTelegram[] = [];
    if (!this.isInsideFrame) return telegrams;
    this.#breakOff('unfinished', this.#claimed, telegrams);
    while (this.#step(telegrams));
    return telegrams;
  }

  /** Returns a telegram or skips bytes; false if more bytes are needed. */
  #step(telegrams: LegacyTelegram[]): boolean {
    const window = this.#window;
    if (window.length === 0) return false;
    if (window.at(0) !== marker) {
      const next = window.indexOf(marker, 0);
      this.#skip(next === -1 ? window.length : next);
      return true;
    }
    const run = this.#markerCount();
    if (run > markers) this.#skip(run - markers);
    if (run >= markers) return this.#binary(telegrams);
    if (run === window.length) return false;
    if (run > 1) this.#skip(run - 1);
    return this.#text(telegrams);
  }

  /** Number of markers at the start of the window. */
  #markerCount(): number {
    let run = 1;
    while (this.#window.at(run) === marker) run++;
    return run;
  }

  /** Length of the frame at the beginning of the window, as stated by the frame. */
  get #claimed(): number {
    let length = 0;
    // Missing bytes count as 0: so a length that is too large is found as early as possible.
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
    return this.#accept(frame);
  }

  #text(telegrams: LegacyTelegram[]): boolean {
    const window = this.#window;
    // The text ends at its end mark, at the start of something new, or at the end of the window.
    const end = window.indexOfEither(textEnd, marker, Math.max(this.#searched, 1));
    if (end > this.#limit + 1) {
      this.#report('text', 'oversized', telegrams);
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
    return this.#accept(end + 1);
  }

  /** Continues behind a telegram: the stream is in step there. */
  #accept(bytes: number): true {
    this.#doubtful = 0;
    this.#advance(bytes);
    return true;
  }

  /** Continues with the second byte of a broken frame that claims this length. */
  #breakOff(broken: BrokenFrame, frame: number, telegrams: LegacyTelegram[]): true {
    this.#report('binary', broken, telegrams);
    this.#doubtful = Math.max(this.#doubtful, frame);
    this.#skip(1);
    return true;
  }

  /** Reports a broken frame, unless it is within another one. */
  #report(framing: Framing, broken: BrokenFrame, telegrams: LegacyTelegram[]): void {
    if (this.#doubtful > 0) return;
    if (broken === 'oversized') this.#oversized += 1;
    if (broken === 'damaged') this.#damaged += 1;
    if (this.#reportsBroken) telegrams.push({ framing, payload: empty, broken });
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

/** True for an `s` followed only by visible characters, blanks, and bytes of characters beyond ASCII. */
function isCommand(payload: Uint8Array): boolean {
  return payload[0] === 0x73 && payload.every((byte) => byte >= 0x20 && byte !== 0x7f);
}

const leastRoom = 1024;

/**
 * The bytes of a stream that are still being examined. Appending costs in proportion to the new bytes, no matter how large
 * the pieces are. The XOR of any bytes in the window is known at once.
 */
class ByteWindow {
  #bytes = new Uint8Array(leastRoom);
  /** By position: the XOR of all bytes of the stream in front of it. */
  #xors = new Uint8Array(leastRoom + 1);
  #start = 0;
  #end = 0;

  get length(): number {
    return this.#end - this.#start;
  }

  /** Returns the byte at an offset from the start of the window; 0 behind its end. */
  at(offset: number): number {
    return offset < this.length ? (this.#bytes[this.#start + offset] ?? 0) : 0;
  }

  /** Returns the offset of the first such byte from an offset on; -1 if there is none. */
  indexOf(byte: number, from: number): number {
    const at = this.#bytes.subarray(0, this.#end).indexOf(byte, this.#start + from);
    return at === -1 ? -1 : at - this.#start;
  }

  /**
   * Returns the offset of the first byte, from an offset on, that is one of the two; the end of the window if there is none.
   */
  indexOfEither(one: number, other: number, from: number): number {
    const bytes = this.#bytes;
    const end = this.#end;
    let at = this.#start + from;
    while (at < end && bytes[at] !== one && bytes[at] !== other) at++;
    return at - this.#start;
  }

  /** Returns the XOR of the bytes from one offset up to another. */
  xor(from: number, to: number): number {
    return (this.#xors[this.#start + from] ?? 0) ^ (this.#xors[this.#start + to] ?? 0);
  }

  /** Returns a copy of the bytes from one offset up to another. */
  copy(from: number, to: number): Uint8Array<ArrayBuffer> {
    return this.#bytes.slice(this.#start + from, this.#start + to);
  }

  /** Removes bytes at the start. */
  drop(count: number): void {
    this.#start += count;
  }

  append(piece: Uint8Array): void {
    this.#makeRoom(piece.length);
    const bytes = this.#bytes;
    const xors = this.#xors;
    let at = this.#end;
    let sum = xors[at] ?? 0;
    bytes.set(piece, at);
    for (const end = at + piece.length; at < end; ) {
      sum ^= bytes[at] ?? 0;
      at += 1;
      xors[at] = sum;
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
    const xors = isFitting ? this.#xors : new Uint8Array(room + 1);
    bytes.set(this.#bytes.subarray(this.#start, this.#end));
    xors.set(this.#xors.subarray(this.#start, this.#end + 1));
    this.#end = this.length;
    this.#start = 0;
    this.#bytes = bytes;
    this.#xors = xors;
  }
}
