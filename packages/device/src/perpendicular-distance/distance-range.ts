import type { Evaluation, ValueOf } from '@azimuth/model';
import { echoesPerBeam, type Scan } from '../scan/scan.js';
import type { CrossedBeams } from '../sight/crossed-beams.js';
import type { Point } from '../sight/point.js';
import type { Sight } from '../sight/sight.js';
import type { View } from '../sight/view.js';

type Result = ValueOf<'perpendicularDistanceResult'>['evaluations'][number];

/**
 * The least and the greatest distance of what is in an area from a straight line, which goes on beyond the two points of
 * ReferenceLine. Seen from the first point to the second, distances to the left are above 0, to the right below.
 */
export class DistanceRange {
  readonly evaluation: Evaluation;
  /** A point of the line, and its direction as a unit vector. */
  readonly #from: Point;
  readonly #alongX: number;
  readonly #alongY: number;
  #sight: Sight | undefined;
  #crossed: CrossedBeams | undefined;
  #seen = false;
  #least = new Extreme();
  #greatest = new Extreme();

  constructor(evaluation: Evaluation) {
    this.evaluation = evaluation;
    const [from = { x: 0, y: 0 }, to = from] = evaluation.ReferenceLine;
    const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
    this.#from = from;
    this.#alongX = (to.x - from.x) / length;
    this.#alongY = (to.y - from.y) / length;
  }

  /** Undefined where nothing is in the area. */
  get result(): Result | undefined {
    if (!this.#seen) return undefined;
    return {
      evaluationId: this.evaluation.Id,
      minimumDistance: this.#least.distance,
      maximumDistance: this.#greatest.distance,
      minimumDistancePosition: this.#least.position,
      maximumDistancePosition: this.#greatest.position,
    };
  }

  /** Takes a scan: all echoes in the area count. True where the result is another one now. */
  take({ distance }: Scan, sight: Sight): boolean {
    const { beams, firstPart, enter, leave } = this.#crossedIn(sight);
    let least = Number.POSITIVE_INFINITY;
    let leastBeam = 0;
    let leastAt = 0;
    let greatest = Number.NEGATIVE_INFINITY;
    let greatestBeam = 0;
    let greatestAt = 0;
    for (let crossing = 0; crossing < beams.length; crossing++) {
      const beam = beams[crossing] ?? 0;
      const end = firstPart[crossing + 1] ?? 0;
      for (let echo = 0; echo < echoesPerBeam; echo++) {
        const at = distance[beam * echoesPerBeam + echo] ?? 0;
        if (at === 0) break;
        for (let part = firstPart[crossing] ?? 0; part < end; part++) {
          if (at < (enter[part] ?? 0) || at > (leave[part] ?? 0)) continue;
          const fromLine = this.#fromLine(sight, beam, at);
          if (fromLine < least) {
            least = fromLine;
            leastBeam = beam;
            leastAt = at;
          }
          if (fromLine > greatest) {
            greatest = fromLine;
            greatestBeam = beam;
            greatestAt = at;
          }
        }
      }
    }
    const seen = least !== Number.POSITIVE_INFINITY;
    const appeared = seen !== this.#seen;
    this.#seen = seen;
    if (!seen) return appeared;
    const leastMoved = this.#least.move(least, sight, leastBeam, leastAt);
    const greatestMoved = this.#greatest.move(greatest, sight, greatestBeam, greatestAt);
    return appeared || leastMoved || greatestMoved;
  }

  /** mm, above 0 to the left. */
  #fromLine({ position, directions }: View, beam: number, at: number): number {
    const x = position.x + at * (directions.x[beam] ?? 0) - this.#from.x;
    const y = position.y + at * (directions.y[beam] ?? 0) - this.#from.y;
    return this.#alongX * y - this.#alongY * x;
  }

  #crossedIn(sight: Sight): CrossedBeams {
    if (this.#crossed !== undefined && this.#sight === sight) return this.#crossed;
    this.#sight = sight;
    this.#crossed = sight.crossed(this.evaluation);
    return this.#crossed;
  }
}

/** A distance from the line with its place: whole mm. */
class Extreme {
  distance = 0;
  #x = 0;
  #y = 0;
  #z = 0;

  get position(): Result['minimumDistancePosition'] {
    return { x: this.#x, y: this.#y, z: this.#z };
  }

  /** True where anything is another number now. */
  move(distance: number, { position, directions }: View, beam: number, at: number): boolean {
    const rounded = Math.round(distance) + 0;
    const x = Math.round(position.x + at * (directions.x[beam] ?? 0)) + 0;
    const y = Math.round(position.y + at * (directions.y[beam] ?? 0)) + 0;
    const z = Math.round(position.z + at * (directions.z[beam] ?? 0)) + 0;
    const same = rounded === this.distance && x === this.#x && y === this.#y && z === this.#z;
    this.distance = rounded;
    this.#x = x;
    this.#y = y;
    this.#z = z;
    return !same;
  }
}
