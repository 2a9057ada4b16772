import { offsetsOf } from '../layout.js';

/** Versions of a scan's telegram: the older one has no scale. */
export const scanVersions = [3, 4] as const;
export type ScanVersion = (typeof scanVersions)[number];

/** Content of an echo and of a beam, as bits. */
export const echoContent = { distance: 1, rssi: 2 } as const;
export const beamContent = { properties: 1, azimuth: 2 } as const;

export const azimuthCode = { perRad: 5215, zero: 16384 } as const;

/**
 * A telegram of a scan: header, modules one after the other, CRC. A module begins with these fields. Then come the fields of
 * its rows, the scale (not in version 3), the end of its metadata, and its beams.
 */
export const moduleLayout = {
  segmentIndex: { type: 'u64', text: 'index of the segment, from 0 in each scan' },
  frameNumber: { type: 'u64', text: 'number of the scan' },
  sender: { type: 'u32', text: 'serial number of the sender' },
  rows: { type: 'u32', text: 'rows of the module' },
  columns: { type: 'u32', text: 'beams of a row' },
  echoes: { type: 'u32', text: 'largest number of echoes of a beam' },
} as const;

/** The fields of rows: of each field first the values of all rows, then the next field. */
export const rowLayout = {
  firstBeamTime: { type: 'u64', unit: 'µs', text: 'time of the first beam' },
  lastBeamTime: { type: 'u64', unit: 'µs', text: 'time of the last beam' },
  elevation: { type: 'f32', unit: 'rad', text: 'elevation' },
  firstAzimuth: { type: 'f32', unit: 'rad', text: 'azimuth of the first beam' },
  lastAzimuth: { type: 'f32', unit: 'rad', text: 'azimuth of the last beam' },
} as const;

/** In version 3 the scale is missing, and 1. */
export const scaleLayout = {
  scale: { type: 'f32', unit: 'mm', text: 'scale: what one count of distance is' },
} as const;

/** The end of the metadata of a module. */
export const moduleEndLayout = {
  nextBytes: { type: 'u32', unit: 'bytes', text: 'size of the next module, 0 if there is none' },
  availability: { type: 'u8', text: 'availability' },
  echoContent: { type: 'u8', bits: echoContent, text: 'what an echo contains' },
  beamContent: { type: 'u8', bits: beamContent, text: 'what a beam contains' },
  reserved: { type: 'u8', text: 'reserved, 0' },
} as const;

/**
 * The beams follow column by column, in each column row by row. A beam has the fields of each of its echoes, then its own
 * ones. In version 3, the azimuth is before the properties. The content tells which fields are sent.
 */
export const echoLayout = {
  distance: { type: 'u16', text: 'distance in counts of the scale, 0 if there is no echo' },
  rssi: { type: 'u16', text: 'signal strength' },
} as const;

export const beamLayout = {
  properties: { type: 'u8', text: 'properties' },
  azimuth: {
    type: 'u16',
    text: `azimuth: round(rad × ${azimuthCode.perRad}) + ${azimuthCode.zero}`,
  },
} as const;

/** Offsets of the first fields of a module. The fields of rows begin at `bytes`. */
export const moduleAt = offsetsOf(moduleLayout);

/**
 * Offsets of the fields of rows, behind `moduleAt.bytes`, in a module of one row. With more rows, multiply the offset by
 * their number.
 */
export const rowAt = offsetsOf(rowLayout);

const scaleBytes = offsetsOf(scaleLayout).bytes;

/** Offsets behind `nextModuleAt`. */
export const endOfModule = offsetsOf(moduleEndLayout);

/** Returns the offset of the scale. Version 3 has no scale there. */
export function scaleAt(rows: number): number {
  return moduleAt.bytes + rowAt.bytes * rows;
}

/** Returns the offset of the size of the next module. Four bytes of availability and content follow. */
export function nextModuleAt(rows: number, version: number): number {
  return scaleAt(rows) + (version === 3 ? 0 : scaleBytes);
}

/** Returns the bytes of a module in front of its beams. */
export function metadataBytes(rows: number, version: number): number {
  return nextModuleAt(rows, version) + endOfModule.bytes;
}

/** Returns the fields after the echoes of a beam, as offsets behind them. Older scanners send the azimuth first. */
export function endOfBeam(beamBits: number, version: ScanVersion) {
  const properties = beamBits & beamContent.properties ? 1 : 0;
  const azimuth = beamBits & beamContent.azimuth ? 2 : 0;
  return {
    propertiesAt: version === 3 ? azimuth : 0,
    azimuthAt: version === 3 ? 0 : properties,
    bytes: properties + azimuth,
  };
}

/** Returns the bytes of a beam. */
export function beamBytes(echoes: number, echoBits: number, beamBits: number): number {
  const echo = (echoBits & echoContent.distance ? 2 : 0) + (echoBits & echoContent.rssi ? 2 : 0);
  // The number is equal in all versions.
  return echoes * echo + endOfBeam(beamBits, 4).bytes;
}
