import type { BeamFan } from './beam-fan.js';
import type { Outline } from './outline.js';
import type { Frame } from './pose.js';

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
