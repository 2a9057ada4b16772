import { CdrReader, CdrWriter } from './cdr.js';
import { type Header, headerBytes, readHeader, writeHeader } from './header.js';

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

/** One echo of each beam (sensor_msgs/LaserScan). */
export interface LaserScan extends ScanFacts {
  /** m, positive infinity where nothing was seen. */
  readonly ranges: Float32Array;
  readonly intensities: Float32Array;
}

/** Bytes of the facts of a scan, at most. */
export function factsBytes(facts: ScanFacts): number {
  return headerBytes(facts) + 7 * 4 + 8;
}

export function writeFacts(cdr: CdrWriter, facts: ScanFacts): void {
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

/** The most bytes of a message with so many beams. */
export function laserScanBytes(facts: ScanFacts, beams: number): number {
  return factsBytes(facts) + 2 * (4 + 4 * beams);
}

/**
 * Writes sensor_msgs/LaserScan. Offsets are counted from behind the four bytes of the encoding; the frame has n bytes
 * with its zero, and what follows it begins at the next multiple of 4:
 *
 * | offset | type | what |
 * |---|---|---|
 * | 0 | i32, u32 | stamp: seconds, nanoseconds |
 * | 8 | u32, n bytes | frame |
 * | 12 + n | f32 × 7 | angle_min, angle_max, angle_increment, time_increment, scan_time, range_min, range_max |
 * | 40 + n | u32, f32 … | ranges |
 * | … | u32, f32 … | intensities |
 *
 * @param target where to write; a new array if it is left out
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
