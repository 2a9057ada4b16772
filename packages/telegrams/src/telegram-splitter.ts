import { encoderPayloadBytes, encoderVersion } from './compact/encoder.js';
import { imuAt, imuVersion } from './compact/imu.js';
import { metadataBytes, moduleAt, nextModuleAt, scanVersions } from './compact/scan-layout.js';
import { crc32, crcBytes } from './crc32.js';
import { payloadAt } from './msgpack/layout.js';
import { header, startMarker, telegramType, typeAt } from './telegram-header.js';

/** Largest telegram in bytes, if its size is only declared. */
export const mostTelegramBytes = 2 ** 20;

/** Largest number of modules of a telegram: each layer of a scanner has at most one. */
const mostModules = 256;

/** Least payload in MSGPACK. Even an empty scan is larger. */
const leastMsgpackPayload = 16;

/** The size of a telegram, as its beginning states it. */
type TelegramSize =
  | { readonly is: 'known'; readonly bytes: number; readonly crcFrom: number }
  /** The number of bytes needed to know more. */
  | { readonly is: 'open'; readonly bytes: number }
  /** No telegram begins here. */
  | { readonly is: 'invalid' };

const fault: TelegramSize = { is: 'invalid' };

/** Returns the declared size of the telegram at the beginning of `view`. */
function sizeOfTelegram(view: DataView): TelegramSize {
  const size = declaredSize(view);
  return size.is !== 'invalid' && size.bytes > mostTelegramBytes ? fault : size;
}

function declaredSize(view: DataView): TelegramSize {
  if (view.byteLength < typeAt + 8) return open(typeAt + 8);
  if (view.getUint32(0, true) !== startMarker) return fault;
  const type = view.getUint32(typeAt, true);
  if (type === telegramType.imu) {
    return view.getUint32(imuAt.version, true) === imuVersion ? known(imuAt.bytes) : fault;
  }
  if (type !== telegramType.scan && type !== telegramType.encoder) {
    return type < leastMsgpackPayload ? fault : known(payloadAt + type + crcBytes, payloadAt);
  }
  if (view.byteLength < header.bytes) return open(header.bytes);
  const version = view.getUint32(header.version, true);
  const payload = view.getUint32(header.payloadBytes, true);
  if (type === telegramType.scan) return scanSize(view, version, payload);
  if (version !== encoderVersion || payload < encoderPayloadBytes) return fault;
  return known(header.bytes + payload + crcBytes);
}

/** Reads the size of a scan. The header declares the size of the first module, and each module that of the next. */
function scanSize(view: DataView, version: number, firstModule: number): TelegramSize {
  if (!scanVersions.some((other) => other === version)) return fault;
  let at: number = header.bytes;
  let modules = 0;
  for (let size = firstModule; size !== 0; modules++) {
    if (at + size > mostTelegramBytes || modules === mostModules) return fault;
    if (view.byteLength < at + moduleAt.bytes) return open(at + moduleAt.bytes);
    const rows = view.getUint32(at + moduleAt.rows, true);
    if (metadataBytes(rows, version) > size) return fault;
    const nextAt = at + nextModuleAt(rows, version);
    if (view.byteLength < nextAt + 4) return open(nextAt + 4);
    at += size;
    size = view.getUint32(nextAt, true);
  }
  return known(at + crcBytes);
}

function known(bytes: number, crcFrom = 0): TelegramSize {
  return { is: 'known', bytes, crcFrom };
}

function open(bytes: number): TelegramSize {
  return { is: 'open', bytes };
}

/**
 * Bytes that may be spent on wrong CRCs, for each received byte. Beyond that, a telegram with a wrong CRC is dropped as a
 * whole. So the cost of any stream stays proportional to its length.
 */
const wastePerByte = 16;

const leastRoom = 4096;

/**
 * Splits a TCP stream into telegrams: Compact and MSGPACK, back to back, in any mixture. Bytes with no start marker, an
 * unknown version, a size above 1 MiB or a wrong CRC are dropped one by one until a telegram begins.
 */
export class TelegramSplitter {
  #buffer = new Uint8Array(leastRoom);
  #start = 0;
  #end = 0;
  /** The number of bytes needed before the next attempt. */
  #needed = 0;
  #received = 0;
  #wasted = 0;
  #dropped = 0;

  /** Number of bytes that did not belong to a telegram. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Adds the next bytes of the stream. Returns the telegrams that are complete now, each an array of its own. */
  push(chunk: Uint8Array): readonly Uint8Array[] {
    this.#append(chunk);
    const telegrams: Uint8Array[] = [];
    while (this.#end - this.#start >= Math.max(this.#needed, 1)) {
      const telegram = this.#next();
      if (telegram !== undefined) telegrams.push(telegram);
    }
    return telegrams;
  }

  /** Performs one step: it returns a telegram, drops bytes, or needs more bytes. */
  #next(): Uint8Array | undefined {
    const marker = this.#marker();
    this.#drop(marker - this.#start);
    const bytes = this.#buffer.subarray(this.#start, this.#end);
    const size = sizeOfTelegram(new DataView(bytes.buffer, bytes.byteOffset, bytes.length));
    if (size.is === 'invalid') {
      this.#drop(1);
      return undefined;
    }
    if (size.is === 'open' || bytes.length < size.bytes) {
      this.#needed = size.bytes;
      return undefined;
    }
    this.#needed = 0;
    const end = size.bytes - crcBytes;
    const crc = new DataView(bytes.buffer, bytes.byteOffset).getUint32(end, true);
    if (crc !== crc32(bytes.subarray(size.crcFrom, end))) {
      this.#wasted += size.bytes;
      this.#drop(this.#wasted > wastePerByte * this.#received ? size.bytes : 1);
      return undefined;
    }
    this.#start += size.bytes;
    return bytes.slice(0, size.bytes);
  }

  /** Returns the offset of the next start marker, complete or cut off by the end of the buffer; the end if there is none. */
  #marker(): number {
    let at = this.#start;
    let twos = 0;
    for (; at < this.#end && twos < 4; at++) twos = this.#buffer[at] === 2 ? twos + 1 : 0;
    return at - twos;
  }

  #drop(bytes: number): void {
    this.#start += bytes;
    this.#dropped += bytes;
    this.#needed = 0;
  }

  #append(chunk: Uint8Array): void {
    this.#received += chunk.length;
    const pending = this.#end - this.#start;
    if (this.#end + chunk.length > this.#buffer.length) {
      const needed = pending + chunk.length;
      const buffer = this.#bufferFor(needed);
      buffer.set(this.#buffer.subarray(this.#start, this.#end));
      this.#buffer = buffer;
      this.#start = 0;
      this.#end = pending;
    }
    this.#buffer.set(chunk, this.#end);
    this.#end += chunk.length;
  }

  /** Returns the current buffer if half of it is enough, otherwise a new one of twice the needed size. */
  #bufferFor(needed: number): Uint8Array<ArrayBuffer> {
    const isEnough =
      2 * needed <= this.#buffer.length && this.#buffer.length <= 8 * Math.max(needed, leastRoom);
    return isEnough ? this.#buffer : new Uint8Array(Math.max(leastRoom, 2 * needed));
  }
}
