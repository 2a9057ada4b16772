/**
 * A telegram of a scan: header, modules one after the other, CRC. A module of R rows, offsets from its beginning:
 *
 * | offset | type | what |
 * |---|---|---|
 * | 0 | u64 | index of the segment |
 * | 8 | u64 | number of the frame |
 * | 16 | u32 | serial number of the sender |
 * | 20 | u32 | rows R |
 * | 24 | u32 | columns |
 * | 28 | u32 | places for echoes a beam |
 * | 32 | u64 × R | time of the first beam of each row, µs |
 * | 32 + 8 R | u64 × R | time of the last beam |
 * | 32 + 16 R | f32 × R | elevation, rad |
 * | 32 + 20 R | f32 × R | azimuth of the first beam, rad |
 * | 32 + 24 R | f32 × R | azimuth of the last beam |
 * | 32 + 28 R | f32 | mm a count of distance; not in version 3, where it is 1 |
 * | then | u32 | bytes of the next module, 0 where there is none |
 * | + 4 | u8 | availability |
 * | + 5 | u8 | what is told of an echo: bit 0 distance, bit 1 signal strength |
 * | + 6 | u8 | what is told of a beam: bit 0 properties, bit 1 azimuth |
 * | + 7 | u8 | 0 |
 *
 * The beams follow column by column, in each column row by row: for each echo distance (u16, 0 no echo) and signal
 * strength (u16), then properties (u8) and azimuth (u16, round(rad × 5215) + 16384) of the beam.
 */
export const moduleAt = {
  segmentIndex: 0,
  frameNumber: 8,
  sender: 16,
  rows: 20,
  columns: 24,
  echoes: 28,
  perRow: 32,
} as const;

/** Versions of a scan's telegram: the older one has no scale. */
export const scanVersions = [3, 4] as const;
export type ScanVersion = (typeof scanVersions)[number];

/** What is told of an echo and of a beam, as bits. */
export const echoContent = { distance: 1, rssi: 2 } as const;
export const beamContent = { properties: 1, azimuth: 2 } as const;

export const azimuthCode = { perRad: 5215, zero: 16384 } as const;

/** Where the scale stands, or would stand. */
export function scaleAt(rows: number): number {
  return moduleAt.perRow + 28 * rows;
}

/** Where the size of the next module stands; four bytes of availability and content follow. */
export function nextModuleAt(rows: number, version: number): number {
  return scaleAt(rows) + (version === 3 ? 0 : 4);
}

/** Bytes of a module in front of its beams. */
export function metadataBytes(rows: number, version: number): number {
  return nextModuleAt(rows, version) + 8;
}

/** Bytes of a beam. */
export function beamBytes(echoes: number, echoBits: number, beamBits: number): number {
  const echo = (echoBits & echoContent.distance ? 2 : 0) + (echoBits & echoContent.rssi ? 2 : 0);
  const beam = (beamBits & beamContent.properties ? 1 : 0) + (beamBits & beamContent.azimuth ? 2 : 0);
  return echoes * echo + beam;
}
