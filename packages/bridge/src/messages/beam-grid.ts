import type { Frame } from '@azimuth/client';

/** Places at equal angles, as a LaserScan has them, and the beam of a frame at each place. */
export interface BeamGrid {
  /** Angle of the first place in rad. */
  readonly first: number;
  /** Angle from place to place in rad; negative if the beams turn clockwise. */
  readonly step: number;
  readonly places: number;
  /** Returns the beam at a place; -1 if it has none, as in segments that were lost. */
  beamAt(place: number): number;
}

/** Maximum number of places: more than ten times those of a scanner at its finest resolution. */
const mostPlaces = 65_536;

/**
 * Returns the places of the beams of a frame. If the beams have equal distances, each beam has its place. Otherwise, for
 * example if a segment is missing, each beam is at the nearest place, and some places have none.
 */
export function beamGridOf({ azimuth, beams }: Frame): BeamGrid {
  const first = azimuth[0] ?? 0;
  const step = beams > 1 ? ((azimuth[beams - 1] ?? 0) - first) / (beams - 1) : 0;
  if (isEven(azimuth, first, step)) return { first, step, places: beams, beamAt: (place) => place };
  return unevenGrid(azimuth);
}

/** True if no beam is farther than half a step from its place. Negated so that NaN is not even. */
function isEven(azimuth: Float32Array, first: number, step: number): boolean {
  const tolerance = Math.abs(step) / 2;
  return azimuth.every((angle, beam) => Math.abs(angle - (first + beam * step)) <= tolerance);
}

function unevenGrid(azimuth: Float32Array): BeamGrid {
  const angles = azimuth.filter(Number.isFinite).sort();
  const first = angles[0] ?? 0;
  const span = (angles.at(-1) ?? first) - first;
  const smallest = span / (mostPlaces - 1);
  const step = Math.max(medianStep(angles), smallest);
  const places = angles.length === 0 ? 0 : step > 0 ? Math.round(span / step) + 1 : 1;
  const beamOf = new Int32Array(places).fill(-1);
  for (const [beam, angle] of azimuth.entries()) {
    const place = step > 0 ? Math.round((angle - first) / step) : 0;
    if (place >= 0 && place < places) beamOf[place] = beam;
  }
  return { first, step, places, beamAt: (place) => beamOf[place] ?? -1 };
}

/** Returns the median of the steps from each angle to the next; 0 if there is none. */
function medianStep(sorted: Float32Array): number {
  const steps = sorted.slice(1).map((angle, index) => angle - (sorted[index] ?? 0));
  return steps.sort()[steps.length >> 1] ?? 0;
}
