import { Debounced } from '../inputs-and-outputs/debounced.js';
import { Dirt } from './dirt.js';

/** How long another state has to last before it is told, in ms. */
export interface Patience {
  readonly worse: number;
  readonly better: number;
}

/** A sector as it is told: as dirty as it has been for long enough, or more. */
export class Sector {
  /** For each grade of dirt but clean: is it at least that dirty? */
  readonly #grades = [
    { dirt: Dirt.warning, reached: new Debounced() },
    { dirt: Dirt.error, reached: new Debounced() },
    { dirt: Dirt.blocked, reached: new Debounced() },
  ] as const;

  get told(): Dirt {
    return this.#grades.findLast(({ reached }) => reached.counted)?.dirt ?? Dirt.clean;
  }

  /**
   * Takes how dirty it is now (ms of the monotonic clock).
   * @returns ms until what is told may change; Infinity where there is nothing to wait for
   */
  follow(now: Dirt, time: number, { worse, better }: Patience): number {
    const waits = this.#grades.map(({ dirt, reached }) =>
      reached.follow(now >= dirt, time, now >= dirt ? worse : better),
    );
    return Math.min(...waits);
  }
}
