import { mostTimes } from './limits.js';

/** A time of the master, compared with the scanner's clock. */
export interface Compared {
  /** ms of the monotonic clock. */
  readonly at: number;
  /** ms that the time of the master is ahead of the monotonic clock. */
  readonly ahead: number;
}

/**
 * Times of one direction: the best one of each second, the newest last. A delay on the way moves a time always to the same
 * side, so the best one is the furthest on the other side.
 */
export class BestTimes {
  #times: Compared[] = [];
  /** 1 if delays make `ahead` smaller (master to scanner), -1 if they make it larger. */
  readonly #side: 1 | -1;

  constructor(side: 1 | -1) {
    this.#side = side;
  }

  get count(): number {
    return this.#times.length;
  }

  /** ms from the first to the last. */
  get span(): number {
    return (this.#times.at(-1)?.at ?? 0) - (this.#times[0]?.at ?? 0);
  }

  /** @param drift ms a ms that the master is faster */
  add(time: Compared, drift: number): void {
    const last = this.#times.at(-1);
    if (last === undefined || Math.floor(last.at / 1000) !== Math.floor(time.at / 1000)) {
      this.#times = [...this.#times, time].slice(-mostTimes);
    } else if ((movedTo(time, last.at, drift) - last.ahead) * this.#side > 0) {
      this.#times = [...this.#times.slice(0, -1), time];
    }
  }

  /** The best of the last `count` times, as it would be at `now`; undefined if there is none. */
  best(now: number, drift: number, count: number): number | undefined {
    const side = this.#side;
    return this.#times
      .slice(-count)
      .map((time) => movedTo(time, now, drift))
      .reduce<number | undefined>(
        (best, ahead) => (best === undefined || (ahead - best) * side > 0 ? ahead : best),
        undefined,
      );
  }

  /** How much `ahead` changes a ms, from each time to the one that is half of all later. */
  get slopes(): number[] {
    const half = Math.floor(this.#times.length / 2);
    return this.#times.slice(half).flatMap((later, index) => {
      const earlier = this.#times[index];
      if (earlier === undefined || later.at === earlier.at) return [];
      return [(later.ahead - earlier.ahead) / (later.at - earlier.at)];
    });
  }

  /** The time scale of the master has changed by so many ms. */
  shift(ms: number): void {
    this.#times = this.#times.map(({ at, ahead }) => ({ at, ahead: ahead + ms }));
  }

  clear(): void {
    this.#times = [];
  }
}

function movedTo({ at, ahead }: Compared, now: number, drift: number): number {
  return ahead + drift * (now - at);
}
