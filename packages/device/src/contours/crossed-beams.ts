import { type Evaluation, isInside, type Point } from '@azimuth/model';
import type { MountedBeams } from '../mounting-position/beam-directions.js';

/** A part of a beam: distances from the scanner in mm along the beam. */
type BeamPart = readonly [enter: number, leave: number];

/** mm: a corner this near to a beam is on it, because sines and cosines are rounded. */
const onBeam = 1e-6;
/** A beam that advances less than this in the plane for each mm points straight up or down. */
const vertical = 1e-9;

/**
 * The parts of a beam that are inside a closed contour, in order; sides and corners belong to the contour. If the beam
 * touches a corner, a part has no length.
 * @param origin of the beam
 * @param along its direction, projected on the plane of the contour: shorter than 1 if the beam is tilted
 */
export function beamParts(contour: readonly Point[], origin: Point, along: Point): readonly BeamPart[] {
  const speed = Math.sqrt(along.x * along.x + along.y * along.y);
  if (speed < vertical) return isInside(contour, origin) ? [[0, Number.POSITIVE_INFINITY]] : [];
  const crossings: number[] = [];
  const parts: [number, number][] = [];
  const last = contour.at(-1) ?? origin;
  // Numbers instead of objects: a scanner may have thousands of beams, a contour a hundred corners.
  let fromAhead = aheadOf(last, origin, along, speed);
  let fromLeft = leftOf(last, origin, along, speed);
  for (const corner of contour) {
    const left = leftOf(corner, origin, along, speed);
    const ahead = aheadOf(corner, origin, along, speed);
    if (left === 0) parts.push([ahead, ahead]);
    if (left === 0 && fromLeft === 0) parts.push([Math.min(fromAhead, ahead), Math.max(fromAhead, ahead)]);
    // A corner on the beam counts as left of it, as if the beam ran slightly beside the corner.
    if (fromLeft >= 0 !== left >= 0) {
      crossings.push(fromAhead + ((ahead - fromAhead) * fromLeft) / (fromLeft - left));
    }
    fromAhead = ahead;
    fromLeft = left;
  }
  if (crossings.length === 0 && parts.length === 0) return parts;
  crossings.sort((one, other) => one - other);
  for (let index = 0; index + 1 < crossings.length; index += 2) {
    parts.push([crossings[index] ?? 0, crossings[index + 1] ?? 0]);
  }
  return merged(parts);
}

/** Distance of a point along the beam in mm. */
function aheadOf(point: Point, origin: Point, along: Point, speed: number): number {
  return (along.x * (point.x - origin.x) + along.y * (point.y - origin.y)) / (speed * speed);
}

/** Distance of a point to the left of the beam in mm. */
function leftOf(point: Point, origin: Point, along: Point, speed: number): number {
  const left = (along.x * (point.y - origin.y) - along.y * (point.x - origin.x)) / speed;
  return Math.abs(left) < onBeam ? 0 : left;
}

/** The parts in order, without those behind the scanner. Parts that touch are joined. */
function merged(parts: [number, number][]): readonly BeamPart[] {
  const whole: [number, number][] = [];
  for (const part of parts.sort(([one], [other]) => one - other)) {
    if (part[1] < 0) continue;
    part[0] = Math.max(0, part[0]);
    const last = whole.at(-1);
    if (last !== undefined && part[0] <= last[1] + onBeam) last[1] = Math.max(last[1], part[1]);
    else whole.push(part);
  }
  return whole;
}

/** mm: a point this near to an edge is on it, because distances are float32. */
const rounding = 0.01;

/**
 * The beams that cross an area, with the parts of them that are inside, so that only these are compared with a scan.
 * The parts of crossing `n` are those from `firstPart[n]` up to, but not including, `firstPart[n + 1]`, the nearest first.
 */
export interface CrossedBeams {
  readonly beams: Uint32Array;
  readonly firstPart: Uint32Array;
  /** mm along the beam. */
  readonly enter: Float64Array;
  readonly leave: Float64Array;
}

/** The beams that cross the contour of an evaluation between its lower and its upper limit. */
export function crossedBeams(
  { Points, LowerZLimit, UpperZLimit }: Pick<Evaluation, 'Points' | 'LowerZLimit' | 'UpperZLimit'>,
  { geometry, position, directions }: MountedBeams,
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

/** The part of a beam between two heights above the scanner; all of a horizontal beam, or nothing. */
function heightPart(low: number, high: number, up: number): BeamPart {
  // `+ 0` turns -0 into 0: -0 would change the signs of both infinities.
  const toLow = (low - rounding) / (up + 0);
  const toHigh = (high + rounding) / (up + 0);
  return up < 0 ? [toHigh, toLow] : [toLow, toHigh];
}
