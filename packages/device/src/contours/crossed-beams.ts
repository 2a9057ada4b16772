import type { Evaluation, Point } from '@azimuth/model';
import type { BeamFan } from '../scan/scan.js';

/** A part of a beam: distances from the scanner in mm along the beam. */
type BeamPart = readonly [enter: number, leave: number];

/** Distance (mm) up to which a corner counts as on a beam, because sines and cosines are rounded. */
const onBeam = 1e-6;

/**
 * The parts of a beam that are inside a closed contour, in order; sides and corners belong to the contour. If the beam
 * touches a corner, a part has no length.
 * @param along its direction, a unit vector; it begins at 0, 0
 */
export function beamParts(contour: readonly Point[], along: Point): readonly BeamPart[] {
  const crossings: number[] = [];
  const parts: [number, number][] = [];
  const last = contour.at(-1) ?? { x: 0, y: 0 };
  // Numbers instead of objects: a scanner may have thousands of beams, a contour a hundred corners.
  let fromAhead = aheadOf(last, along);
  let fromLeft = leftOf(last, along);
  for (const corner of contour) {
    const left = leftOf(corner, along);
    const ahead = aheadOf(corner, along);
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
function aheadOf(point: Point, along: Point): number {
  return along.x * point.x + along.y * point.y;
}

/** Distance of a point to the left of the beam in mm. */
function leftOf(point: Point, along: Point): number {
  const left = along.x * point.y - along.y * point.x;
  return Math.abs(left) < onBeam ? 0 : left;
}

/** The parts in order, without those behind the scanner. Parts that touch are joined. */
function merged(parts: [number, number][]): readonly BeamPart[] {
  const inside: [number, number][] = [];
  for (const part of parts.sort(([one], [other]) => one - other)) {
    if (part[1] < 0) continue;
    part[0] = Math.max(0, part[0]);
    const last = inside.at(-1);
    if (last !== undefined && part[0] <= last[1] + onBeam) last[1] = Math.max(last[1], part[1]);
    else inside.push(part);
  }
  return inside;
}

/** Distance (mm) up to which a point counts as on an edge, because distances are float32. */
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

/** The beams that cross the contour of an evaluation. */
export function crossedBeams({ Points }: Pick<Evaluation, 'Points'>, { x, y }: BeamFan): CrossedBeams {
  const beams: number[] = [];
  const firstPart = [0];
  const parts: BeamPart[] = [];
  for (let beam = 0; beam < x.length; beam++) {
    const inside = beamParts(Points, { x: x[beam] ?? 0, y: y[beam] ?? 0 });
    if (inside.length === 0) continue;
    for (const [enter, leave] of inside) parts.push([Math.max(enter - rounding, 0), leave + rounding]);
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
