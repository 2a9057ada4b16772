import { isDeepStrictEqual } from 'node:util';
import { type Evaluation, perpendicularDistance, type ValueOf } from '@azimuth/model';
import type { Announcements } from '../announcements.js';
import type { DeviceTime } from '../date-and-system-time/device-time.js';
import { computed, type Feature } from '../feature.js';
import type { Scan } from '../scan/scan.js';
import type { Sight } from '../sight/sight.js';
import { DistanceRange } from './distance-range.js';

const { perpendicularDistanceResult } = perpendicularDistance.members;

/** The distances of all active evaluations that take them, as the last scan showed them. */
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

  /** What perpendicularDistanceResult tells: nothing of an evaluation that is inactive or has nothing in its area. */
  get result(): ValueOf<'perpendicularDistanceResult'> {
    return {
      timestamp: this.#timestamp,
      evaluations: this.#ranges.map(({ result }) => result).filter((result) => result !== undefined),
    };
  }

  /** Evaluates these from now on, in order. One that goes on as it is keeps what it has seen. */
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

  take(scan: Scan, sight: Sight): void {
    if (this.#ranges.length === 0) return;
    this.#timestamp = Math.max(0, Math.floor(this.#time.utc));
    let changed = false;
    for (const range of this.#ranges) if (range.take(scan, sight)) changed = true;
    if (changed) this.#announce();
    // Its timestamp moves on with every scan.
    else this.#announcements.goesOn(perpendicularDistanceResult);
  }

  #announce(): void {
    this.#announcements.changed([perpendicularDistanceResult]);
  }
}
