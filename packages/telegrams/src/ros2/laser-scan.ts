import { CdrReader, CdrWriter } from './cdr.js';
import { type Header, headerBytes, readHeader, writeHeader } from './message-types.js';

/** The directions, times and limits of a scan. Angles in rad, counter-clockwise, 0 ahead; times in s, ranges in m. */
export interface ScanFacts extends Header {
  readonly angleMin: number;
  readonly angleMax: number;
  readonly angleIncrement: number;
  readonly timeIncrement: number;
  readonly scanTime: number;
  readonly rangeMin: number;
  readonly rangeMax: number;
}

/** Values of scanners in messages of ROS 2. */
export const scanValues = {
  /** Nearest distance that a scanner reports, in m. */
  rangeMin: 0.05,
  /** Strongest signal (RSSI), which is 1 in ROS 2. */
  strongest: 65_535,
  /** Intensity of a reflector in scans: above all others. */
  ofReflector: 1.05,
} as const;

/** One echo of each beam (sensor_msgs/LaserScan). */
export interface LaserScan extends ScanFacts {
  /** m, positive infinity where nothing was detected. */
  readonly ranges: Float32Array;
  readonly intensities: Float32Array;
}

/** Returns the largest number of bytes of the facts of a scan. */
function factsBytes(facts: ScanFacts): number {
  return headerBytes(facts) + 7 * 4 + 8;
}

function writeFacts(cdr: CdrWriter, facts: ScanFacts): void {
  writeHeader(cdr, facts);
  cdr.f32(facts.angleMin);
  cdr.f32(facts.angleMax);
  cdr.f32(facts.angleIncrement);
  cdr.f32(facts.timeIncrement);
  cdr.f32(facts.scanTime);
  cdr.f32(facts.rangeMin);
  cdr.f32(facts.rangeMax);
}

export function readFacts(cdr: CdrReader): ScanFacts {
  return {
    ...readHeader(cdr),
    angleMin: cdr.f32(),
    angleMax: cdr.f32(),
    angleIncrement: cdr.f32(),
    timeIncrement: cdr.f32(),
    scanTime: cdr.f32(),
    rangeMin: cdr.f32(),
    rangeMax: cdr.f32(),
  };
}

/** Returns the largest number of bytes of a message with this many beams. */
export function laserScanBytes(facts: ScanFacts, beams: number): number {
  return factsBytes(facts) + 2 * (4 + 4 * beams);
}

/**
 * Writes sensor_msgs/LaserScan. Offsets are counted from behind the four bytes of the encoding; the frame has n bytes with
 * its zero, and what follows it begins at the next multiple of 4:
 *
 * | offset | type | what |
 * |---|---|---|
 * | 0 | i32, u32 | stamp: seconds, nanoseconds |
 * | 8 | u32, n bytes | frame |
 * | 12 + n | f32 × 7 | angle_min, angle_max, angle_increment, time_increment, scan_time, range_min, range_max |
 * | 40 + n | u32, f32 … | ranges |
 * | … | u32, f32 … | intensities |
 *
 * @param target where to write; a new array by default
 * @returns the part that was written
 * @throws RangeError if `target` is too small
 */
export function encodeLaserScan(scan: LaserScan, target?: Uint8Array): Uint8Array {
  const cdr = new CdrWriter(target ?? new Uint8Array(laserScanBytes(scan, scan.ranges.length)));
  writeFacts(cdr, scan);
  for (const values of [scan.ranges, scan.intensities]) {
    cdr.u32(values.length);
    cdr.floats(values, 0, values.length);
  }
  return cdr.end();
}

/** @throws TelegramError if it is cut off, or encoded in another way than plain CDR */
export function decodeLaserScan(payload: Uint8Array): LaserScan {
  const cdr = new CdrReader(payload);
  return { ...readFacts(cdr), ranges: cdr.floats(), intensities: cdr.floats() };
}

/** All echoes of each beam (sensor_msgs/MultiEchoLaserScan). */
export interface MultiEchoLaserScan extends ScanFacts {
  /** Largest number of echoes of each beam in the arrays. */
  readonly places: number;
  /** Number of echoes by beam; 0 to `places`. */
  readonly counts: Uint8Array;
  /** m, beams × places. */
  readonly ranges: Float32Array;
  /** beams × places. */
  readonly intensities: Float32Array;
}

/** Returns the largest number of bytes of a message with this many beams, and this many echoes of all beams together. */
export function multiEchoLaserScanBytes(facts: ScanFacts, beams: number, echoes: number): number {
  return factsBytes(facts) + 2 * (4 + 4 * beams + 4 * echoes);
}

/**
 * Writes sensor_msgs/MultiEchoLaserScan: as LaserScan, but each item of `ranges` and `intensities` is a list of its own (u32
 * count, then f32 for each echo).
 * @param target where to write; a new array by default
 * @returns the part that was written
 * @throws RangeError if `target` is too small
 */
export function encodeMultiEchoLaserScan(scan: MultiEchoLaserScan, target?: Uint8Array): Uint8Array {
  const { counts, places } = scan;
  const beams = counts.length;
  const cdr = new CdrWriter(target ?? new Uint8Array(multiEchoLaserScanBytes(scan, beams, beams * places)));
  writeFacts(cdr, scan);
  for (const values of [scan.ranges, scan.intensities]) {
    cdr.u32(beams);
    for (let beam = 0; beam < beams; beam++) {
      const count = counts[beam] ?? 0;
      cdr.u32(count);
      cdr.floats(values, beam * places, count);
    }
  }
  return cdr.end();
}

/**
 * Decodes a scan. Its `places` is the number of echoes of the beam with most echoes.
 * @throws TelegramError if it is cut off, or encoded in another way than plain CDR
 */
export function decodeMultiEchoLaserScan(payload: Uint8Array): MultiEchoLaserScan {
  const cdr = new CdrReader(payload);
  const facts = readFacts(cdr);
  const lists = () => Array.from({ length: cdr.length(4) }, () => cdr.floats());
  const [ranges, intensities] = [lists(), lists()];
  const places = ranges.reduce((most, { length }) => Math.max(most, length), 0);
  return {
    ...facts,
    places,
    counts: Uint8Array.from(ranges, ({ length }) => length),
    ranges: flat(ranges, places),
    intensities: flat(intensities, places),
  };
}

function flat(lists: readonly Float32Array[], places: number): Float32Array {
  const values = new Float32Array(lists.length * places);
  for (const [beam, list] of lists.entries()) values.set(list.subarray(0, places), beam * places);
  return values;
}
