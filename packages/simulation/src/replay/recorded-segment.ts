import { EchoFlag, echoesPerBeam, type Scan } from '@azimuth/device';
import { beamProperty, reflectorEchoes, type ScanModule, type ScanTelegram } from '@azimuth/telegrams';

/** Bytes of a stored echo: distance (f32), signal strength (u16), flags (u8). */
const echoBytes = 7;

/** Approximate bytes of a segment without its echoes. */
const segmentBytes = 400;

const degreesPerRad = 180 / Math.PI;

/** One row of a recorded segment, packed: only existing echoes use memory. */
export interface RecordedSegment {
  readonly index: number;
  readonly frame: number;
  readonly sender: number;
  readonly beams: number;
  /** Angle of the first and of the last beam in degrees. */
  readonly firstAngle: number;
  readonly lastAngle: number;
  /** Times at which the first and the last beam were measured: µs of the recorded scanner. */
  readonly firstBeamTime: number;
  readonly lastBeamTime: number;
  /** The number of echoes of each beam, then the echoes of all beams. */
  readonly packed: Uint8Array;
}

/** Returns the memory of a segment in bytes. */
export function memoryOf({ packed }: RecordedSegment): number {
  return packed.length + segmentBytes;
}

/** Degrees. Scanners have no larger angles. */
const mostDegrees = 720;

/** Returns the row of a telegram with the smallest elevation; undefined if it has no beams, or no valid angles. */
export function recordedSegment({ modules }: ScanTelegram): RecordedSegment | undefined {
  let nearest: { readonly module: ScanModule; readonly row: number } | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const module of modules) {
    if (module.columns === 0) continue;
    for (let row = 0; row < module.rows; row++) {
      const elevation = Math.abs(module.elevation[row] ?? 0);
      if (elevation >= least) continue;
      least = elevation;
      nearest = { module, row };
    }
  }
  const segment = nearest && segmentOf(nearest.module, nearest.row);
  return segment && isAngle(segment.firstAngle) && isAngle(segment.lastAngle) ? segment : undefined;
}

function isAngle(degrees: number): boolean {
  return Math.abs(degrees) <= mostDegrees;
}

function segmentOf(module: ScanModule, row: number): RecordedSegment {
  return {
    index: module.segmentIndex,
    frame: module.frameNumber,
    sender: module.sender,
    beams: module.columns,
    firstAngle: (module.firstAzimuth[row] ?? 0) * degreesPerRad,
    lastAngle: (module.lastAzimuth[row] ?? 0) * degreesPerRad,
    firstBeamTime: module.firstBeamTime[row] ?? 0,
    lastBeamTime: module.lastBeamTime[row] ?? 0,
    packed: pack(module, row),
  };
}

function pack(module: ScanModule, row: number): Uint8Array {
  const { rows, columns, echoes, distance, rssi, properties } = module;
  const bytes = new Uint8Array(columns + columns * Math.min(echoes, echoesPerBeam) * echoBytes);
  const view = new DataView(bytes.buffer);
  let at = columns;
  for (let column = 0; column < columns; column++) {
    const beam = column * rows + row;
    const bits = properties?.[beam] ?? 0;
    const reflectors = reflectorEchoes(bits, distance, rssi, beam * echoes, echoes);
    let count = 0;
    for (let echo = 0; echo < echoes && count < echoesPerBeam; echo++) {
      const place = beam * echoes + echo;
      const mm = distance[place] ?? 0;
      if (!(mm > 0 && mm < Number.POSITIVE_INFINITY)) continue;
      view.setFloat32(at, mm);
      view.setUint16(at + 4, rssi?.[place] ?? 0);
      const isBlooming = echo < echoesPerBeam && bits & (1 << (beamProperty.firstBlooming + echo));
      const isReflector = (reflectors >> echo) & 1;
      view.setUint8(at + 6, (isBlooming ? EchoFlag.blooming : 0) | (isReflector ? EchoFlag.reflector : 0));
      at += echoBytes;
      count++;
    }
    bytes[column] = count;
  }
  return bytes.slice(0, at);
}

/**
 * Writes a segment into a scan: column `c` becomes beam `first + step * c`, if the scan has such a beam.
 * @param furthest mm: echoes behind it are left out
 */
export function unpackInto(
  scan: Scan,
  { beams, packed }: RecordedSegment,
  first: number,
  step: 1 | -1,
  furthest: number,
): void {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.length);
  let at = beams;
  for (let column = 0; column < beams; column++) {
    const beam = first + step * column;
    const end = at + (packed[column] ?? 0) * echoBytes;
    if (beam < 0 || beam >= scan.geometry.beams) {
      at = end;
      continue;
    }
    for (let place = beam * echoesPerBeam; at < end; at += echoBytes) {
      const distance = view.getFloat32(at);
      if (distance > furthest) continue;
      scan.distance[place] = distance;
      scan.rssi[place] = view.getUint16(at + 4);
      scan.flags[place] = view.getUint8(at + 6);
      place += 1;
    }
  }
}
