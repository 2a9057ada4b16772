import type { ScanGeometry } from '@azimuth/device';
import { type Frame, radiansPerDegree } from './pose.js';
import type { Outline } from './surfaces.js';

/**
 * Tolerance, in beams, within which the end of a surface counts as on a beam: far above the rounding of angles, far below
 * what could be seen. So no light leaks where two walls meet.
 */
const onBeam = 1e-9;

/** Radians by which `nearlyAtan2` is wrong at most. */
const arctangentError = 3e-6;

/**
 * The directions of the beams of a scan, and the beams that a surface covers: one run of beams, or two if the surface
 * reaches over the angle at which the count begins again. A run is empty if its end lies before its begin.
 */
export class BeamFan {
  readonly beams: number;
  readonly cosine: Float64Array;
  readonly sine: Float64Array;
  begin = 0;
  end = -1;
  otherBegin = 0;
  otherEnd = -1;
  readonly #first: number;
  readonly #beamsPerRadian: number;
  /** Beams of 360°, the blind sector included. */
  readonly #fullCircle: number;
  /** Beams by which a position from `nearlyAtan2` is wrong at most. */
  readonly #error: number;

  constructor({ firstAngle, step, beams }: ScanGeometry) {
    this.beams = beams;
    this.cosine = new Float64Array(beams);
    this.sine = new Float64Array(beams);
    for (let beam = 0; beam < beams; beam++) {
      const angle = (firstAngle + beam * step) * radiansPerDegree;
      this.cosine[beam] = Math.cos(angle);
      this.sine[beam] = Math.sin(angle);
    }
    this.#first = (firstAngle - 360 * Math.floor((firstAngle + 180) / 360)) * radiansPerDegree;
    this.#beamsPerRadian = 1 / (step * radiansPerDegree);
    this.#fullCircle = 360 / step;
    this.#error = arctangentError * this.#beamsPerRadian;
  }

  /** The beam that points at x, y, as a fraction: 0 is the first beam, the result is below the beams of 360°. */
  positionOf(x: number, y: number): number {
    const position = (Math.atan2(y, x) - this.#first) * this.#beamsPerRadian;
    if (position < 0) return position + this.#fullCircle;
    return position >= this.#fullCircle ? position - this.#fullCircle : position;
  }

  /**
   * The same as `positionOf` or, where no beam is near, a position between the same two beams. It costs less.
   */
  nearPositionOf(x: number, y: number): number {
    const position = this.wrapped((nearlyAtan2(y, x) - this.#first) * this.#beamsPerRadian);
    const off = Math.abs(position - Math.floor(position + 0.5));
    return off > this.#error && position < this.#fullCircle - this.#error ? position : this.positionOf(x, y);
  }

  /** Whether two positions from `nearPositionOf` are so nearly 180° apart that it is open on which side the line runs. */
  areOpposite(one: number, other: number): boolean {
    return Math.abs(Math.abs(one - other) - this.#fullCircle / 2) < 4 * this.#error;
  }

  /** Brings a position that was moved by less than 360° back into the range of `positionOf`. */
  wrapped(position: number): number {
    if (position < 0) return position + this.#fullCircle;
    return position >= this.#fullCircle ? position - this.#fullCircle : position;
  }

  /** How many beams an angle in radians spans. */
  beamsOf(angle: number): number {
    return angle * this.#beamsPerRadian;
  }

  /**
   * Sets the runs to the beams from one position counter-clockwise to another less than 180° on, both included.
   */
  cover(from: number, to: number): void {
    const last = this.beams - 1;
    const beyond = this.#reaches(from, to);
    this.begin = Math.ceil(from - onBeam);
    this.end = beyond ? last : Math.min(last, Math.floor(to + onBeam));
    this.otherBegin = 0;
    if (beyond) this.otherEnd = Math.min(last, Math.floor(to + onBeam));
    else this.otherEnd = to + onBeam >= this.#fullCircle ? 0 : -1;
  }

  /**
   * Sets the runs to the beams from one position, included, to another, excluded: if two surfaces share a corner, each
   * beam meets one of them.
   */
  coverBefore(from: number, to: number): void {
    const last = this.beams - 1;
    const beyond = this.#reaches(from, to);
    this.begin = Math.ceil(from);
    this.end = beyond ? last : Math.min(last, Math.ceil(to) - 1);
    this.otherBegin = 0;
    this.otherEnd = beyond ? Math.min(last, Math.ceil(to) - 1) : -1;
  }

  /**
   * Whether the values of all beams between two positions are above a limit. The positions may be up to 180° before or
   * behind the range of `positionOf`. Beams up to one beyond each position may count, too.
   * @param values by beam
   */
  areAllAbove(values: Float64Array, limit: number, from: number, to: number): boolean {
    const last = this.beams - 1;
    const circle = this.#fullCircle;
    if (to - from >= circle) return areAbove(values, limit, 0, last);
    return (
      areAbove(values, limit, Math.max(0, Math.floor(from)), Math.min(last, Math.ceil(to))) &&
      areAbove(values, limit, Math.max(0, Math.floor(from + circle)), last) &&
      areAbove(values, limit, 0, Math.min(last, Math.ceil(to - circle)))
    );
  }

  /** Whether it reaches over the last beam of the circle; a tiny step backwards is rounding. */
  #reaches(from: number, to: number): boolean {
    return from - to > this.#fullCircle / 2;
  }
}

/** Whether all values from one place to another, both included, are above a limit. */
function areAbove(values: Float64Array, limit: number, begin: number, end: number): boolean {
  for (let place = begin; place <= end; place++) if (!((values[place] ?? 0) > limit)) return false;
  return true;
}

/** Steps of `angles` between two corners of the diamond. */
const stepsPerEdge = 512;

/** Angles in radians of the points y = -1 to 1 on the right half of the diamond |x| + |y| = 1. */
const angles = Float64Array.from({ length: 2 * stepsPerEdge + 2 }, (_, step) => {
  const y = Math.min(step / stepsPerEdge - 1, 1);
  return Math.atan2(y, 1 - Math.abs(y));
});

/** An angle from -π/2 to 3/2 π, wrong by up to `arctangentError`: linear interpolation in a table. */
function nearlyAtan2(y: number, x: number): number {
  const place = (y / (Math.abs(x) + Math.abs(y)) + 1) * stepsPerEdge;
  const step = place | 0;
  const from = angles[step] ?? 0;
  const angle = from + ((angles[step + 1] ?? 0) - from) * (place - step);
  return x < 0 ? Math.PI - angle : angle;
}

/**
 * A line projected onto the beams. Along a beam of direction (c, s) it is 1 / (c * p - s * q) m away, and the cosine
 * of the angle at which the beam meets it is `height` divided by that.
 */
export class ProjectedLine {
  /** Positions of its right and its left end among the beams. */
  from = 0.5;
  to = 0.5;
  p = 0.5;
  q = 0.5;
  /** Distance in m of the scanner from the line, extended at both ends. */
  height = 0.5;
  /** Whether it runs counter-clockwise about the scanner. If the outline does too, the scanner is on its inside. */
  forward = false;
  readonly #fan: BeamFan;

  constructor(fan: BeamFan) {
    this.#fan = fan;
  }

  /** Projects a line of an outline. Returns false if it lies along the beams (height not above `least`): none meets it. */
  project({ lines }: Outline, line: number, { cosine, sine, x, y }: Frame, least: number): boolean {
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
    this.forward = cross > 0;
    this.height = Math.abs(cross) / Math.sqrt(dx * dx + dy * dy);
    // NaN if the line has no length.
    if (!(this.height > least)) return false;
    this.p = dy / cross;
    this.q = dx / cross;
    let a = this.#fan.nearPositionOf(ax, ay);
    let b = this.#fan.nearPositionOf(bx, by);
    if (this.#fan.areOpposite(a, b)) {
      a = this.#fan.positionOf(ax, ay);
      b = this.#fan.positionOf(bx, by);
    }
    this.from = this.forward ? a : b;
    this.to = this.forward ? b : a;
    return true;
  }
}

/** A circle projected onto the beams, with the scanner outside or inside it. */
export class ProjectedCircle {
  /** Its centre in the coordinates of the scanner, in m. */
  x = 0.5;
  y = 0.5;
  radius = 0.5;
  inside = false;
  /** Positions of its right and its left edge among the beams; not used if the scanner is inside. */
  from = 0.5;
  to = 0.5;
  readonly #fan: BeamFan;

  constructor(fan: BeamFan) {
    this.#fan = fan;
  }

  project({ circles }: Outline, circle: number, { cosine, sine, x, y }: Frame): void {
    const at = 3 * circle;
    const ownX = circles[at] ?? 0;
    const ownY = circles[at + 1] ?? 0;
    this.radius = circles[at + 2] ?? 0;
    this.x = cosine * ownX - sine * ownY + x;
    this.y = sine * ownX + cosine * ownY + y;
    const distance = Math.sqrt(this.x * this.x + this.y * this.y);
    this.inside = distance <= this.radius;
    if (this.inside) return;
    const middle = this.#fan.positionOf(this.x, this.y);
    const half = this.#fan.beamsOf(Math.asin(this.radius / distance));
    this.from = this.#fan.wrapped(middle - half);
    this.to = this.#fan.wrapped(middle + half);
  }

  /** Sets the runs of the fan to the beams that the circle covers. */
  cover(): void {
    if (!this.inside) {
      this.#fan.cover(this.from, this.to);
      return;
    }
    this.#fan.begin = 0;
    this.#fan.end = this.#fan.beams - 1;
    this.#fan.otherEnd = -1;
  }
}

/** What happens where beams meet the lines and circles of outlines. */
export interface Meetings {
  /** m: a line nearer than this is not met. */
  readonly least: number;
  /** Whether a beam on a corner that two lines share meets both; else it meets one of them. */
  readonly bothAtCorners: boolean;
  /** The beams from `begin` to `end`, both included, meet a line. */
  line(line: ProjectedLine, begin: number, end: number, of: number): void;
  /** The beams from `begin` to `end`, both included, meet a circle. */
  circle(circle: ProjectedCircle, begin: number, end: number, of: number): void;
}

/** Finds the beams that meet outlines, line by line and circle by circle: each only with the beams that it covers. */
export class Sweep {
  readonly #fan: BeamFan;
  readonly #line: ProjectedLine;
  readonly #circle: ProjectedCircle;

  constructor(fan: BeamFan) {
    this.#fan = fan;
    this.#line = new ProjectedLine(fan);
    this.#circle = new ProjectedCircle(fan);
  }

  over(outline: Outline, frame: Frame, meetings: Meetings): void {
    if (outline.ofLine.length > 0) this.#overLines(outline, frame, meetings);
    this.overCircles(outline, frame, meetings);
  }

  #overLines(outline: Outline, frame: Frame, meetings: Meetings): void {
    const fan = this.#fan;
    const projectedLine = this.#line;
    const { ofLine } = outline;
    for (let line = 0; line < ofLine.length; line++) {
      if (!projectedLine.project(outline, line, frame, meetings.least)) continue;
      if (meetings.bothAtCorners) fan.cover(projectedLine.from, projectedLine.to);
      else fan.coverBefore(projectedLine.from, projectedLine.to);
      const of = ofLine[line] ?? 0;
      meetings.line(projectedLine, fan.begin, fan.end, of);
      if (fan.otherEnd >= 0) meetings.line(projectedLine, fan.otherBegin, fan.otherEnd, of);
    }
  }

  /** The same for its circles alone. */
  overCircles(outline: Outline, frame: Frame, meetings: Meetings): void {
    const fan = this.#fan;
    const projectedCircle = this.#circle;
    const { ofCircle } = outline;
    for (let circle = 0; circle < ofCircle.length; circle++) {
      projectedCircle.project(outline, circle, frame);
      projectedCircle.cover();
      const of = ofCircle[circle] ?? 0;
      meetings.circle(projectedCircle, fan.begin, fan.end, of);
      if (fan.otherEnd >= 0) meetings.circle(projectedCircle, fan.otherBegin, fan.otherEnd, of);
    }
  }
}
