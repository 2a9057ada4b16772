import { crc32 } from '../crc32.js';
import { placeFor } from '../place.js';
import { beamsOf } from '../scan-size.js';
import type { ScanModule, ScanTelegram } from '../scan-telegram.js';
import { setU64 } from '../u64.js';
import { crcBytes, header, telegramType, writeHeader } from './header.js';
import {
  azimuthCode,
  beamBytes,
  beamContent,
  echoContent,
  metadataBytes,
  moduleAt,
  nextModuleAt,
  type ScanVersion,
  scaleAt,
} from './scan-layout.js';

/**
 * Writes a scan as Compact (layout: scan-layout.ts), in version 4 where the telegram tells no other. Distances are
 * rounded to counts of the scale and go up to 65535 of them; an azimuth code lies between 0 and 65535, too. What a module
 * does not have (rssi, properties, azimuth) is not told.
 * @param target where to write; a new array where it is left out.
 * @returns the part of it that was written.
 * @throws RangeError where `target` is too small, or an array of a module has the wrong length.
 */
export function encodeCompactScan(telegram: ScanTelegram, target?: Uint8Array): Uint8Array {
  const { modules, version = 4 } = telegram;
  let size = header.bytes + crcBytes;
  for (const module of modules) size += moduleBytes(module, version);
  const bytes = placeFor(size, target);
  const view = new DataView(bytes.buffer, bytes.byteOffset, size);
  const [first] = modules;
  writeHeader(view, telegramType.scan, {
    sequence: telegram.sequence,
    transmitTime: telegram.transmitTime,
    version,
    payloadBytes: first === undefined ? 0 : moduleBytes(first, version),
  });
  let at: number = header.bytes;
  for (let index = 0; index < modules.length; index++) {
    const module = modules[index];
    const next = modules[index + 1];
    if (module === undefined) continue;
    writeMetadata(view, at, module, version, next === undefined ? 0 : moduleBytes(next, version));
    writeBeams(view, at + metadataBytes(module.rows, version), module, version);
    at += moduleBytes(module, version);
  }
  view.setUint32(at, crc32(bytes.subarray(0, at)), true);
  return bytes;
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
  const countsPerMm = 1 / (version === 3 ? 1 : Math.fround(module.scale));
  if (rssi !== undefined && properties !== undefined && azimuth !== undefined) {
    writeFullBeams(view, start, beams, echoes, countsPerMm, distance, rssi, properties, azimuth);
    return;
  }
  let at = start;
  let place = 0;
  for (let beam = 0; beam < beams; beam++) {
    for (const end = place + echoes; place < end; place++) {
      view.setUint16(at, u16((distance[place] ?? 0) * countsPerMm), true);
      at += 2;
      if (rssi !== undefined) {
        view.setUint16(at, rssi[place] ?? 0, true);
        at += 2;
      }
    }
    if (properties !== undefined) {
      view.setUint8(at, properties[beam] ?? 0);
      at += 1;
    }
    if (azimuth !== undefined) {
      view.setUint16(at, codeOf(azimuth[beam] ?? 0), true);
      at += 2;
    }
  }
}

/**
 * What scanners send: nothing to ask for in the loop, and no loop over the echoes where there are one or three of them. Of
 * three, mostly only the first one is there.
 */
function writeFullBeams(
  view: DataView,
  start: number,
  beams: number,
  echoes: number,
  countsPerMm: number,
  distance: Float32Array,
  rssi: Uint16Array,
  properties: Uint8Array,
  azimuth: Float32Array,
): void {
  let at = start;
  let place = 0;
  if (echoes === 1) {
    for (let beam = 0; beam < beams; beam++) {
      writeEcho(view, at, countsPerMm, distance, rssi, beam);
      writeEnd(view, at + 4, properties, azimuth, beam);
      at += 7;
    }
  } else if (echoes === 3) {
    for (let beam = 0; beam < beams; beam++) {
      writeEcho(view, at, countsPerMm, distance, rssi, place);
      if (isEmpty(distance, rssi, place + 1) && isEmpty(distance, rssi, place + 2)) {
        view.setFloat64(at + 4, 0);
      } else {
        writeEcho(view, at + 4, countsPerMm, distance, rssi, place + 1);
        writeEcho(view, at + 8, countsPerMm, distance, rssi, place + 2);
      }
      writeEnd(view, at + 12, properties, azimuth, beam);
      at += 15;
      place += 3;
    }
  } else {
    for (let beam = 0; beam < beams; beam++) {
      for (const end = place + echoes; place < end; place++) {
        writeEcho(view, at, countsPerMm, distance, rssi, place);
        at += 4;
      }
      writeEnd(view, at, properties, azimuth, beam);
      at += 3;
    }
  }
}

function isEmpty(distance: Float32Array, rssi: Uint16Array, place: number): boolean {
  return distance[place] === 0 && rssi[place] === 0;
}

function writeEcho(
  view: DataView,
  at: number,
  countsPerMm: number,
  distance: Float32Array,
  rssi: Uint16Array,
  place: number,
): void {
  view.setUint32(at, u16((distance[place] ?? 0) * countsPerMm) | ((rssi[place] ?? 0) << 16), true);
}

/**
 * What stands behind the echoes of a beam, in one go. The fourth byte is that of the next beam, of the next module or of
 * the CRC, which are written later.
 */
function writeEnd(
  view: DataView,
  at: number,
  properties: Uint8Array,
  azimuth: Float32Array,
  beam: number,
): void {
  view.setUint32(at, (properties[beam] ?? 0) | (codeOf(azimuth[beam] ?? 0) << 8), true);
}

// Read off the object for each beam, they would cost more than the CRC.
const { perRad, zero } = azimuthCode;

function codeOf(azimuth: number): number {
  return u16(azimuth * perRad + zero);
}

/** The nearest whole number from 0 to 65535, 0 for what is no number. */
function u16(value: number): number {
  if (value > 0 && value < 65535) return (value + 0.5) | 0;
  return value > 0 ? 65535 : 0;
}
