import { beamFan, type ScanGeometry } from '@azimuth/device';
import { radPerDegree } from '@azimuth/device/cores';
import type { Pose } from '../motion/pose.js';
import type { Outline } from '../scene/surfaces.js';

/**
 * Tolerance in beams: if the end of a surface is this close to a beam, it counts as on the beam. It is far above the rounding
 * of angles, and far below visible differences. So no light leaks where two walls meet.
 */
const onBeam = 1e-9;

/**
 * The beams that a surface covers, both ends included: from `begin` to `end`. If the surface crosses the angle at which the
 * count begins again, it also covers the beams from the first one to `otherEnd`. A run is empty if its end is before its
 * begin.
 */
interface CoveredBeams {
  readonly begin: number;
  readonly end: number;
  readonly otherEnd: number;
}

/** The directions of the beams of a scan as unit vectors, and the beams that a surface covers. */
export class BeamFan {
  readonly beams: number;
  readonly cosine: Float64Array;
  readonly sine: Float64Array;
  /** Beams of 360°, the blind sector included. */
  readonly fullCircle: number;
  readonly #first: number;
  readonly #beamsPerRadian: number;

  constructor(geometry: ScanGeometry) {
    const { firstAngle, step, beams } = geometry;
    const { x, y } = beamFan(geometry);
    this.beams = beams;
    this.cosine = x;
    this.sine = y;
    this.fullCircle = 360 / step;
    this.#first = (firstAngle - 360 * Math.floor((firstAngle + 180) / 360)) * radPerDegree;
    this.#beamsPerRadian = 1 / (step * radPerDegree);
  }

  /** Returns the beam that points at x, y, as a fraction: 0 is the first beam, and the result is below the beams of 360°. */
  positionOf(x: number, y: number): number {
    return this.wrapped((Math.atan2(y, x) - this.#first) * this.#beamsPerRadian);
  }

  /** Brings a position that was moved by less than 360° back into the range of `positionOf`. */
  wrapped(position: number): number {
    if (position < 0) return position + this.fullCircle;
    return position >= this.fullCircle ? position - this.fullCircle : position;
  }

  /** Returns the number of beams that an angle in radians spans. */
  beamsOf(angle: number): number {
    return angle * this.#beamsPerRadian;
  }

  /** Returns the beams counter-clockwise from `from` to `to`, both included. `to` is less than 180° ahead of `from`. */
  covered(from: number, to: number): CoveredBeams {
    const begin = Math.ceil(from - onBeam);
    const last = this.beams - 1;
    const end = Math.min(last, Math.floor(to + onBeam));
    if (this.#reachesOver(from, to)) return { begin, end: last, otherEnd: end };
    return { begin, end, otherEnd: to + onBeam >= this.fullCircle ? 0 : -1 };
  }

  /**
   * Returns the beams from `from` (included) to `to` (excluded): if two surfaces share a corner, each beam meets one
   * of them.
   */
  coveredBefore(from: number, to: number): CoveredBeams {
    const begin = Math.ceil(from);
    const last = this.beams - 1;
    const end = Math.min(last, Math.ceil(to) - 1);
    return this.#reachesOver(from, to) ? { begin, end: last, otherEnd: end } : { begin, end, otherEnd: -1 };
  }

  /** True if a surface extends past the last beam of the circle to the first one. A tiny step backwards is rounding. */
  #reachesOver(from: number, to: number): boolean {
    return from - to > this.fullCircle / 2;
  }
}

/** The transformation from a body's own coordinates to those of the scanner: a rotation, then a translation. */
export interface Frame {
  readonly cosine: number;
  readonly sine: number;
  readonly x: number;
  readonly y: number;
}

/** Returns the frame for one pose of a body and one pose of the scanner. */
export function frameOf(body: Pose, scanner: Pose): Frame {
  const cosine = Math.cos(scanner.heading);
  const sine = Math.sin(scanner.heading);
  const dx = body.x - scanner.x;
  const dy = body.y - scanner.y;
  const rotation = body.heading - scanner.heading;
  return {
    cosine: Math.cos(rotation),
    sine: Math.sin(rotation),
    x: cosine * dx + sine * dy,
    y: cosine * dy - sine * dx,
  };
}

/**
 * A line projected onto the beams. Along a beam of direction (c, s) it is 1 / (c * p - s * q) m away, and the cosine
 * of the angle at which the beam meets it is `height` divided by that.
 */
export interface ProjectedLine {
  /** Positions of the right and the left end among the beams. */
  readonly from: number;
  readonly to: number;
  readonly p: number;
  readonly q: number;
  /** Distance in m of the scanner from the line, extended at both ends. */
  readonly height: number;
  /** True if the line runs counter-clockwise about the scanner. If the outline does too, the scanner is inside the outline. */
  readonly forward: boolean;
}

/** Projects a line of an outline; undefined if it lies along the beams (height not above `least` m): then no beam meets it. */
export function projectedLine(
  fan: BeamFan,
  { lines }: Outline,
  line: number,
  { cosine, sine, x, y }: Frame,
  least: number,
): ProjectedLine | undefined {
  const at = 4 * line;
  const x1 = lines[at] ?? 0;
  const y1 = lines[at + 1] ?? 0;
  const x2 = lines[at + 2] ?? 0;
  const y2 = lines[at + 3] ?? 0;
  const ax = cosine * x1 - sine * y1 + x;
  const ay = sine * x1 + cosine * y1 + y;
  const bx = cosine * x2 - sine * y2 + x;
  const by = sine * x2 + cosine * y2 + y;
  const cross = ax * by - ay * bx;
  const dx = bx - ax;
  const dy = by - ay;
  const forward = cross > 0;
  const height = Math.abs(cross) / Math.sqrt(dx * dx + dy * dy);
  // NaN if the line has no length.
  if (!(height > least)) return undefined;
  const a = fan.positionOf(ax, ay);
  const b = fan.positionOf(bx, by);
  return { from: forward ? a : b, to: forward ? b : a, p: dy / cross, q: dx / cross, height, forward };
}

/** A circle in the coordinates of the scanner, with the beams that it covers. */
export interface ProjectedCircle {
  /** Its centre and radius in m. */
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  /** True if the scanner is inside. */
  readonly inside: boolean;
  readonly covers: CoveredBeams;
}

export function projectedCircle(
  fan: BeamFan,
  { circles }: Outline,
  circle: number,
  { cosine, sine, ...frame }: Frame,
): ProjectedCircle {
  const at = 3 * circle;
  const ownX = circles[at] ?? 0;
  const ownY = circles[at + 1] ?? 0;
  const radius = circles[at + 2] ?? 0;
  const x = cosine * ownX - sine * ownY + frame.x;
  const y = sine * ownX + cosine * ownY + frame.y;
  const distance = Math.sqrt(x * x + y * y);
  if (distance <= radius) {
    return { x, y, radius, inside: true, covers: { begin: 0, end: fan.beams - 1, otherEnd: -1 } };
  }
  const middle = fan.positionOf(x, y);
  const half = fan.beamsOf(Math.asin(radius / distance));
  const covers = fan.covered(fan.wrapped(middle - half), fan.wrapped(middle + half));
  return { x, y, radius, inside: false, covers };
}

/**
 * Returns the two points at which a beam of direction (c, s) meets a circle: at `along - half` and `along + half` m. The
 * cosine of both angles of incidence is `half / radius`. A beam beside the circle touches it.
 */
export function chordOf({ x, y, radius }: ProjectedCircle, c: number, s: number) {
  const aside = c * y - s * x;
  return { along: c * x + s * y, half: Math.sqrt(Math.max(0, radius * radius - aside * aside)) };
}
