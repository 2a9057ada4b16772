/**
 * A telegram of a scan in MSGPACK: start marker 0x02020202, bytes of the payload (u32), payload, CRC-32 of the payload
 * alone (u32); these three are little-endian. The payload is MessagePack, its keys are numbers:
 *
 * | key | in | what |
 * |---|---|---|
 * | 0x10 | each object | its class: 0x90 segment, 0x70 scan (one layer of a segment) |
 * | 0x11 | each object | its data: a map, or the bytes of an array |
 * | 0xB0, 0xB1 | segment | number of the telegram, time of transmission in µs |
 * | 0x91, 0x92 | segment | index of the segment, number of the frame |
 * | 0x93, 0x94 | segment | availability (a boolean), serial number of the sender |
 * | 0xA0, 0x96 | segment | numbers of the layers, the layers |
 * | 0x71, 0x72 | layer | time of the first and of the last beam, µs |
 * | 0x73, 0x74 | layer | azimuth of the first and of the last beam, rad |
 * | 0x75, 0x76 | layer | number of the frame, 0 |
 * | 0x50 | layer | azimuth of each beam: an array of f32, rad |
 * | 0x51 | layer | elevation: an array of one f32, rad |
 * | 0x52 | layer | for each echo the distances: arrays of f32 (u16 is read, too), mm |
 * | 0x53 | layer | for each echo the signal strengths: arrays of u16 |
 * | 0x54 | layer | for each echo the properties: arrays of u8 |
 * | 0x77, 0x78 | layer | beams, echoes |
 *
 * An array is a map of 0x12 numbers, 0x13 bytes a number, 0x14 order of the bytes (0x30 little-endian), 0x15 type (an
 * array of one: 0x31 f32, 0x34 u16, 0x33 u8) and 0x11 the bytes.
 *
 * Properties of an echo: bit 0 reflector, set at the echoes that their strength marks or at the last one, and bit 1 blooming.
 */
export const key = {
  class: 0x10,
  data: 0x11,
  count: 0x12,
  elementBytes: 0x13,
  endian: 0x14,
  elementTypes: 0x15,
  theta: 0x50,
  phi: 0x51,
  distance: 0x52,
  rssi: 0x53,
  properties: 0x54,
  firstBeamTime: 0x71,
  lastBeamTime: 0x72,
  firstAzimuth: 0x73,
  lastAzimuth: 0x74,
  scanNumber: 0x75,
  moduleId: 0x76,
  beams: 0x77,
  echoes: 0x78,
  segmentIndex: 0x91,
  frameNumber: 0x92,
  availability: 0x93,
  sender: 0x94,
  layers: 0x96,
  layerIds: 0xa0,
  sequence: 0xb0,
  transmitTime: 0xb1,
} as const;

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

/** Bytes in front of the payload. */
export const payloadAt = 8;

/** Offset of the length of the payload. */
export const payloadBytesAt = 4;
