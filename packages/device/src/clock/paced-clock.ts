import { performance } from 'node:perf_hooks';
import type { MovableClock } from '../interfaces/clock.js';
import { Timetable } from './system-clock.js';

/** ms of the host for which callbacks run before sockets are served. */
const longestRun = 10;
/** Callbacks that run before sockets are served: each may send a datagram of a stream, of which only so many can wait. */
const mostCalls = 8;
/** ms of the host that the clock may be behind before it gives up to make them good. */
const mostBehind = 200;
/** Node's timers count with 31 bits. */
const longestWait = 2 ** 31 - 1;

interface Options {
  /** ms of this clock for each ms of the host. */
  readonly factor: number;
  /** ms that it is ahead of the host at its start. */
  readonly offset?: number;
  /** Called with the ms of this clock that it has lost in all, because the machine is too slow for the factor. */
  readonly lost?: (milliseconds: number) => void;
}

/**
 * A clock that runs faster or slower than that of the host. Its time waits for its callbacks: each is called at exactly the
 * time at which it is due. If the machine is too slow, the clock falls behind and does not catch up later.
 */
export class PacedClock implements MovableClock {
  readonly factor: number;
  /** ms of this clock that were lost, because the machine is too slow. */
  lost = 0;
  readonly #timetable = new Timetable();
  readonly #epoch: number;
  readonly #tellLost: (milliseconds: number) => void;
  /** ms of this clock at `#since`, which is a time of the host. */
  #base = 0;
  #since = performance.now();
  /** The latest time that was told. */
  #latest = 0;
  /** While callbacks run: their time. */
  #standing: number | undefined;
  #timer: NodeJS.Timeout | undefined;
  #immediate: NodeJS.Immediate | undefined;

  constructor({ factor, offset = 0, lost = () => undefined }: Options) {
    this.factor = factor;
    this.#epoch = performance.timeOrigin + performance.now() + offset;
    this.#tellLost = lost;
  }

  monotonic(): number {
    if (this.#standing !== undefined) return this.#standing;
    const now = Math.min(this.#goal, this.#timetable.next ?? Number.POSITIVE_INFINITY);
    this.#latest = Math.max(this.#latest, now);
    return this.#latest;
  }

  utc(): number {
    return this.#epoch + this.monotonic();
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

  /** Requests are served between runs; nothing more is due before the next one. */
  catchUp(): void {}

  advance(milliseconds: number): void {
    const outer = this.#standing;
    const end = this.monotonic() + milliseconds;
    this.#standing = this.monotonic();
    try {
      while (this.#callNext(end));
    } finally {
      const reached = Math.max(this.#standing, end);
      if (outer !== undefined) this.#standing = reached;
      else {
        this.#goOnFrom(reached);
        this.#standing = undefined;
        this.#arm();
      }
    }
  }

  /** The time that it should show. */
  get #goal(): number {
    return this.#base + (performance.now() - this.#since) * this.factor;
  }

  #goOnFrom(time: number): void {
    this.#base = time;
    this.#latest = time;
    this.#since = performance.now();
  }

  /** Calls what is due next, if it is due by `end`. */
  #callNext(end: number): boolean {
    const due = this.#timetable.takeDue(end);
    if (due === undefined) return false;
    this.#standing = Math.max(this.#standing ?? this.#latest, due.at);
    due.callback();
    return true;
  }

  #arm(): void {
    if (this.#standing !== undefined || this.#immediate !== undefined) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const { next } = this.#timetable;
    if (next === undefined) return;
    const wait = Math.ceil((next - this.#goal) / this.factor);
    this.#timer = setTimeout(this.#run, Math.min(Math.max(0, wait), longestWait));
  }

  /** Calls what is due, and leaves some of it for later if it takes long. */
  readonly #run = () => {
    this.#immediate = undefined;
    const begin = performance.now();
    this.#standing = this.monotonic();
    try {
      for (let calls = 0; calls < mostCalls && this.#callNext(this.#goal); calls++) {
        if (performance.now() - begin > longestRun) break;
      }
    } finally {
      this.#latest = this.#standing;
      this.#standing = undefined;
      this.#giveUp();
      const { next } = this.#timetable;
      if (next !== undefined && next <= this.#goal) this.#immediate = setImmediate(this.#run);
      this.#arm();
    }
  };

  #giveUp(): void {
    const behind = this.#goal - (this.#timetable.next ?? Number.POSITIVE_INFINITY);
    if (behind <= mostBehind * this.factor) return;
    this.lost += behind;
    this.#goOnFrom(this.#goal - behind);
    this.#tellLost(this.lost);
  }
}
