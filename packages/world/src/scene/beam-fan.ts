import type { ScanGeometry } from '@azimuth/device';
import { type Frame, radiansPerDegree } from './pose.js';
import type { Outline } from './surfaces.js';

/**
 * Tolerance, in beams, within which the end of a surface counts as on a beam: far above the rounding of angles, far below
 * what could be seen. So no light leaks where two walls meet.
 */
const onBeam = 1e-9;

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
  }

  /** The beam that points at x, y, as a fraction: 0 is the first beam, the result is below the beams of 360°. */
  positionOf(x: number, y: number): number {
    const position = (Math.atan2(y, x) - this.#first) * this.#beamsPerRadian;
    if (position < 0) return position + this.#fullCircle;
    return position >= this.#fullCircle ? position - this.#fullCircle : position;
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

  /** Whether it reaches over the last beam of the circle; a tiny step backwards is rounding. */
  #reaches(from: number, to: number): boolean {
    return from - to > this.#fullCircle / 2;
  }
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
  /** Whether it runs counter-clockwise about the scanner: then the scanner is on the inside of a counter-clockwise outline. */
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
    const a = this.#fan.positionOf(ax, ay);
    const b = this.#fan.positionOf(bx, by);
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
