import { crcBytes } from './compact/header.js';
import { crc32 } from './crc32.js';
import { sizeOfTelegram } from './telegram-size.js';

/**
 * How many bytes may go into CRCs that do not fit, for each byte that came. Beyond that a telegram whose CRC does not fit
 * is dropped whole, so that no stream, however made, costs more than in proportion to its length.
 */
const patience = 16;

const leastRoom = 4096;

/**
 * Cuts a stream of bytes, as it comes over TCP, into telegrams: Compact and MSGPACK, back to back, in any mixture. What
 * begins with no start marker, an unknown version, a size above 1 MiB or a CRC that does not fit is dropped byte by byte
 * until a telegram begins.
 */
export class TelegramSplitter {
  #buffer = new Uint8Array(leastRoom);
  #start = 0;
  #end = 0;
  /** So many bytes are needed before it is worth while to look again. */
  #wanted = 0;
  #received = 0;
  #wasted = 0;
  #dropped = 0;

  /** Bytes that were of no telegram. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Takes the next bytes of the stream; returns the telegrams that are whole now, each an array of its own. */
  push(chunk: Uint8Array): readonly Uint8Array[] {
    this.#append(chunk);
    const telegrams: Uint8Array[] = [];
    while (this.#end - this.#start >= Math.max(this.#wanted, 1)) {
      const telegram = this.#next();
      if (telegram !== undefined) telegrams.push(telegram);
    }
    return telegrams;
  }

  /** Goes one step on: a telegram is taken, something is dropped, or more bytes are wanted. */
  #next(): Uint8Array | undefined {
    const marker = this.#marker();
    this.#drop(marker - this.#start);
    const bytes = this.#buffer.subarray(this.#start, this.#end);
    const size = sizeOfTelegram(new DataView(bytes.buffer, bytes.byteOffset, bytes.length));
    if (size.is === 'fault') {
      this.#drop(1);
      return undefined;
    }
    if (size.is === 'open' || bytes.length < size.bytes) {
      this.#wanted = size.bytes;
      return undefined;
    }
    this.#wanted = 0;
    const end = size.bytes - crcBytes;
    const crc = new DataView(bytes.buffer, bytes.byteOffset).getUint32(end, true);
    if (crc !== crc32(bytes.subarray(size.crcFrom, end))) {
      this.#wasted += size.bytes;
      this.#drop(this.#wasted > patience * this.#received ? size.bytes : 1);
      return undefined;
    }
    this.#start += size.bytes;
    return bytes.slice(0, size.bytes);
  }

  /** Where the next start marker begins, whole or cut off by the end of what is there; the end where there is none. */
  #marker(): number {
    let at = this.#start;
    let twos = 0;
    for (; at < this.#end && twos < 4; at++) twos = this.#buffer[at] === 2 ? twos + 1 : 0;
    return at - twos;
  }

  #drop(bytes: number): void {
    this.#start += bytes;
    this.#dropped += bytes;
    this.#wanted = 0;
  }

  #append(chunk: Uint8Array): void {
    this.#received += chunk.length;
    const kept = this.#end - this.#start;
    if (this.#end + chunk.length > this.#buffer.length) {
      const needed = kept + chunk.length;
      const buffer = this.#fitting(needed);
      buffer.set(this.#buffer.subarray(this.#start, this.#end));
      this.#buffer = buffer;
      this.#start = 0;
      this.#end = kept;
    }
    this.#buffer.set(chunk, this.#end);
    this.#end += chunk.length;
  }

  /** The buffer that there is where half of it is enough, otherwise one twice as large as has to be. */
  #fitting(needed: number): Uint8Array<ArrayBuffer> {
    const isEnough =
      2 * needed <= this.#buffer.length && this.#buffer.length <= 8 * Math.max(needed, leastRoom);
    return isEnough ? this.#buffer : new Uint8Array(Math.max(leastRoom, 2 * needed));
  }
}
