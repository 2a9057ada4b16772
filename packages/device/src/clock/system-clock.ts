import { performance } from 'node:perf_hooks';
import type { MovableClock } from '../interfaces/clock.js';

interface Callback {
  readonly at: number;
  readonly callback: () => void;
}

/** Callbacks by the time at which each is due; those of the same time in the order in which they were added. */
export class Timetable {
  readonly #callbacks: Callback[] = [];

  /** Adds a callback; the returned function cancels it. */
  add(at: number, callback: () => void): () => void {
    const entry = { at, callback };
    const callbacks = this.#callbacks;
    let index = callbacks.length;
    while (index > 0 && (callbacks[index - 1]?.at ?? at) > at) index--;
    callbacks.splice(index, 0, entry);
    return () => {
      const place = callbacks.indexOf(entry);
      if (place !== -1) callbacks.splice(place, 1);
    };
  }

  /** When the next callback is due; undefined if there is none. */
  get next(): number | undefined {
    return this.#callbacks[0]?.at;
  }

  /** Takes the next callback that is due at `now`; undefined if none is. */
  takeDue(now: number): Callback | undefined {
    const [first] = this.#callbacks;
    if (first === undefined || first.at > now) return undefined;
    this.#callbacks.shift();
    return first;
  }
}

/** Node's timers count with 31 bits; a longer wait is taken in steps. */
const longestWait = 2 ** 31 - 1;

/** How late (ms) a callback may be before it is not left to its timer any longer. */
const tooLate = 5;

/** How the clock of a simulated scanner differs from that of its host. */
export interface ClockError {
  /** ms that it is ahead at its start. */
  readonly offset: number;
  /** ppm by which it runs faster. */
  readonly drift: number;
}

/**
 * The host's clock. It can be moved on (time travel), and then stays ahead of the host by that much. For simulations, it can
 * be wrong and drift.
 */
export class SystemClock implements MovableClock {
  readonly #timetable = new Timetable();
  /** How far this clock was moved on. */
  #ahead = 0;
  /** While moving on: the moment that it has come to. */
  #standing: number | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** When the timer ends, if there is one. */
  #timerEnd = 0;
  #isRunning = false;
  readonly #offset: number;
  readonly #speed: number;

  constructor({ offset, drift }: ClockError = { offset: 0, drift: 0 }) {
    this.#offset = offset;
    this.#speed = 1 + drift * 1e-6;
  }

  monotonic(): number {
    return this.#standing ?? performance.now() * this.#speed + this.#ahead;
  }

  utc(): number {
    return performance.timeOrigin + this.#offset + this.monotonic();
  }

  localOffset(utc: number): number {
    return new Date(utc).getTimezoneOffset() * -60_000;
  }

  after(milliseconds: number, callback: () => void): () => void {
    const cancel = this.#timetable.add(this.monotonic() + milliseconds, callback);
    this.#arm();
    return () => {
      cancel();
      this.#arm();
    };
  }

  catchUp(): void {
    const { next } = this.#timetable;
    if (next === undefined || this.#isRunning || this.#standing !== undefined) return;
    if (this.monotonic() - next >= tooLate) this.#run();
  }

  advance(milliseconds: number): void {
    const end = this.monotonic() + milliseconds;
    const outer = this.#standing;
    this.#standing = this.monotonic();
    try {
      for (;;) {
        const due = this.#timetable.takeDue(end);
        if (due === undefined) break;
        this.#standing = Math.max(this.monotonic(), due.at);
        due.callback();
      }
    } finally {
      const reached = Math.max(this.#standing, end);
      if (outer !== undefined) this.#standing = reached;
      else {
        this.#standing = undefined;
        this.#ahead += Math.max(0, reached - this.monotonic());
      }
      this.#disarm();
      this.#arm();
    }
  }

  /** Sees to it that a timer ends when the next callback is due, or before. */
  #arm(): void {
    // Whatever is due next after all that runs now is known only then.
    if (this.#isRunning) return;
    const { next } = this.#timetable;
    if (next === undefined) {
      this.#disarm();
      return;
    }
    const now = this.monotonic();
    const end = Math.max(next, now);
    if (this.#timer !== undefined && this.#timerEnd <= end) return;
    this.#disarm();
    // Node leaves fractions out.
    this.#timer = setTimeout(this.#timeout, Math.min(Math.ceil(end - now), longestWait));
    this.#timerEnd = end;
  }

  #disarm(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  readonly #timeout = () => {
    this.#timer = undefined;
    this.#run();
  };

  /** Everything that is due by now, in its order; what a callback that throws has kept waiting comes next. */
  #run(): void {
    const now = this.monotonic();
    this.#isRunning = true;
    try {
      for (let due = this.#timetable.takeDue(now); due !== undefined; due = this.#timetable.takeDue(now)) {
        due.callback();
      }
    } finally {
      this.#isRunning = false;
      this.#arm();
    }
  }
}
