import type { ScanGeometry } from '@azimuth/device';
import type { RecordedSegment } from './recorded-segment.js';
import type { Turn } from './recorded-turns.js';
import { ReplayError } from './recorded-turns.js';

/** How far a number that was measured may be off, and still stands for a round one. */
const tolerance = 0.01;

const mostDegrees = 361;
const leastStep = 0.01;
const frequencies = { least: 0.1, most: 1000 } as const;

/**
 * Where the beams of a recording stand, and how often its turns come.
 * @throws ReplayError where that cannot be told, or changes within the recording.
 */
export function recordedGeometry(turns: readonly Turn[]): ScanGeometry {
  const step = stepOf(turns);
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  let beamsPerSegment = 0;
  for (const segment of allSegments(turns)) {
    first = Math.min(first, segment.firstAngle, segment.lastAngle);
    last = Math.max(last, segment.firstAngle, segment.lastAngle);
    beamsPerSegment = Math.max(beamsPerSegment, segment.beams);
  }
  if (last - first > mostDegrees) {
    throw new ReplayError(`the beams of the recording go over ${Math.round(last - first)}°, a turn has 360°`);
  }
  const beams = Math.round((last - first) / step) + 1;
  // Angles are set in 1/10000 degree; floats of radians miss that by a little.
  return {
    frequency: frequencyOf(turns, step),
    firstAngle: Math.round(first * 10_000) / 10_000,
    step,
    beams,
    beamsPerSegment: Math.min(beamsPerSegment, beams),
  };
}

/** Which beam of a geometry the first one of a segment is, and whether the others follow to the left or to the right. */
export function placeOf(
  { firstAngle, step }: ScanGeometry,
  segment: RecordedSegment,
): { readonly first: number; readonly step: 1 | -1 } {
  return {
    first: Math.round((segment.firstAngle - firstAngle) / step),
    step: segment.lastAngle < segment.firstAngle ? -1 : 1,
  };
}

function* allSegments(turns: readonly Turn[]): Generator<RecordedSegment> {
  for (const { segments } of turns) yield* segments.values();
}

/** Degrees from beam to beam, by the segment with most of them; the round part of a degree that it stands for. */
function stepOf(turns: readonly Turn[]): number {
  let widest: RecordedSegment | undefined;
  for (const segment of allSegments(turns)) {
    if (segment.beams > (widest?.beams ?? 1)) widest = segment;
  }
  const step = widest === undefined ? 0 : measuredStep(widest);
  if (widest === undefined || !(step >= leastStep)) {
    throw new ReplayError(
      `the angle between two beams cannot be told: ${step}° in the segment with most beams, ${leastStep}° at least`,
    );
  }
  for (const { segments, frame } of turns) {
    for (const segment of segments.values()) {
      if (segment.beams < 2 || Math.abs(measuredStep(segment) - step) <= tolerance * step) continue;
      throw new ReplayError(
        `the beams change within the recording: ${rounded(step)}° apart in frame ${widest.frame}, ${rounded(measuredStep(segment))}° in frame ${frame}; cut it there`,
      );
    }
  }
  const beamsADegree = Math.round(1 / step);
  return Math.abs(beamsADegree * step - 1) <= tolerance ? 1 / beamsADegree : step;
}

function measuredStep({ firstAngle, lastAngle, beams }: RecordedSegment): number {
  return Math.abs(lastAngle - firstAngle) / (beams - 1);
}

/** Turns a second: by the times at which turns began, those at which they came, or those of the beams of a segment. */
function frequencyOf(turns: readonly Turn[], step: number): number {
  const began = turns.flatMap(({ segments }) => segments.get(0)?.firstBeamTime ?? []);
  const came = turns.map(({ received }) => received);
  for (const period of [medianStep(began), medianStep(came), periodOfBeams(turns, step)]) {
    const frequency = 1_000_000 / period;
    if (!(frequency >= frequencies.least && frequency <= frequencies.most)) continue;
    const whole = Math.round(frequency);
    return Math.abs(frequency - whole) <= tolerance * whole ? whole : frequency;
  }
  throw new ReplayError(
    `the times of the recording do not tell how fast the mirror turns: ${frequencies.least} to ${frequencies.most} Hz expected`,
  );
}

/** Median of the steps from each number to the next; NaN where there are none. */
function medianStep(numbers: readonly number[]): number {
  const steps = numbers.slice(1).map((number, index) => number - (numbers[index] ?? 0));
  return steps.sort((one, other) => one - other)[steps.length >> 1] ?? Number.NaN;
}

/** µs of a turn, by the time that the beams of its widest segment took. */
function periodOfBeams([turn]: readonly Turn[], step: number): number {
  let widest: RecordedSegment | undefined;
  for (const segment of turn?.segments.values() ?? []) {
    if (segment.beams > (widest?.beams ?? 1)) widest = segment;
  }
  if (widest === undefined) return Number.NaN;
  const degrees = (widest.beams - 1) * step;
  return ((widest.lastBeamTime - widest.firstBeamTime) * 360) / degrees;
}

function rounded(degrees: number): number {
  return Math.round(degrees * 10_000) / 10_000;
}
