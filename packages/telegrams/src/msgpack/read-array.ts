import { elementBytes, elementType, littleEndian } from './layout.js';
import { arrayIn, membersOf, unexpected } from './members.js';

/** An array of numbers as it stands in a telegram. */
export interface NumberArray {
  readonly count: number;
  /** Number `index` of it. */
  readonly value: (index: number) => number;
}

/**
 * Reads an array of numbers, in place.
 * @param what names it in errors.
 * @throws TelegramError where its type or the order of its bytes is not known, or its length does not fit.
 */
export function readArray(value: unknown, what: string): NumberArray {
  const members = membersOf(value, what);
  const { endian, data } = members;
  if (endian !== littleEndian) throw unexpected(`an array in little-endian (${littleEndian})`, endian, what);
  const types = arrayIn(members, 'elementTypes', what);
  const [type] = types;
  if (types.length !== 1) throw unexpected('one type of element', types, what);
  const size = typeof type === 'number' ? elementBytes[type] : undefined;
  if (typeof type !== 'number' || size === undefined) {
    throw unexpected('an array of f32, u8 or u16 (49, 51, 52)', type, what);
  }
  if (!(data instanceof Uint8Array) || data.length % size !== 0) {
    throw unexpected(`numbers of ${size} bytes`, data, what);
  }
  return { count: data.length / size, value: valueAt(data, type) };
}

function valueAt(bytes: Uint8Array, type: number): (index: number) => number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (type === elementType.f32) return (index) => view.getFloat32(4 * index, true);
  if (type === elementType.u16) return (index) => view.getUint16(2 * index, true);
  return (index) => view.getUint8(index);
}
