import type { BeamFan } from './beam-fan.js';
import type { Outline } from './outline.js';
import type { Frame } from './pose.js';

/**
 * A line as the scanner sees it. Along a beam of direction (c, s) it is 1 / (c * p - s * q) m away, and the cosine
 * of the angle at which the beam meets it is `height` divided by that.
 */
export class LineSight {
  /** Places of its right and its left end among the beams. */
  from = 0.5;
  to = 0.5;
  p = 0.5;
  q = 0.5;
  /** Distance in m of the scanner from the line, if it went on at both ends. */
  height = 0.5;
  /** Whether it runs counter-clockwise about the scanner: of a counter-clockwise outline, the scanner sees the inside. */
  forward = false;
  readonly #fan: BeamFan;

  constructor(fan: BeamFan) {
    this.#fan = fan;
  }

  /** Looks at a line of an outline; false where it is seen edge-on (height not above `least`), as by no beam. */
  look({ lines }: Outline, line: number, { cosine, sine, x, y }: Frame, least: number): boolean {
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
    // Not a number where the line has no length.
    if (!(this.height > least)) return false;
    this.p = dy / cross;
    this.q = dx / cross;
    const a = this.#fan.placeOf(ax, ay);
    const b = this.#fan.placeOf(bx, by);
    this.from = this.forward ? a : b;
    this.to = this.forward ? b : a;
    return true;
  }
}

/** A circle as the scanner sees it, from outside or from inside. */
export class CircleSight {
  /** Its middle, seen from the scanner, in m. */
  x = 0.5;
  y = 0.5;
  radius = 0.5;
  inside = false;
  /** Places of its right and its left edge among the beams; from inside it is everywhere. */
  from = 0.5;
  to = 0.5;
  readonly #fan: BeamFan;

  constructor(fan: BeamFan) {
    this.#fan = fan;
  }

  look({ circles }: Outline, circle: number, { cosine, sine, x, y }: Frame): void {
    const at = 3 * circle;
    const ownX = circles[at] ?? 0;
    const ownY = circles[at + 1] ?? 0;
    this.radius = circles[at + 2] ?? 0;
    this.x = cosine * ownX - sine * ownY + x;
    this.y = sine * ownX + cosine * ownY + y;
    const distance = Math.sqrt(this.x * this.x + this.y * this.y);
    this.inside = distance <= this.radius;
    if (this.inside) return;
    const middle = this.#fan.placeOf(this.x, this.y);
    const half = this.#fan.beamsOf(Math.asin(this.radius / distance));
    this.from = this.#fan.wrapped(middle - half);
    this.to = this.#fan.wrapped(middle + half);
  }

  /** Sets the runs of the fan to the beams that it covers. */
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
