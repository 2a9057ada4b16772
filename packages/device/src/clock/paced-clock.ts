/** @packageDocumentation @internal */

import { performance } from 'node:perf_hooks';
import { setImmediate } from 'node:timers';
import { longestWait, RunningClock } from './timetable.js';

/** ms of the host for which callbacks run before sockets are served. */
const longestRun = 10;
/**
 * Number of callbacks that run before sockets are served. Each may send a datagram of a stream, and only so many can
 * wait.
 */
const mostCalls = 8;
/** Maximum delay of the clock in ms of the host. Beyond it, the clock gives time up. */
const mostBehind = 200;

interface Options {
  /** ms of this clock for each ms of the host. */
  readonly factor: number;
  /** Lead over the host at its start, in ms. */
  readonly offset?: number;
  /** Called with the total of lost ms of this clock, because the machine is too slow for the factor. */
  readonly lost?: (milliseconds: number) => void;
}

/**
 * A clock with another rate than that of the host. Its time waits for its callbacks: each is called exactly at its due
 * time. If the machine is too slow, the clock falls behind and does not catch up later.
 */
export class PacedClock extends RunningClock {
  readonly factor: number;
  /** ms of this clock that were lost, because the machine is too slow. */
  lost = 0;
  readonly #epoch: number;
  readonly #onLost: (milliseconds: number) => void;
  /** ms of this clock at `#since`, which is a time of the host. */
  #base = 0;
  #since = performance.now();
  /** The latest reported time. */
  #latest = 0;
  #timer: NodeJS.Timeout | undefined;
  #immediate: NodeJS.Immediate | undefined;

  constructor({ factor, offset = 0, lost = () => undefined }: Options) {
    super();
    this.factor = factor;
    this.#epoch = performance.timeOrigin + performance.now() + offset;
    this.#onLost = lost;
  }

  protected get running(): number {
    const now = Math.min(this.#goal, this.timetable.next ?? Number.POSITIVE_INFINITY);
    this.#latest = Math.max(this.#latest, now);
    return this.#latest;
  }

  utc(): number {
    return this.#epoch + this.monotonic();
  }

  utcAhead(): number {
    return this.#epoch;
  }

  /** Serves requests between runs. Nothing else is due before the next run. */
  catchUp(): void {}

  /** The target time. */
  get #goal(): number {
    return this.#base + (performance.now() - this.#since) * this.factor;
  }

  protected goOnFrom(time: number): void {
    this.#base = time;
    this.#latest = time;
    this.#since = performance.now();
  }

  protected arm(): void {
    if (this.standing !== undefined || this.#immediate !== undefined) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const { next } = this.timetable;
    if (next === undefined) return;
    const wait = Math.ceil((next - this.#goal) / this.factor);
    this.#timer = setTimeout(this.#run, Math.min(Math.max(0, wait), longestWait));
  }

  /** Calls due callbacks. After some time it leaves the rest for later. */
  readonly #run = () => {
    this.#immediate = undefined;
    const begin = performance.now();
    this.standing = this.monotonic();
    try {
      for (let calls = 0; calls < mostCalls && this.callNext(this.#goal); calls++) {
        if (performance.now() - begin > longestRun) break;
      }
    } finally {
      this.#latest = this.standing;
      this.standing = undefined;
      this.#giveUp();
      const { next } = this.timetable;
      if (next !== undefined && next <= this.#goal) this.#immediate = setImmediate(this.#run);
      this.arm();
    }
  };

  #giveUp(): void {
    const behind = this.#goal - (this.timetable.next ?? Number.POSITIVE_INFINITY);
    if (behind <= mostBehind * this.factor) return;
    this.lost += behind;
    this.goOnFrom(this.#goal - behind);
    this.#onLost(this.lost);
  }
}
