import type { Evaluation } from '@azimuth/model';
import type { Scan } from '../scan/scan.js';
import { crossedBeams } from './crossed-beams.js';
import { Hits } from './hits.js';
import type { View } from './view.js';

/** Beams side by side that hit are one object, also where one of them in between does not. */
const bridged = 1;
const radPerDegree = Math.PI / 180;

/**
 * Looks for objects in a field. An object is large enough where the way from its first to its last beam, and the width of
 * one beam, are MinimumObjectSize together, and seen well enough where InfringementThreshold of its beams hit. Works on
 * numbers of its own: nothing is allocated for a scan.
 */
export class ObjectSearch {
  /** Where the nearest object is that was found last, at its nearest point: mm in the coordinates of the machine. */
  x = 0;
  y = 0;
  readonly #view: View;
  readonly #beams: Uint32Array;
  readonly #hits: Hits;
  readonly #size: number;
  readonly #threshold: number;
  /** Half of a beam's width at 1 mm: times the sum of two distances it is the width at their mean. */
  readonly #halfWidth: number;
  #found = false;
  #foundAt = 0;
  // The object under way.
  #count = 0;
  #firstBeam = 0;
  #firstReach = 0;
  #lastBeam = 0;
  #lastReach = 0;
  #nearestBeam = 0;
  #nearestAt = 0;

  constructor(evaluation: Evaluation, view: View) {
    const crossed = crossedBeams(evaluation, view);
    this.#view = view;
    this.#beams = crossed.beams;
    this.#hits = new Hits(crossed, evaluation);
    this.#size = evaluation.MinimumObjectSize;
    this.#threshold = evaluation.InfringementThreshold;
    this.#halfWidth = (Math.abs(view.geometry.step) * radPerDegree) / 2;
  }

  /** Is there an object in the field? `x` and `y` say where. */
  find(scan: Scan): boolean {
    const beams = this.#beams;
    this.#found = false;
    this.#count = 0;
    for (let crossing = 0; crossing < beams.length; crossing++) {
      if (this.#hits.isHit(scan, crossing)) this.#hit(beams[crossing] ?? 0, this.#hits.at, this.#hits.reach);
    }
    this.#endObject();
    return this.#found;
  }

  #hit(beam: number, at: number, reach: number): void {
    if (this.#count > 0 && beam - this.#lastBeam > 1 + bridged) this.#endObject();
    if (this.#count === 0) {
      this.#firstBeam = beam;
      this.#firstReach = reach;
    }
    if (this.#count === 0 || at < this.#nearestAt) {
      this.#nearestBeam = beam;
      this.#nearestAt = at;
    }
    this.#count += 1;
    this.#lastBeam = beam;
    this.#lastReach = reach;
  }

  #endObject(): void {
    const infringes = this.#count > 0 && this.#count >= this.#threshold && this.#extent >= this.#size;
    this.#count = 0;
    if (!infringes || (this.#found && this.#nearestAt >= this.#foundAt)) return;
    const { position, directions } = this.#view;
    this.#found = true;
    this.#foundAt = this.#nearestAt;
    this.x = Math.round(position.x + this.#nearestAt * (directions.x[this.#nearestBeam] ?? 0));
    this.y = Math.round(position.y + this.#nearestAt * (directions.y[this.#nearestBeam] ?? 0));
  }

  /** mm from one end of the object under way to the other. */
  get #extent(): number {
    const { x, y, z } = this.#view.directions;
    const first = this.#firstBeam;
    const last = this.#lastBeam;
    const near = this.#firstReach;
    const far = this.#lastReach;
    const way = lengthOf(
      far * (x[last] ?? 0) - near * (x[first] ?? 0),
      far * (y[last] ?? 0) - near * (y[first] ?? 0),
      far * (z[last] ?? 0) - near * (z[first] ?? 0),
    );
    return way + (near + far) * this.#halfWidth;
  }
}

function lengthOf(x: number, y: number, z: number): number {
  return Math.sqrt(x * x + y * y + z * z);
}
