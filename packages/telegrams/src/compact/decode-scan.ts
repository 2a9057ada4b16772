import type { ScanModule, ScanTelegram } from '../scan-telegram.js';
import { assertBytes, assertVersion, TelegramError } from '../telegram-error.js';
import { assertCrc, getU64, header, readHeader } from '../telegram-header.js';
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
  scanVersions,
} from './scan-layout.js';

/**
 * Reads a scan in Compact (scan-layout.ts) whose marker and type have been checked. The length of a module follows
 * from its rows, columns and content. Of the declared sizes, only 0 counts: it ends the modules. Bytes after the CRC are
 * ignored.
 * @throws TelegramError if it is not a complete telegram.
 */
export function decodeCompactScan(bytes: Uint8Array): ScanTelegram {
  assertBytes(bytes, header.bytes);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const { sequence, transmitTime, version: sentVersion, payloadBytes } = readHeader(view);
  assertVersion(sentVersion, scanVersions, header.version);
  const version = sentVersion === 3 ? 3 : 4;
  const shapes: Shape[] = [];
  let at: number = header.bytes;
  for (let next = payloadBytes; next !== 0; ) {
    const shape = shapeAt(bytes, view, at, version);
    shapes.push(shape);
    at = shape.end;
    next = shape.next;
  }
  assertCrc(bytes, at);
  return { sequence, transmitTime, version, modules: shapes.map((shape) => moduleOf(view, shape, version)) };
}

/** The position and the content of a module. */
interface Shape {
  readonly start: number;
  readonly beamsAt: number;
  readonly end: number;
  /** Declared size of the module after it, 0 if there is none. */
  readonly next: number;
  readonly rows: number;
  readonly columns: number;
  readonly echoes: number;
  readonly echoBits: number;
  readonly beamBits: number;
}

/** Reads the shape of a module. Every size that it declares is compared with the available bytes before memory is allocated. */
function shapeAt(bytes: Uint8Array, view: DataView, start: number, version: ScanVersion): Shape {
  assertBytes(bytes, start + moduleAt.bytes);
  const rows = view.getUint32(start + moduleAt.rows, true);
  const columns = view.getUint32(start + moduleAt.columns, true);
  const echoes = view.getUint32(start + moduleAt.echoes, true);
  const beamsAt = start + metadataBytes(rows, version);
  assertBytes(bytes, beamsAt);
  const nextAt = start + nextModuleAt(rows, version);
  const echoBits = view.getUint8(nextAt + endOfModule.echoContent);
  const beamBits = view.getUint8(nextAt + endOfModule.beamContent);
  if (!(echoBits & echoContent.distance)) {
    throw new TelegramError(
      'distance (bit 0) among the content of an echo',
      `${echoBits}`,
      nextAt + endOfModule.echoContent,
    );
  }
  const beam = beamBytes(echoes, echoBits, beamBits);
  if (beam === 0 && rows * columns > 0) {
    throw new TelegramError(
      'beams of one byte or more',
      '0 echoes and nothing else',
      start + moduleAt.echoes,
    );
  }
  const end = beamsAt + rows * columns * beam;
  assertBytes(bytes, end);
  return {
    start,
    beamsAt,
    end,
    next: view.getUint32(nextAt + endOfModule.nextBytes, true),
    rows,
    columns,
    echoes,
    echoBits,
    beamBits,
  };
}

function moduleOf(view: DataView, shape: Shape, version: ScanVersion): ScanModule {
  const { start, rows, columns, echoes, echoBits, beamBits } = shape;
  const rowsAt = start + moduleAt.bytes;
  const beams = rows * columns;
  const distance = new Float32Array(beams * echoes);
  const rssi = echoBits & echoContent.rssi ? new Uint16Array(beams * echoes) : undefined;
  const properties = beamBits & beamContent.properties ? new Uint8Array(beams) : undefined;
  const azimuth = beamBits & beamContent.azimuth ? new Float32Array(beams) : undefined;
  const scale = version === 3 ? 1 : scaleOf(view, start + scaleAt(rows));
  const { propertiesAt, azimuthAt, bytes: endBytes } = endOfBeam(beamBits, version);
  let at = shape.beamsAt;
  let index = 0;
  for (let beam = 0; beam < beams; beam++) {
    for (const end = index + echoes; index < end; index++) {
      distance[index] = view.getUint16(at, true) * scale;
      at += 2;
      if (rssi !== undefined) {
        rssi[index] = view.getUint16(at, true);
        at += 2;
      }
    }
    if (properties !== undefined) properties[beam] = view.getUint8(at + propertiesAt);
    if (azimuth !== undefined) {
      azimuth[beam] = (view.getUint16(at + azimuthAt, true) - azimuthCode.zero) / azimuthCode.perRad;
    }
    at += endBytes;
  }
  return {
    segmentIndex: getU64(view, start + moduleAt.segmentIndex),
    frameNumber: getU64(view, start + moduleAt.frameNumber),
    sender: view.getUint32(start + moduleAt.sender, true),
    rows,
    columns,
    echoes,
    firstBeamTime: perRow(rows, (row) => getU64(view, rowsAt + rowAt.firstBeamTime * rows + 8 * row)),
    lastBeamTime: perRow(rows, (row) => getU64(view, rowsAt + rowAt.lastBeamTime * rows + 8 * row)),
    elevation: perRow(rows, (row) => view.getFloat32(rowsAt + rowAt.elevation * rows + 4 * row, true)),
    firstAzimuth: perRow(rows, (row) => view.getFloat32(rowsAt + rowAt.firstAzimuth * rows + 4 * row, true)),
    lastAzimuth: perRow(rows, (row) => view.getFloat32(rowsAt + rowAt.lastAzimuth * rows + 4 * row, true)),
    scale,
    availability: view.getUint8(start + nextModuleAt(rows, version) + endOfModule.availability),
    distance,
    rssi,
    properties,
    azimuth,
  };
}

function scaleOf(view: DataView, at: number): number {
  const scale = view.getFloat32(at, true);
  if (!(scale > 0 && scale < Number.POSITIVE_INFINITY)) {
    throw new TelegramError('a scale above 0', `${scale}`, at);
  }
  return scale;
}

function perRow(rows: number, value: (row: number) => number): number[] {
  return Array.from({ length: rows }, (_, row) => value(row));
}
