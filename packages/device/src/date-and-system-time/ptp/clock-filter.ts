import { longestPathDelay, mostTimes } from './limits.js';

/** The largest accepted rate difference: 500 ppm. */
export const largestDrift = 500e-6;

/** Number of seconds whose best times give offset and delay. */
const secondsForOffset = 16;

/** Minimum span of times, in ms, for an estimate of the drift. */
const leastSpan = 4000;
const leastTimes = 4;

/** ms by which a time may contradict those of the other direction. */
const tolerance = 1;

/** Number of successive contradictions after which the clock of the master counts as set. */
const mostContradictions = 3;

/** Estimated time of the master, from the times of both directions. */
export interface Estimate {
  /** Lead of the master's UTC over the monotonic clock now, in ms. */
  readonly ahead: number;
  /** Delay of one direction in ms: half the delay of both. */
  readonly delay: number;
  /** Drift: ms that the master gains on the monotonic clock per ms. */
  readonly drift: number;
}

/**
 * Estimates the time of a master from the times of Sync and Delay_Resp. A message can be late, but never early. So the
 * times with the least delay count in each direction. The filter assumes equal delays in both directions.
 */
export class ClockFilter {
  readonly #fromMaster = new BestTimes(1);
  readonly #toMaster = new BestTimes(-1);
  #drift: number;
  #isDriftKnown = false;
  #contradictions = { fromMaster: 0, toMaster: 0 };

  /** @param drift initial drift (ms per ms), until times give an estimate */
  constructor(drift = 0) {
    this.#drift = drift;
  }

  /** Adds a Sync: arrival `at` (ms of the monotonic clock), sent at `time` (UTC in ms) by the master. */
  sync(at: number, time: number): void {
    const ahead = time - at;
    const limit = this.#toMaster.best(at, this.#drift, secondsForOffset);
    const contradicts = limit !== undefined && ahead > limit + this.#tolerance;
    if (this.#doubts('fromMaster', contradicts)) return;
    this.#fromMaster.add({ at, ahead }, this.#drift);
    this.#updateDrift();
  }

  /** Adds a Delay_Req: sent `at` (ms of the monotonic clock), received at `time` (UTC in ms) by the master. */
  delay(at: number, time: number): void {
    const ahead = time - at;
    const limit = this.#fromMaster.best(at, this.#drift, secondsForOffset);
    const contradicts = limit !== undefined && ahead < limit - this.#tolerance;
    if (this.#doubts('toMaster', contradicts)) return;
    this.#toMaster.add({ at, ahead }, this.#drift);
    this.#updateDrift();
  }

  /**
   * The time of the master at `now` (ms of the monotonic clock). Undefined without times of both directions, and while
   * they contradict each other.
   */
  estimate(now: number): Estimate | undefined {
    const drift = this.#drift;
    const least = this.#fromMaster.best(now, drift, secondsForOffset);
    const most = this.#toMaster.best(now, drift, secondsForOffset);
    if (least === undefined || most === undefined) return undefined;
    const delay = Math.max(0, (most - least) / 2);
    return delay > longestPathDelay ? undefined : { ahead: (least + most) / 2, delay, drift };
  }

  /** Shifts UTC of the master by this many ms: a leap second. */
  shift(ms: number): void {
    this.#fromMaster.shift(ms);
    this.#toMaster.shift(ms);
  }

  /** Forgets all times, because the master has changed or its clock was set. The drift of the scanner's clock stays. */
  clear(): void {
    this.#fromMaster.clear();
    this.#toMaster.clear();
    this.#contradictions = { fromMaster: 0, toMaster: 0 };
  }

  /** Tolerance in ms. It grows with the span until the drift is known: the two directions drift apart until then. */
  get #tolerance(): number {
    const span = Math.max(this.#fromMaster.span, this.#toMaster.span);
    return tolerance + (this.#isDriftKnown ? 0 : 2 * largestDrift * span);
  }

  /** True if this time is left out. After too many successive contradictions, all earlier times are dropped instead. */
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
  /** Lead of the master's time over the monotonic clock, in ms. */
  readonly ahead: number;
}

/**
 * Times of one direction: the best one of each second, the newest last. A delay on the path always shifts a time in the
 * same direction, so the best time is the furthest in the other direction.
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

  /** @param drift ms that the master gains per ms */
  add(time: Compared, drift: number): void {
    const last = this.#times.at(-1);
    if (last === undefined || Math.floor(last.at / 1000) !== Math.floor(time.at / 1000)) {
      this.#times = [...this.#times, time].slice(-mostTimes);
    } else if ((movedTo(time, last.at, drift) - last.ahead) * this.#side > 0) {
      this.#times = [...this.#times.slice(0, -1), time];
    }
  }

  /** The best of the last `count` times, extrapolated to `now`. Undefined if there are none. */
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

  /** Slopes of `ahead` per ms, from each time to the time in the middle of all later ones. */
  get slopes(): number[] {
    const half = Math.floor(this.#times.length / 2);
    return this.#times.slice(half).flatMap((later, index) => {
      const earlier = this.#times[index];
      if (earlier === undefined || later.at === earlier.at) return [];
      return [(later.ahead - earlier.ahead) / (later.at - earlier.at)];
    });
  }

  /** Shifts the time scale of the master by this many ms. */
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
