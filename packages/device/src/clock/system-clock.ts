import { performance } from 'node:perf_hooks';
import type { MovableClock } from '../interfaces/clock.js';

interface Callback {
  readonly at: number;
  readonly callback: () => void;
}

/** Callbacks by the time at which each is due; those of the same time in the order in which they were added. */
export class Timetable {
  #callbacks: Callback[] = [];

  /** Adds a callback; the returned function cancels it. */
  add(at: number, callback: () => void): () => void {
    const entry = { at, callback };
    const index = this.#callbacks.findIndex((other) => other.at > at);
    this.#callbacks.splice(index === -1 ? this.#callbacks.length : index, 0, entry);
    return () => {
      this.#callbacks = this.#callbacks.filter((other) => other !== entry);
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

/** The host's clock. It can be moved on (time travel), and then stays ahead of the host by that much. */
export class SystemClock implements MovableClock {
  readonly #timetable = new Timetable();
  /** How far this clock was moved on. */
  #ahead = 0;
  /** While moving on: the moment that it has come to. */
  #standing: number | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isRunning = false;

  monotonic(): number {
    return this.#standing ?? performance.now() + this.#ahead;
  }

  utc(): number {
    return performance.timeOrigin + this.monotonic();
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
      this.#arm();
    }
  }

  #arm(): void {
    clearTimeout(this.#timer);
    const next = this.#timetable.next;
    if (next === undefined) return;
    const wait = Math.min(Math.max(0, next - this.monotonic()), longestWait);
    this.#timer = setTimeout(() => this.#run(), wait);
  }

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
