import { longestPathDelay, mostTimes } from './limits.js';

/** The largest difference in speed that is believed: 500 ppm. */
export const largestDrift = 500e-6;

/** Seconds whose best times give offset and delay. */
const secondsForOffset = 16;

/** From this many seconds on, in ms, times give the drift. */
const leastSpan = 4000;
const leastTimes = 4;

/** ms by which a time may contradict those of the other direction. */
const tolerance = 1;

/** So many contradicting times one after the other mean that the clock of the master was set. */
const mostContradictions = 3;

/** The time of the master, as the times of both directions show it. */
export interface Estimate {
  /** ms that UTC by the master is ahead of the monotonic clock, now. */
  readonly ahead: number;
  /** ms on the way, one way: half of both. */
  readonly delay: number;
  /** ms a ms by which the master is faster than the monotonic clock. */
  readonly drift: number;
}

/**
 * Estimates the time of a master from the times of Sync and Delay_Resp. A message can come late, and never early: of each
 * direction, the times that were delayed least count. Both ways are taken to be equally long.
 */
export class ClockFilter {
  readonly #fromMaster = new BestTimes(1);
  readonly #toMaster = new BestTimes(-1);
  #drift: number;
  #isDriftKnown = false;
  #contradictions = { fromMaster: 0, toMaster: 0 };

  /** @param drift what is believed until times show it: ms a ms */
  constructor(drift = 0) {
    this.#drift = drift;
  }

  /** A Sync came at `at` (ms of the monotonic clock), sent at `time` (UTC in ms) by the master. */
  sync(at: number, time: number): void {
    const ahead = time - at;
    const limit = this.#toMaster.best(at, this.#drift, secondsForOffset);
    const contradicts = limit !== undefined && ahead > limit + this.#tolerance;
    if (this.#doubts('fromMaster', contradicts)) return;
    this.#fromMaster.add({ at, ahead }, this.#drift);
    this.#updateDrift();
  }

  /** A Delay_Req was sent at `at` (ms of the monotonic clock), and came at `time` (UTC in ms) by the master. */
  delay(at: number, time: number): void {
    const ahead = time - at;
    const limit = this.#fromMaster.best(at, this.#drift, secondsForOffset);
    const contradicts = limit !== undefined && ahead < limit - this.#tolerance;
    if (this.#doubts('toMaster', contradicts)) return;
    this.#toMaster.add({ at, ahead }, this.#drift);
    this.#updateDrift();
  }

  /**
   * The time of the master at `now` (ms of the monotonic clock); undefined without times of both directions, and while these
   * are so far apart that they cannot be right.
   */
  estimate(now: number): Estimate | undefined {
    const drift = this.#drift;
    const least = this.#fromMaster.best(now, drift, secondsForOffset);
    const most = this.#toMaster.best(now, drift, secondsForOffset);
    if (least === undefined || most === undefined) return undefined;
    const delay = Math.max(0, (most - least) / 2);
    return delay > longestPathDelay ? undefined : { ahead: (least + most) / 2, delay, drift };
  }

  /** UTC by the master has changed by so many ms: a leap second. */
  shift(ms: number): void {
    this.#fromMaster.shift(ms);
    this.#toMaster.shift(ms);
  }

  /** Forgets all times: they are of another master, or its clock was set. The drift is that of the scanner's clock. */
  clear(): void {
    this.#fromMaster.clear();
    this.#toMaster.clear();
    this.#contradictions = { fromMaster: 0, toMaster: 0 };
  }

  /** While the drift is not known, the times of the two directions drift apart. */
  get #tolerance(): number {
    const span = Math.max(this.#fromMaster.span, this.#toMaster.span);
    return tolerance + (this.#isDriftKnown ? 0 : 2 * largestDrift * span);
  }

  /** Is this time to be left out? If there were too many of them, all others are wrong. */
  #doubts(direction: 'fromMaster' | 'toMaster', contradicts: boolean): boolean {
    const count = contradicts ? this.#contradictions[direction] + 1 : 0;
    this.#contradictions[direction] = count;
    if (count >= mostContradictions) this.clear();
    return count > 0 && count < mostContradictions;
  }

  #updateDrift(): void {
    const directions = [this.#fromMaster, this.#toMaster].filter(
      ({ count, span }) => count >= leastTimes && span >= leastSpan,
    );
    const slopes = directions.flatMap((times) => times.slopes).sort((one, other) => one - other);
    const middle = slopes[Math.floor(slopes.length / 2)];
    if (middle === undefined) return;
    this.#drift = Math.min(Math.max(middle, -largestDrift), largestDrift);
    this.#isDriftKnown = true;
  }
}

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
class BestTimes {
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
