import type { ScanGeometry } from '@azimuth/device';
import type { RecordedSegment } from './recorded-segment.js';
import { type RecordedScan, ReplayError } from './recording.js';

/** Relative deviation within which a measured number is rounded to a whole one. */
const tolerance = 0.01;

const mostDegrees = 361;
const leastStep = 0.01;
const frequencies = { least: 0.1, most: 1000 } as const;

/**
 * Returns the angles of the beams of a recording, and its scan frequency.
 * @throws ReplayError if they cannot be determined, or change within the recording
 */
export function recordedGeometry(scans: readonly RecordedScan[]): ScanGeometry {
  const step = stepOf(scans);
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  let beamsPerSegment = 0;
  for (const segment of allSegments(scans)) {
    first = Math.min(first, segment.firstAngle, segment.lastAngle);
    last = Math.max(last, segment.firstAngle, segment.lastAngle);
    beamsPerSegment = Math.max(beamsPerSegment, segment.beams);
  }
  if (last - first > mostDegrees) {
    throw new ReplayError(
      `the beams of the recording cover ${Math.round(last - first)}°, but a revolution has 360°`,
    );
  }
  const beams = Math.round((last - first) / step) + 1;
  // Angles are set in 1/10000 degree; floats of radians differ slightly.
  return {
    frequency: frequencyOf(scans, step),
    firstAngle: Math.round(first * 10_000) / 10_000,
    step,
    beams,
    beamsPerSegment: Math.min(beamsPerSegment, beams),
  };
}

/**
 * Returns the beam of a geometry at which a segment begins, and the direction of its beams: counter-clockwise (1) or
 * clockwise (-1).
 */
export function beamsOf(
  { firstAngle, step }: ScanGeometry,
  segment: RecordedSegment,
): { readonly first: number; readonly step: 1 | -1 } {
  return {
    first: Math.round((segment.firstAngle - firstAngle) / step),
    step: segment.lastAngle < segment.firstAngle ? -1 : 1,
  };
}

function* allSegments(scans: readonly RecordedScan[]): Generator<RecordedSegment> {
  for (const { segments } of scans) yield* segments.values();
}

/**
 * Returns the degrees from beam to beam in the segment with most beams. If nearly a whole number fits into a degree, the
 * result is rounded to it.
 */
function stepOf(scans: readonly RecordedScan[]): number {
  let widest: RecordedSegment | undefined;
  for (const segment of allSegments(scans)) {
    if (segment.beams > (widest?.beams ?? 1)) widest = segment;
  }
  const step = widest === undefined ? 0 : measuredStep(widest);
  if (widest === undefined || !(step >= leastStep)) {
    throw new ReplayError(
      `the angle between two beams cannot be determined: ${step}° in the segment with most beams, ${leastStep}° at least`,
    );
  }
  for (const { segments, frame } of scans) {
    for (const segment of segments.values()) {
      if (segment.beams < 2 || Math.abs(measuredStep(segment) - step) <= tolerance * step) continue;
      throw new ReplayError(
        `the angle between beams changes in the recording: ${rounded(step)}° in frame ${widest.frame}, ${rounded(measuredStep(segment))}° in frame ${frame}. Cut the recording there`,
      );
    }
  }
  const beamsPerDegree = Math.round(1 / step);
  return Math.abs(beamsPerDegree * step - 1) <= tolerance ? 1 / beamsPerDegree : step;
}

function measuredStep({ firstAngle, lastAngle, beams }: RecordedSegment): number {
  return Math.abs(lastAngle - firstAngle) / (beams - 1);
}

/**
 * Returns the frequency in Hz. It comes from the times at which scans began. If there are none, it comes from the times of
 * reception, and then from the beam times of a segment.
 */
function frequencyOf(scans: readonly RecordedScan[], step: number): number {
  // An hour of scans has more segments than a call can have arguments.
  const first = Math.min(...new Set(scans.flatMap(({ segments }) => [...segments.keys()])));
  const beginnings = scans.flatMap(({ segments }) => segments.get(first)?.firstBeamTime ?? []);
  const receptions = scans.map(({ received }) => received);
  for (const period of [medianStep(beginnings), medianStep(receptions), periodOfBeams(scans, step)]) {
    const frequency = 1_000_000 / period;
    if (!(frequency >= frequencies.least && frequency <= frequencies.most)) continue;
    const whole = Math.round(frequency);
    return Math.abs(frequency - whole) <= tolerance * whole ? whole : frequency;
  }
  throw new ReplayError(
    `the times of the recording do not show the scan rate: expected ${frequencies.least} to ${frequencies.most} Hz`,
  );
}

/** Returns the median of the steps from each number to the next; NaN if there is none. */
function medianStep(numbers: readonly number[]): number {
  const steps = numbers.slice(1).map((number, index) => number - (numbers[index] ?? 0));
  return steps.sort((one, other) => one - other)[steps.length >> 1] ?? Number.NaN;
}

/** Returns the µs of a revolution, computed from the beam times of the widest segment. */
function periodOfBeams([scan]: readonly RecordedScan[], step: number): number {
  let widest: RecordedSegment | undefined;
  for (const segment of scan?.segments.values() ?? []) {
    if (segment.beams > (widest?.beams ?? 1)) widest = segment;
  }
  if (widest === undefined) return Number.NaN;
  const degrees = (widest.beams - 1) * step;
  return ((widest.lastBeamTime - widest.firstBeamTime) * 360) / degrees;
}

function rounded(degrees: number): number {
  return Math.round(degrees * 10_000) / 10_000;
}
