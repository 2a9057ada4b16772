import type { Evaluation } from '@azimuth/model';
import { type BeamPart, beamParts } from './beam-parts.js';
import type { View } from './view.js';

/** Distances are float32, exact to some hundredths of a mm at 100 m: a point as near as this to an edge is on it. */
const rounding = 0.01;

/**
 * The beams that cross an area, with the parts of them that are inside: so a scan is compared at these places and nowhere
 * else. The parts of crossing `n` are those from `firstPart[n]` up to `firstPart[n + 1]`, the nearest first.
 */
export interface CrossedBeams {
  readonly beams: Uint32Array;
  readonly firstPart: Uint32Array;
  /** mm along the beam. */
  readonly enter: Float64Array;
  readonly leave: Float64Array;
}

/** The beams that come between the lower and the upper limit of an evaluation while they are inside its contour. */
export function crossedBeams(
  { Points, LowerZLimit, UpperZLimit }: Pick<Evaluation, 'Points' | 'LowerZLimit' | 'UpperZLimit'>,
  { geometry, position, directions }: View,
): CrossedBeams {
  const beams: number[] = [];
  const firstPart = [0];
  const parts: BeamPart[] = [];
  for (let beam = 0; beam < geometry.beams; beam++) {
    const along = { x: directions.x[beam] ?? 0, y: directions.y[beam] ?? 0 };
    const up = directions.z[beam] ?? 0;
    const inside = beamParts(Points, position, along);
    if (inside.length === 0) continue;
    const [lowest, highest] = heightPart(LowerZLimit - position.z, UpperZLimit - position.z, up);
    for (const [enter, leave] of inside) {
      const part = [Math.max(enter - rounding, lowest, 0), Math.min(leave + rounding, highest)] as const;
      if (part[0] <= part[1]) parts.push(part);
    }
    if (parts.length === firstPart.at(-1)) continue;
    beams.push(beam);
    firstPart.push(parts.length);
  }
  return {
    beams: Uint32Array.from(beams),
    firstPart: Uint32Array.from(firstPart),
    enter: Float64Array.from(parts, ([enter]) => enter),
    leave: Float64Array.from(parts, ([, leave]) => leave),
  };
}

/** The part of a beam between two heights above the scanner; all or nothing where it stays at its height. */
function heightPart(low: number, high: number, up: number): BeamPart {
  // Never -0, which would turn the signs of both infinities.
  const toLow = (low - rounding) / (up + 0);
  const toHigh = (high + rounding) / (up + 0);
  return up < 0 ? [toHigh, toLow] : [toLow, toHigh];
}
