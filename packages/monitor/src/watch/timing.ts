import { doubledPause } from '@azimuth/async';
import type { MonitorClock } from '../clock.js';

/** First and longest pause (ms) between two looks at a scanner that does not answer. */
const firstPause = 2000;
const longestPause = 60_000;

export interface TimingOptions {
  readonly clock: MonitorClock;
  /** Seconds between two looks at a scanner that answers. */
  readonly interval: number;
  /** Milliseconds until the first look. */
  readonly first: number;
  /** Milliseconds until the first of its fixed times. */
  readonly phase: number;
  /** A number from 0 to 1. */
  readonly random: () => number;
}

/**
 * When one scanner is looked at: at fixed times, which are others for each scanner. A scanner that does not answer is
 * asked with growing pauses.
 */
export class Timing {
  readonly #options: TimingOptions;
  #begin: number;
  #sleeping = new AbortController();
  #isOver = false;
  #nextLook: number;
  #failures = 0;

  constructor(options: TimingOptions) {
    this.#options = options;
    this.#begin = options.clock.now() + options.phase;
    this.#nextLook = options.clock.now() + options.first;
  }

  /** Milliseconds since 1970-01-01 UTC. */
  get nextLook(): number {
    return this.#nextLook;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** The scanner has answered: the next look comes at its next fixed time. */
  answered(now: number): void {
    const interval = this.#options.interval * 1000;
    this.#failures = 0;
    this.#nextLook = this.#begin + (Math.floor((now - this.#begin) / interval) + 1) * interval;
  }

  /** The scanner has not answered. Pauses are shortened at random, so that many scanners are not asked at one moment. */
  failed(now: number): void {
    const pause = doubledPause(firstPause, this.#failures++, longestPause);
    this.#nextLook = now + pause * (1 - this.#options.random() / 4);
  }

  /** The clock was set back by this many milliseconds. */
  setBack(by: number): void {
    this.#begin -= by;
    this.#nextLook -= by;
  }

  /** Looks now, because something has happened. */
  lookNow(): void {
    this.#nextLook = Math.min(this.#nextLook, this.#options.clock.now());
    this.endPause();
  }

  /** Ends the present sleep. */
  endPause(): void {
    this.#sleeping.abort();
  }

  end(): void {
    this.#isOver = true;
    this.endPause();
  }

  /**
   * Sleeps until the next look, or until something else is due.
   * @param dues milliseconds since 1970-01-01 UTC
   */
  async sleep(dues: readonly number[]): Promise<void> {
    const { clock } = this.#options;
    const milliseconds = Math.min(this.#nextLook, ...dues) - clock.now();
    if (milliseconds > 0 && !this.#isOver) await clock.pause(milliseconds, this.#sleeping.signal);
    this.#sleeping = new AbortController();
  }
}
