import { offsetsOf } from '../layout.js';

/** A member of a map of MSGPACK. Its key is a number. */
export interface KeyedMember {
  readonly key: number;
  /**
   * Form of its value: a whole number, a float, a boolean (or 0 and 1), an array of numbers (see below), one of them for each
   * echo, a list of whole numbers or of layers, bytes, or what the class of the object says.
   */
  readonly form:
    | 'whole'
    | 'float'
    | 'boolean'
    | 'numbers'
    | 'numbers by echo'
    | 'list'
    | 'layers'
    | 'content';
  readonly unit?: string;
  readonly text: string;
}

/**
 * A telegram of a scan in MSGPACK: `envelopeLayout`, then the payload, then the CRC-32 of the payload alone (u32,
 * little-endian). The payload is MessagePack: an object of the class segment, whose layers are objects of the class scan. An
 * object is a map of its class and its data.
 *
 * An array of numbers is a map of count, elementBytes, endian, elementTypes (an array of one type) and data (the bytes).
 *
 * Properties of an echo: bit 0 reflector, set at the echoes that their strength marks or at the last one, and bit 1 blooming.
 */
export const keyedMembers = {
  class: { key: 0x10, form: 'whole', text: 'class of the object' },
  data: { key: 0x11, form: 'content', text: 'data of the object, or bytes of the numbers' },
  count: { key: 0x12, form: 'whole', text: 'numbers' },
  elementBytes: { key: 0x13, form: 'whole', unit: 'bytes', text: 'size of a number' },
  endian: { key: 0x14, form: 'whole', text: 'order of the bytes' },
  elementTypes: { key: 0x15, form: 'list', text: 'type of the numbers' },
  theta: { key: 0x50, form: 'numbers', unit: 'rad', text: 'azimuth of each beam' },
  phi: { key: 0x51, form: 'numbers', unit: 'rad', text: 'elevation' },
  distance: { key: 0x52, form: 'numbers by echo', unit: 'mm', text: 'distances' },
  rssi: { key: 0x53, form: 'numbers by echo', text: 'signal strengths' },
  properties: { key: 0x54, form: 'numbers by echo', text: 'properties' },
  firstBeamTime: { key: 0x71, form: 'whole', unit: 'µs', text: 'time of the first beam' },
  lastBeamTime: { key: 0x72, form: 'whole', unit: 'µs', text: 'time of the last beam' },
  firstAzimuth: { key: 0x73, form: 'float', unit: 'rad', text: 'azimuth of the first beam' },
  lastAzimuth: { key: 0x74, form: 'float', unit: 'rad', text: 'azimuth of the last beam' },
  scanNumber: { key: 0x75, form: 'whole', text: 'number of the scan, as in the segment' },
  moduleId: { key: 0x76, form: 'whole', text: 'module, 0' },
  beams: { key: 0x77, form: 'whole', text: 'beams of the layer' },
  echoes: { key: 0x78, form: 'whole', text: 'largest number of echoes of a beam' },
  segmentIndex: { key: 0x91, form: 'whole', text: 'index of the segment, from 0 in each scan' },
  frameNumber: { key: 0x92, form: 'whole', text: 'number of the scan' },
  availability: { key: 0x93, form: 'boolean', text: 'availability' },
  sender: { key: 0x94, form: 'whole', text: 'serial number of the sender' },
  layers: { key: 0x96, form: 'layers', text: 'layers' },
  layerIds: { key: 0xa0, form: 'list', text: 'numbers of the layers' },
  sequence: { key: 0xb0, form: 'whole', text: 'number of the telegram in its stream' },
  transmitTime: { key: 0xb1, form: 'whole', unit: 'µs', text: 'time of transmission' },
} as const satisfies Readonly<Record<string, KeyedMember>>;

export type MemberName = keyof typeof keyedMembers;

/** The key of each member. */
export const key = keysOf(keyedMembers);

function keysOf<const M extends Readonly<Record<string, KeyedMember>>>(
  members: M,
): { readonly [K in keyof M]: number } {
  const keys: Record<string, number> = {};
  for (const [name, member] of Object.entries(members)) keys[name] = member.key;
  assertKeys(keys, members);
  return keys;
}

function assertKeys<M extends Readonly<Record<string, KeyedMember>>>(
  keys: Readonly<Record<string, number>>,
  members: M,
): asserts keys is { readonly [K in keyof M]: number } {
  if (Object.keys(keys).length !== Object.keys(members).length) throw new TypeError('a member has no key');
}

export const objectClass = { segment: 0x90, scan: 0x70 } as const;

export const littleEndian = 0x30;

/** Types of the numbers in arrays. */
export const elementType = { f32: 0x31, u8: 0x33, u16: 0x34 } as const;

/** Bytes of a number of each type. */
export const elementBytes: Readonly<Record<number, number>> = {
  [elementType.f32]: 4,
  [elementType.u8]: 1,
  [elementType.u16]: 2,
};

/** What is in front of the payload, little-endian. */
export const envelopeLayout = {
  marker: { type: 'u32', text: 'start marker' },
  payloadBytes: { type: 'u32', unit: 'bytes', text: 'size of the payload' },
} as const;

const envelope = offsetsOf(envelopeLayout);

/** Bytes in front of the payload. */
export const payloadAt: number = envelope.bytes;

/** Offset of the length of the payload. */
export const payloadBytesAt: number = envelope.payloadBytes;
