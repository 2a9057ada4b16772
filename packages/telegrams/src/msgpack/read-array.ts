import { TelegramError } from '../telegram-error.js';
import { elementBytes, elementType, key, littleEndian } from './layout.js';
import type { MsgpackReader } from './msgpack-reader.js';

/** An array of numbers as it stands in a telegram. */
export interface NumberArray {
  /** Where it stands in the telegram. */
  readonly at: number;
  readonly count: number;
  /** Number `index` of it. */
  readonly value: (index: number) => number;
}

/**
 * Reads an array of numbers, in place.
 * @throws TelegramError where its type or the order of its bytes is not known, or its length does not fit.
 */
export function readArray(reader: MsgpackReader): NumberArray {
  const { at } = reader;
  let type = -1;
  let endian = -1;
  let bytes: Uint8Array | undefined;
  for (let pairs = reader.map(); pairs > 0; pairs--) {
    const name = reader.uint();
    if (name === key.data) bytes = reader.binary();
    else if (name === key.endian) endian = reader.uint();
    else if (name === key.elementTypes) type = readElementType(reader);
    else reader.skip();
  }
  if (endian !== littleEndian) throw new TelegramError('an array in little-endian (48)', `${endian}`, at);
  const size = elementBytes[type];
  if (size === undefined) throw new TelegramError('an array of f32, u8 or u16 (49, 51, 52)', `${type}`, at);
  if (bytes === undefined || bytes.length % size !== 0) {
    throw new TelegramError(`numbers of ${size} bytes`, `${bytes?.length ?? 'no'} bytes`, at);
  }
  return { at, count: bytes.length / size, value: valueAt(bytes, type) };
}

function readElementType(reader: MsgpackReader): number {
  const { at } = reader;
  const count = reader.array();
  if (count !== 1) throw new TelegramError('one type of element', `${count}`, at);
  return reader.uint();
}

function valueAt(bytes: Uint8Array, type: number): (index: number) => number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (type === elementType.f32) return (index) => view.getFloat32(4 * index, true);
  if (type === elementType.u16) return (index) => view.getUint16(2 * index, true);
  return (index) => view.getUint8(index);
}
