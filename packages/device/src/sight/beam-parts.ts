import { crossOf, type Point } from './point.js';

/** A part of a beam: distances from the scanner, in mm along the beam. */
export type BeamPart = readonly [enter: number, leave: number];

/** A corner as near as this to a beam is on it, mm: directions are sines and cosines, which are off by their last bits. */
const onBeam = 1e-6;
/** A beam that gets along by less than this for one mm points straight up or down. */
const upright = 1e-9;

/**
 * The parts of a beam that are inside a closed contour, in order; its sides and corners belong to it. A part may have no
 * length, where the beam touches a corner.
 * @param origin where the beam begins.
 * @param along how far it gets in the plane of the contour by one mm: less than 1 where it is tilted.
 */
export function beamParts(contour: readonly Point[], origin: Point, along: Point): readonly BeamPart[] {
  const speed = Math.sqrt(along.x * along.x + along.y * along.y);
  if (speed < upright) return isInside(contour, origin) ? [[0, Number.POSITIVE_INFINITY]] : [];
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
    // A corner on the beam counts as one to its left: the beam crosses as one would that runs a hair beside.
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

/** How far along the beam a point is, mm. */
function aheadOf(point: Point, origin: Point, along: Point, speed: number): number {
  return (along.x * (point.x - origin.x) + along.y * (point.y - origin.y)) / (speed * speed);
}

/** How far to the left of the beam a point is, mm. */
function leftOf(point: Point, origin: Point, along: Point, speed: number): number {
  const left = (along.x * (point.y - origin.y) - along.y * (point.x - origin.x)) / speed;
  return Math.abs(left) < onBeam ? 0 : left;
}

/** In order, without what is behind the scanner; those that touch each other are one. */
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

/** Is a point inside a closed contour? Its sides belong to it. */
export function isInside(contour: readonly Point[], point: Point): boolean {
  let inside = false;
  let from = contour.at(-1);
  for (const to of contour) {
    if (from === undefined) return false;
    const side = crossOf(from, to, point);
    if (side === 0 && isBeside(point, from, to)) return true;
    // A side counts for one of its ends only: so a ray through a corner crosses two sides or none.
    const goesUp = to.y > point.y;
    if (from.y > point.y !== goesUp && side > 0 === goesUp) inside = !inside;
    from = to;
  }
  return inside;
}

function isBeside(point: Point, one: Point, other: Point): boolean {
  return (point.x - one.x) * (point.x - other.x) <= 0 && (point.y - one.y) * (point.y - other.y) <= 0;
}
