import { performance } from 'node:perf_hooks';
import type { MovableClock } from '../interfaces/clock.js';

/** A callback, and when it is due. */
interface Booking {
  readonly at: number;
  readonly callback: () => void;
}

/** Callbacks by the time at which each is due; those of the same time in the order in which they were added. */
export class Timetable {
  /** The next one stands last, so that it is added and taken without moving those that are due much later. */
  readonly #bookings: Booking[] = [];
  /** When each of them is due. They stand together: to compare them, no booking has to be read. */
  readonly #times: number[] = [];

  /** Adds a callback. The result serves to remove it. */
  add(at: number, callback: () => void): Booking {
    const booking = { at, callback };
    const bookings = this.#bookings;
    const times = this.#times;
    let place = bookings.push(booking) - 1;
    times.push(at);
    for (; place > 0; place--) {
      const time = times[place - 1] ?? 0;
      const earlier = bookings[place - 1];
      if (time > at || earlier === undefined) break;
      times[place] = time;
      bookings[place] = earlier;
    }
    times[place] = at;
    bookings[place] = booking;
    return booking;
  }

  /** Removes a callback. If it was taken or removed before, nothing happens. */
  remove(booking: Booking): void {
    const place = this.#bookings.indexOf(booking);
    if (place === -1) return;
    this.#bookings.splice(place, 1);
    this.#times.splice(place, 1);
  }

  /** When the next callback is due; undefined if there is none. */
  get next(): number | undefined {
    return this.#times.at(-1);
  }

  /** Takes the next callback that is due at `now`; undefined if none is. */
  takeDue(now: number): Booking | undefined {
    const next = this.next;
    if (next === undefined || next > now) return undefined;
    this.#times.pop();
    return this.#bookings.pop();
  }
}

/** Node's timers count with 31 bits; a longer wait is taken in steps. */
const longestWait = 2 ** 31 - 1;

/** How late (ms) a callback may be before it is not left to its timer any longer. */
const tooLate = 5;

/** ms after which callbacks that may not run yet are tried again. */
const triedAgainAfter = 5;

/** ms: a smaller difference is no step of the host's clock. Date.now() has whole ms only, and NTP slews without steps. */
const leastStep = 100;

/** How the clock of a simulated scanner differs from that of its host. */
export interface ClockError {
  /** ms that it is ahead at its start. */
  readonly offset: number;
  /** ppm by which it runs faster. */
  readonly drift: number;
}

/**
 * The host's clock, whose UTC follows when somebody sets it. It can be moved on (time travel), and then stays ahead of the host by that much. For simulations, it can
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
  /** ms by which the host's UTC was set since the process began. */
  #steps = 0;
  readonly #offset: number;
  readonly #speed: number;
  readonly #mayRun: () => boolean;
  readonly #mayAct: () => boolean;

  /**
   * @param at the time (ms, `monotonic`) at which it starts: by default, that of the host
   * @param mayRun whether callbacks that are due may run now. Otherwise they wait until they may; what moves the clock on runs them
   * @param mayAct whether the scanner may act on others now: as `mayRun` by default
   */
  constructor(
    { offset, drift }: ClockError = { offset: 0, drift: 0 },
    at?: number,
    mayRun = () => true,
    mayAct = mayRun,
  ) {
    this.#mayRun = mayRun;
    this.#mayAct = mayAct;
    this.#offset = offset;
    this.#speed = 1 + drift * 1e-6;
    if (at !== undefined) this.#ahead = at - this.monotonic();
  }

  monotonic(): number {
    return this.#standing ?? performance.now() * this.#speed + this.#ahead;
  }

  utc(): number {
    // Node takes UTC from the host once, when the process begins.
    const { timeOrigin } = performance;
    const step = Date.now() - (timeOrigin + this.#steps + performance.now());
    if (Math.abs(step) >= leastStep) this.#steps += step;
    return timeOrigin + this.#steps + this.#offset + this.monotonic();
  }

  localOffset(utc: number): number {
    return new Date(utc).getTimezoneOffset() * -60_000;
  }

  after(milliseconds: number, callback: () => void): () => void {
    const booking = this.#timetable.add(this.monotonic() + milliseconds, callback);
    this.#arm();
    return () => {
      this.#timetable.remove(booking);
      this.#arm();
    };
  }

  mayAct(): boolean {
    return this.#mayAct();
  }

  catchUp(): void {
    const { next } = this.#timetable;
    if (next === undefined || this.#isRunning || this.#standing !== undefined) return;
    if (this.monotonic() - next >= tooLate && this.#mayRun()) this.#run();
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
    if (this.#mayRun()) this.#run();
    else {
      this.#timer = setTimeout(this.#timeout, triedAgainAfter);
      this.#timerEnd = this.monotonic() + triedAgainAfter;
    }
  };

  /**
   * Everything that is due by now, in its order; what a callback that throws has kept waiting comes next. The process may have
   * been paused between two of them.
   */
  #run(): void {
    const now = this.monotonic();
    this.#isRunning = true;
    try {
      while (this.#mayRun()) {
        const due = this.#timetable.takeDue(now);
        if (due === undefined) break;
        due.callback();
      }
    } finally {
      this.#isRunning = false;
      this.#arm();
    }
  }
}
