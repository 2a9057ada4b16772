import { crc32, crcBytes } from '../crc32.js';
import { beamsOf, type ScanModule, type ScanTelegram } from '../scan-telegram.js';
import { header, outputFor, setU64, telegramType, writeHeader } from '../telegram-header.js';
import { blankBeams } from './blank-beams.js';
import {
  azimuthCode,
  beamBytes,
  beamContent,
  echoContent,
  endOfBeam,
  endOfModule,
  metadataBytes,
  moduleAt,
  nextModuleAt,
  rowAt,
  type ScanVersion,
  scaleAt,
} from './scan-layout.js';

/**
 * Writes a scan as Compact (scan-layout.ts), in version 4 if the telegram has no other. Distances are rounded to counts of the
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
  writeModules(output, view, telegram, version);
  view.setUint32(crcAt, crc32(output.subarray(0, crcAt)), true);
  return output;
}

/** Writes everything in front of the CRC. */
function writeModules(
  output: Uint8Array,
  view: DataView,
  telegram: ScanTelegram,
  version: ScanVersion,
): void {
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
    writeBeams(output, view, at + metadataBytes(module.rows, version), module, version);
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
  const perRow = start + moduleAt.bytes;
  for (let row = 0; row < rows; row++) {
    setU64(view, perRow + rowAt.firstBeamTime * rows + 8 * row, module.firstBeamTime[row] ?? 0);
    setU64(view, perRow + rowAt.lastBeamTime * rows + 8 * row, module.lastBeamTime[row] ?? 0);
    view.setFloat32(perRow + rowAt.elevation * rows + 4 * row, module.elevation[row] ?? 0, true);
    view.setFloat32(perRow + rowAt.firstAzimuth * rows + 4 * row, module.firstAzimuth[row] ?? 0, true);
    view.setFloat32(perRow + rowAt.lastAzimuth * rows + 4 * row, module.lastAzimuth[row] ?? 0, true);
  }
  if (version === 4) view.setFloat32(start + scaleAt(rows), module.scale, true);
  const at = start + nextModuleAt(rows, version);
  view.setUint32(at + endOfModule.nextBytes, nextBytes, true);
  view.setUint8(at + endOfModule.availability, module.availability);
  view.setUint8(at + endOfModule.echoContent, echoBits(module));
  view.setUint8(at + endOfModule.beamContent, beamBits(module));
  view.setUint8(at + endOfModule.reserved, 0);
}

function writeBeams(
  output: Uint8Array,
  view: DataView,
  start: number,
  module: ScanModule,
  version: ScanVersion,
): void {
  const beams = beamsOf(module);
  const { echoes, rssi, properties, hasProperties = true, azimuth } = module;
  const end = endOfBeam(beamBits(module), version);
  const echoSize = rssi === undefined ? 2 : 4;
  const endAt = echoSize * echoes;
  const beamSize = endAt + end.bytes;
  if (azimuth === undefined) output.fill(0, start, start + beams * beamSize);
  else {
    const codes = module.azimuthCodes ?? azimuthCodesOf(azimuth);
    output.set(blankBeams(codes, beamSize, endAt + end.azimuthAt), start);
  }
  if (properties !== undefined && hasProperties)
    writeProperties(view, start + endAt + end.propertiesAt, { properties, beams, beamSize });
  const countsPerMm = 1 / Math.fround(version === 3 ? 1 : module.scale);
  // A module without beams may state any number of echoes.
  const used = beams === 0 ? 0 : Math.min(module.mostEchoes ?? echoes, echoes);
  for (let echo = 0; echo < used; echo++)
    writeEcho(view, start + echoSize * echo, { module, echo, beams, beamSize, countsPerMm });
}

interface Properties {
  readonly properties: Uint8Array;
  readonly beams: number;
  readonly beamSize: number;
}

/** Writes the properties of beams that have any. */
function writeProperties(view: DataView, start: number, { properties, beams, beamSize }: Properties): void {
  for (let beam = 0, at = start; beam < beams; beam++, at += beamSize) {
    const bits = properties[beam] ?? 0;
    if (bits !== 0) view.setUint8(at, bits);
  }
}

interface Echoes {
  readonly module: ScanModule;
  readonly echo: number;
  readonly beams: number;
  readonly beamSize: number;
  readonly countsPerMm: number;
}

/** Writes one echo of each beam. */
function writeEcho(
  view: DataView,
  start: number,
  { module, echo, beams, beamSize, countsPerMm }: Echoes,
): void {
  const { echoes, distance, rssi } = module;
  if (rssi === undefined) {
    for (let beam = 0, place = echo, at = start; beam < beams; beam++, place += echoes, at += beamSize)
      view.setUint16(at, u16((distance[place] ?? 0) * countsPerMm), true);
    return;
  }
  for (let beam = 0, place = echo, at = start; beam < beams; beam++, place += echoes, at += beamSize) {
    const count = u16((distance[place] ?? 0) * countsPerMm);
    view.setUint32(at, count | ((rssi[place] ?? 0) << 16), true);
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
  return value > 0 ? (value < 65_535 ? (value + 0.5) | 0 : 65_535) : 0;
}
