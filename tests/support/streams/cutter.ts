import { BadTelegram, largestDatagram, startMarker } from './bytes.js';
import { decodeTelegram, type Telegram } from './telegram.js';

const marker = Buffer.from([2, 2, 2, 2]);
const headerSize = 32;

/**
 * Splits a TCP stream into telegrams. If no telegram begins, it drops four bytes and continues at the
 * next start marker.
 */
export class Cutter {
  #buffer: Buffer = Buffer.alloc(0);
  /** Dropped bytes. */
  dropped = 0;

  /** Bytes of an incomplete telegram. */
  get waiting(): number {
    return this.#buffer.length;
  }

  push(chunk: Buffer): readonly Telegram[] {
    this.#buffer = Buffer.concat([this.#buffer, chunk]);
    const telegrams: Telegram[] = [];
    for (;;) {
      this.#findMarker();
      const size = sizeOf(this.#buffer);
      if (size === 'unknown') {
        this.#drop(4);
        continue;
      }
      if (size === 'more' || this.#buffer.length < size) return telegrams;
      try {
        telegrams.push(decodeTelegram(Buffer.from(this.#buffer.subarray(0, size))));
        this.#buffer = this.#buffer.subarray(size);
      } catch (error) {
        if (!(error instanceof BadTelegram)) throw error;
        this.#drop(4);
      }
    }
  }

  #findMarker(): void {
    const at = this.#buffer.indexOf(marker);
    // The last bytes may be the first ones of a marker.
    if (at === -1) this.#drop(Math.max(0, this.#buffer.length - 3));
    else this.#drop(at);
  }

  #drop(bytes: number): void {
    const dropped = Math.min(bytes, this.#buffer.length);
    this.dropped += dropped;
    this.#buffer = this.#buffer.subarray(dropped);
  }
}

/** Returns the length of the telegram with which a buffer begins. */
function sizeOf(buffer: Buffer): number | 'more' | 'unknown' {
  if (buffer.length < 8) return 'more';
  if (buffer.readUInt32LE(0) !== startMarker) return 'unknown';
  const type = buffer.readUInt32LE(4);
  if (type === 2) return 64;
  if (type === 1 || type === 4) {
    if (buffer.length < headerSize) return 'more';
    const version = buffer.readUInt32LE(24);
    if (!(type === 1 ? [3, 4] : [1]).includes(version)) return 'unknown';
    const payload = buffer.readUInt32LE(28);
    if (type === 4) return plausible(headerSize + payload + 4);
    return sizeOfScan(buffer, payload, version);
  }
  return type < 100 ? 'unknown' : plausible(8 + type + 4);
}

/** Follows the sizes that the modules declare. */
function sizeOfScan(buffer: Buffer, first: number, version: number): number | 'more' | 'unknown' {
  let size = headerSize;
  for (let next = first; next !== 0; ) {
    const rowsAt = size + 20;
    if (buffer.length < rowsAt + 4) return 'more';
    const rows = buffer.readUInt32LE(rowsAt);
    const nextAt = size + 32 + 28 * rows + (version === 4 ? 4 : 0);
    size += next;
    if (plausible(Math.max(size, nextAt)) === 'unknown') return 'unknown';
    if (buffer.length < nextAt + 4) return 'more';
    next = buffer.readUInt32LE(nextAt);
  }
  return plausible(size + 4);
}

function plausible(size: number): number | 'unknown' {
  return size <= largestDatagram ? size : 'unknown';
}
