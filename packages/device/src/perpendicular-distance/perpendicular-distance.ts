import { isDeepStrictEqual } from 'node:util';
import { type Evaluation, type Point, perpendicularDistance, type ValueOf } from '@azimuth/model';
import type { Announcements } from '../announcements.js';
import type { DeviceTime } from '../clock/device-time.js';
import { type CrossedBeams, crossedBeams } from '../contours/crossed-beams.js';
import { computed, type Feature } from '../feature.js';
import type { BeamFan } from '../scan/scan.js';
import { echoesPerBeam, type Scan, someInvalid } from '../scan/scan.js';

type Result = ValueOf<'perpendicularDistanceResult'>['evaluations'][number];

/**
 * The least and the greatest distance of the echoes in an area from a straight line through the two points of
 * ReferenceLine. Seen from the first point to the second, distances to the left are positive, to the right negative.
 */
class DistanceRange {
  readonly evaluation: Evaluation;
  /** A point of the line, and its direction as a unit vector. */
  readonly #from: Point;
  readonly #alongX: number;
  readonly #alongY: number;
  #fan: BeamFan | undefined;
  #crossed: CrossedBeams | undefined;
  #isKnown = false;
  #isSeen = false;
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

  /** True if the last scan had an echo in the area, and all its beams there were valid. */
  get isSeen(): boolean {
    return this.#isSeen;
  }

  /**
   * The last distances. They stay when the area is free again. Undefined before the first ones, or if a beam in the
   * area is invalid.
   */
  get result(): Result | undefined {
    if (!this.#isKnown) return undefined;
    return {
      evaluationId: this.evaluation.Id,
      minimumDistance: this.#least.distance,
      maximumDistance: this.#greatest.distance,
      minimumDistancePosition: this.#least.position,
      maximumDistancePosition: this.#greatest.position,
    };
  }

  remember(): () => void {
    const [isKnown, isSeen] = [this.#isKnown, this.#isSeen];
    const parts = [this.#least.remember(), this.#greatest.remember()];
    return () => {
      this.#isKnown = isKnown;
      this.#isSeen = isSeen;
      for (const putBack of parts) putBack();
    };
  }

  /** Evaluates a scan: all echoes in the area count. Returns true if the result has changed. */
  evaluateScan(scan: Scan, fan: BeamFan): boolean {
    const { distance } = scan;
    const { beams, firstPart, enter, leave } = this.#crossedWith(fan);
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
          const fromLine = this.#fromLine(fan, beam, at);
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
    const wasKnown = this.#isKnown;
    const isValid = !someInvalid(scan, beams);
    this.#isSeen = isValid && least !== Number.POSITIVE_INFINITY;
    this.#isKnown = isValid && (wasKnown || this.#isSeen);
    if (!this.#isSeen) return this.#isKnown !== wasKnown;
    const leastMoved = this.#least.move(least, fan, leastBeam, leastAt);
    const greatestMoved = this.#greatest.move(greatest, fan, greatestBeam, greatestAt);
    return !wasKnown || leastMoved || greatestMoved;
  }

  /** mm, positive to the left. */
  #fromLine(fan: BeamFan, beam: number, at: number): number {
    const x = at * (fan.x[beam] ?? 0) - this.#from.x;
    const y = at * (fan.y[beam] ?? 0) - this.#from.y;
    return this.#alongX * y - this.#alongY * x;
  }

  #crossedWith(fan: BeamFan): CrossedBeams {
    if (this.#crossed !== undefined && this.#fan === fan) return this.#crossed;
    this.#fan = fan;
    this.#crossed = crossedBeams(this.evaluation, fan);
    return this.#crossed;
  }
}

/** A distance from the line with its position, in whole mm. */
class Extreme {
  distance = 0;
  #x = 0;
  #y = 0;

  get position(): Result['minimumDistancePosition'] {
    return { x: this.#x, y: this.#y, z: 0 };
  }

  remember(): () => void {
    const { distance } = this;
    const [x, y] = [this.#x, this.#y];
    return () => {
      this.distance = distance;
      this.#x = x;
      this.#y = y;
    };
  }

  /** Returns true if a number has changed. */
  move(distance: number, fan: BeamFan, beam: number, at: number): boolean {
    const rounded = Math.round(distance) + 0;
    const x = Math.round(at * (fan.x[beam] ?? 0)) + 0;
    const y = Math.round(at * (fan.y[beam] ?? 0)) + 0;
    const same = rounded === this.distance && x === this.#x && y === this.#y;
    this.distance = rounded;
    this.#x = x;
    this.#y = y;
    return !same;
  }
}

const { perpendicularDistanceResult } = perpendicularDistance.members;

/** Results of all active evaluations of perpendicular distances, each from the last scan with an echo in its area. */
export class PerpendicularDistances implements Feature {
  readonly computed = [computed(perpendicularDistanceResult, () => this.result)];
  readonly #announcements: Announcements;
  readonly #time: DeviceTime;
  #ranges: readonly DistanceRange[] = [];
  #timestamp = 0;

  constructor(announcements: Announcements, time: DeviceTime) {
    this.#announcements = announcements;
    this.#time = time;
  }

  /** The value of perpendicularDistanceResult, without evaluations that are inactive or have no result yet. */
  get result(): ValueOf<'perpendicularDistanceResult'> {
    return {
      timestamp: this.#timestamp,
      evaluations: this.#ranges.map(({ result }) => result).filter((result) => result !== undefined),
    };
  }

  /** Sets the evaluations, in order. An evaluation with an unchanged definition keeps its result. */
  evaluate(evaluations: readonly Evaluation[]): void {
    if (evaluations.length === 0 && this.#ranges.length === 0) return;
    const before = this.result.evaluations;
    this.#ranges = evaluations.map(
      (evaluation) =>
        this.#ranges.find((range) => isDeepStrictEqual(range.evaluation, evaluation)) ??
        new DistanceRange(evaluation),
    );
    if (!isDeepStrictEqual(before, this.result.evaluations)) this.#announce();
  }

  remember(): () => void {
    const [ranges, timestamp] = [this.#ranges, this.#timestamp];
    const parts = ranges.map((range) => range.remember());
    return () => {
      this.#ranges = ranges;
      this.#timestamp = timestamp;
      for (const putBack of parts) putBack();
      this.#announce();
    };
  }

  evaluateScan(scan: Scan, fan: BeamFan): void {
    if (this.#ranges.length === 0) return;
    let changed = false;
    for (const range of this.#ranges) if (range.evaluateScan(scan, fan)) changed = true;
    const isSeen = this.#ranges.some((range) => range.isSeen);
    if (isSeen) this.#timestamp = Math.max(0, Math.floor(this.#time.utc));
    if (changed) this.#announce();
    // The timestamp changes with every scan that has an echo in the area.
    else if (isSeen) this.#announcements.changedRoutinely(perpendicularDistanceResult);
  }

  #announce(): void {
    this.#announcements.changed([perpendicularDistanceResult]);
  }
}
