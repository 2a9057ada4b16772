import { crc32, crcBytes } from '../crc32.js';
import { beamsOf, type ScanModule, type ScanTelegram } from '../scan-telegram.js';
import { header, outputFor, setU64, telegramType, writeHeader } from '../telegram-header.js';

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
 * | 28 | u32 | largest number of echoes of a beam |
 * | 32 | u64 × R | time of the first beam of each row, µs |
 * | 32 + 8 R | u64 × R | time of the last beam |
 * | 32 + 16 R | f32 × R | elevation, rad |
 * | 32 + 20 R | f32 × R | azimuth of the first beam, rad |
 * | 32 + 24 R | f32 × R | azimuth of the last beam |
 * | 32 + 28 R | f32 | mm a count of distance; not in version 3, where it is 1 |
 * | then | u32 | bytes of the next module, 0 if there is none |
 * | + 4 | u8 | availability |
 * | + 5 | u8 | content of an echo: bit 0 distance, bit 1 signal strength |
 * | + 6 | u8 | content of a beam: bit 0 properties, bit 1 azimuth |
 * | + 7 | u8 | 0 |
 *
 * The beams follow column by column, in each column row by row: for each echo distance (u16, 0 no echo) and signal strength
 * (u16), then properties (u8) and azimuth (u16, round(rad × 5215) + 16384) of the beam. In version 3, the azimuth is before
 * the properties.
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

/** Content of an echo and of a beam, as bits. */
export const echoContent = { distance: 1, rssi: 2 } as const;
export const beamContent = { properties: 1, azimuth: 2 } as const;

export const azimuthCode = { perRad: 5215, zero: 16384 } as const;

/** Returns the offset of the scale. Version 3 has no scale there. */
export function scaleAt(rows: number): number {
  return moduleAt.perRow + 28 * rows;
}

/** Returns the offset of the size of the next module. Four bytes of availability and content follow. */
export function nextModuleAt(rows: number, version: number): number {
  return scaleAt(rows) + (version === 3 ? 0 : 4);
}

/** Returns the bytes of a module in front of its beams. */
export function metadataBytes(rows: number, version: number): number {
  return nextModuleAt(rows, version) + 8;
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

/**
 * Writes a scan as Compact (layout: above), in version 4 if the telegram has no other. Distances are rounded to counts of the
 * scale and go up to 65535 of them; an azimuth code is between 0 and 65535, too. If a module has no rssi, properties or
 * azimuth, they are not sent.
 * @param target where to write; a new array by default.
 * @returns the part of it that was written.
 * @throws RangeError if `target` is too small, or an array of a module has the wrong length.
 */
export function encodeCompactScan(telegram: ScanTelegram, target?: Uint8Array): Uint8Array {
  const { modules, version = 4 } = telegram;
  let size = header.bytes + crcBytes;
  for (const module of modules) size += moduleBytes(module, version);
  const output = outputFor(size, target);
  const crcAt = size - crcBytes;
  const view = new DataView(output.buffer, output.byteOffset, size);
  writeModules(view, telegram, version);
  view.setUint32(crcAt, crc32(output.subarray(0, crcAt)), true);
  return output;
}

/** Writes everything in front of the CRC. */
function writeModules(view: DataView, telegram: ScanTelegram, version: ScanVersion): void {
  const { modules } = telegram;
  const [first] = modules;
  let payloadBytes = first === undefined ? 0 : moduleBytes(first, version);
  writeHeader(view, telegramType.scan, {
    sequence: telegram.sequence,
    transmitTime: telegram.transmitTime,
    version,
    payloadBytes,
  });
  let at: number = header.bytes;
  for (let index = 0; index < modules.length; index++) {
    const module = modules[index];
    const next = modules[index + 1];
    if (module === undefined) continue;
    const nextBytes = next === undefined ? 0 : moduleBytes(next, version);
    writeMetadata(view, at, module, version, nextBytes);
    writeBeams(view, at + metadataBytes(module.rows, version), module, version);
    at += payloadBytes;
    payloadBytes = nextBytes;
  }
}

function moduleBytes(module: ScanModule, version: ScanVersion): number {
  const beam = beamBytes(module.echoes, echoBits(module), beamBits(module));
  return metadataBytes(module.rows, version) + module.rows * module.columns * beam;
}

function echoBits({ rssi }: ScanModule): number {
  return echoContent.distance | (rssi === undefined ? 0 : echoContent.rssi);
}

function beamBits({ properties, azimuth }: ScanModule): number {
  return (
    (properties === undefined ? 0 : beamContent.properties) |
    (azimuth === undefined ? 0 : beamContent.azimuth)
  );
}

function writeMetadata(
  view: DataView,
  start: number,
  module: ScanModule,
  version: ScanVersion,
  nextBytes: number,
): void {
  const { rows } = module;
  setU64(view, start + moduleAt.segmentIndex, module.segmentIndex);
  setU64(view, start + moduleAt.frameNumber, module.frameNumber);
  view.setUint32(start + moduleAt.sender, module.sender, true);
  view.setUint32(start + moduleAt.rows, rows, true);
  view.setUint32(start + moduleAt.columns, module.columns, true);
  view.setUint32(start + moduleAt.echoes, module.echoes, true);
  const times = start + moduleAt.perRow;
  const angles = times + 16 * rows;
  for (let row = 0; row < rows; row++) {
    setU64(view, times + 8 * row, module.firstBeamTime[row] ?? 0);
    setU64(view, times + 8 * (rows + row), module.lastBeamTime[row] ?? 0);
    view.setFloat32(angles + 4 * row, module.elevation[row] ?? 0, true);
    view.setFloat32(angles + 4 * (rows + row), module.firstAzimuth[row] ?? 0, true);
    view.setFloat32(angles + 4 * (2 * rows + row), module.lastAzimuth[row] ?? 0, true);
  }
  if (version === 4) view.setFloat32(start + scaleAt(rows), module.scale, true);
  const at = start + nextModuleAt(rows, version);
  view.setUint32(at, nextBytes, true);
  view.setUint8(at + 4, module.availability);
  view.setUint8(at + 5, echoBits(module));
  view.setUint8(at + 6, beamBits(module));
  view.setUint8(at + 7, 0);
}

function writeBeams(view: DataView, start: number, module: ScanModule, version: ScanVersion): void {
  const beams = beamsOf(module);
  const { echoes, distance, rssi, properties, azimuth } = module;
  const scale = version === 3 ? 1 : module.scale;
  const codes = azimuth === undefined ? undefined : (module.azimuthCodes ?? azimuthCodesOf(azimuth));
  const countsPerMm = 1 / Math.fround(scale);
  const end = endOfBeam(beamBits(module), version);
  const echoSize = rssi === undefined ? 2 : 4;
  const beamSize = echoSize * echoes + end.bytes;
  for (let place = 0, beam = 0, at = start; beam < beams; beam++, at += beamSize) {
    for (let echo = 0; echo < echoes; echo++, place++) {
      const count = u16((distance[place] ?? 0) * countsPerMm);
      if (rssi === undefined) view.setUint16(at + 2 * echo, count, true);
      else view.setUint32(at + 4 * echo, count | ((rssi[place] ?? 0) << 16), true);
    }
  }
  const endAt = start + echoSize * echoes;
  if (properties !== undefined) {
    for (let beam = 0, at = endAt + end.propertiesAt; beam < beams; beam++, at += beamSize)
      view.setUint8(at, properties[beam] ?? 0);
  }
  if (codes !== undefined) {
    for (let beam = 0, at = endAt + end.azimuthAt; beam < beams; beam++, at += beamSize)
      view.setUint16(at, codes[beam] ?? 0, true);
  }
}

/**
 * Returns the codes of azimuths in rad. If the same azimuths are sent again and again, the codes can be passed to the
 * encoder.
 */
export function azimuthCodesOf(azimuth: Float32Array): Uint16Array {
  return Uint16Array.from(azimuth, (angle) => u16(angle * azimuthCode.perRad + azimuthCode.zero));
}

/** Returns the nearest whole number from 0 to 65535; 0 for NaN. */
function u16(value: number): number {
  return (Math.max(0, Math.min(value, 65_535)) + 0.5) | 0;
}
