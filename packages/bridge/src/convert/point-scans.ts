import { type Frame, FrameAssembly } from '@azimuth/client';
import type { Recorded } from '@azimuth/telegrams';
import { isEcho, type RecordedScan } from '../foreign/index.js';
import { decodedOrNothing } from '../mcap/index.js';

/** A point of a recording, in m, x ahead and y to the left. */
export interface ScanPoint {
  readonly x: number;
  readonly y: number;
  readonly z: number;
  /** 0 to 1 for scanners, in the unit of its program for others. */
  readonly intensity: number;
}

/** The points of one scan or cloud. */
export interface PointScan {
  /** Counts from 0. */
  readonly number: number;
  /** Time of its first beam, or its stamp, in µs. */
  readonly time: number;
  points(): Iterable<ScanPoint>;
}

const metres = 0.001;
const strongest = 65_535;

/** Yields the scans of telegrams. Those that are damaged are left out. @param leftOut counts them */
export function* scansOfTelegrams(recorded: Iterable<Recorded>, leftOut: () => void): Generator<PointScan> {
  const assembly = new FrameAssembly();
  let number = 0;
  for (const { telegram, from } of recorded) {
    const decoded = decodedOrNothing(telegram);
    if (decoded === undefined) leftOut();
    if (decoded?.kind !== 'scan') continue;
    for (const frame of assembly.push(decoded.telegram, from)) yield pointsOfFrame(frame, number++);
  }
  for (const frame of assembly.flush()) yield pointsOfFrame(frame, number++);
}

function pointsOfFrame({ time, beams, echoes, azimuth, distance, rssi }: Frame, number: number): PointScan {
  return {
    number,
    time,
    *points() {
      for (let place = 0; place < beams * echoes; place++) {
        const range = (distance[place] ?? 0) * metres;
        const angle = azimuth[Math.floor(place / echoes)] ?? 0;
        if (!(range > 0 && Number.isFinite(range) && Number.isFinite(angle))) continue;
        const intensity = (rssi?.[place] ?? 0) / strongest;
        yield { x: range * Math.cos(angle), y: range * Math.sin(angle), z: 0, intensity };
      }
    },
  };
}

/** Yields the scans and clouds of a topic. */
export function* scansOfTopic(recorded: Iterable<RecordedScan>): Generator<PointScan> {
  let number = 0;
  for (const { stamp, content } of recorded) {
    const points = content.kind === 'points' ? () => content.points() : () => pointsOfBeams(content);
    yield { number: number++, time: stamp, points };
  }
}

function* pointsOfBeams(scan: RecordedScan['content'] & { readonly kind: 'beams' }): Generator<ScanPoint> {
  for (let beam = 0; beam < scan.beams; beam++) {
    const ranges = scan.ranges(beam);
    const intensities = scan.intensities(beam);
    const angle = scan.angleMin + scan.angleIncrement * beam;
    for (let echo = 0; echo < ranges.length; echo++) {
      const range = ranges[echo] ?? 0;
      if (!isEcho(scan, range) || !Number.isFinite(angle)) continue;
      yield {
        x: range * Math.cos(angle),
        y: range * Math.sin(angle),
        z: 0,
        intensity: intensities[echo] ?? 0,
      };
    }
  }
}
