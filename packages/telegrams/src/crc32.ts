/** Bytes of the CRC at the end of a telegram. */
export const crcBytes = 4;

/** The CRC of "123456789". It identifies an implementation of this CRC. */
const check = 0xcbf43926;
const checked = Uint8Array.of(49, 50, 51, 52, 53, 54, 55, 56, 57);

/** The bytes of an array or of a view. */
type Bytes = Uint8Array | DataView;

type Crc = (bytes: Bytes) => number;

let implementation: Crc | undefined;

/**
 * Computes a CRC-32 as in zlib, Ethernet and PNG: 0 to 2^32 - 1. If Node has an implementation, it is used: it is three times
 * as fast.
 */
export function crc32(bytes: Bytes): number {
  implementation ??= nodeCrc32() ?? tableCrc32;
  return implementation(bytes);
}

/** Returns the implementation of Node's zlib; undefined in a browser. */
export function nodeCrc32(): Crc | undefined {
  const process = memberOf(globalThis, 'process');
  const builtin = memberOf(process, 'getBuiltinModule');
  if (typeof builtin !== 'function') return undefined;
  const candidate = memberOf(builtin.call(process, 'node:zlib'), 'crc32');
  return isCrc32(candidate) ? candidate : undefined;
}

function memberOf(owner: unknown, name: string): unknown {
  return typeof owner === 'object' && owner !== null ? Reflect.get(owner, name) : undefined;
}

function isCrc32(candidate: unknown): candidate is Crc {
  return typeof candidate === 'function' && candidate(checked) === check;
}

const slices = 8;
let tables: Uint32Array | undefined;

/** Computes a CRC-32, eight bytes per step, with a table of 256 numbers for each (slicing by eight). */
export function tableCrc32(bytes: Bytes): number {
  tables ??= makeTables();
  const t = tables;
  const length = bytes.byteLength;
  const view = new DataView(bytes.buffer, bytes.byteOffset, length);
  let crc = 0xffffffff;
  let at = 0;
  for (; at + slices <= length; at += slices) {
    const low = crc ^ view.getUint32(at, true);
    const high = view.getUint32(at + 4, true);
    crc =
      (t[0x700 | (low & 0xff)] ?? 0) ^
      (t[0x600 | ((low >>> 8) & 0xff)] ?? 0) ^
      (t[0x500 | ((low >>> 16) & 0xff)] ?? 0) ^
      (t[0x400 | (low >>> 24)] ?? 0) ^
      (t[0x300 | (high & 0xff)] ?? 0) ^
      (t[0x200 | ((high >>> 8) & 0xff)] ?? 0) ^
      (t[0x100 | ((high >>> 16) & 0xff)] ?? 0) ^
      (t[high >>> 24] ?? 0);
  }
  for (; at < length; at++) crc = (crc >>> 8) ^ (t[(crc ^ view.getUint8(at)) & 0xff] ?? 0);
  return (crc ^ 0xffffffff) >>> 0;
}

function makeTables(): Uint32Array {
  const table = new Uint32Array(slices * 256);
  for (let byte = 0; byte < 256; byte++) {
    let crc = byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
    table[byte] = crc;
  }
  for (let at = 256; at < table.length; at++) {
    const before = table[at - 256] ?? 0;
    table[at] = (before >>> 8) ^ (table[before & 0xff] ?? 0);
  }
  return table;
}
