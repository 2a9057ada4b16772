import { performance } from 'node:perf_hooks';
import { clearImmediate, setImmediate } from 'node:timers';

/** A callback, and when it is due: ms of `performance.now()`. */
export interface HostTimer {
  readonly at: number;
  readonly callback: () => void;
  /** The timer of Node, if it is due much later. */
  readonly timeout: NodeJS.Timeout | undefined;
}

/** Wait (ms) above which a callback has a timer of Node of its own: there may be many, and a millisecond does not matter. */
const far = 50;

/** Callbacks of a run from which on the next run is awaited more exactly than by a timer of Node: about 60 streams. */
const dense = 30;
/** Least time in ms between the begins of two such runs: what is due within it is done together, which takes less time. */
const leastInterval = 2;
/** Longest pause in ms, during which nothing is read from the network. */
const longestPause = 0.5;
/** Shorter pauses are left out. */
const shortestPause = 0.02;
/** A turn of the event loop that takes longer (ms) has other work, and there is no pause. */
const idleTurn = 0.1;
/** A timer of Node that is so late (ms) may never end: a test has replaced the timers since. */
const mostLate = 100;

/** A place of memory for `Atomics.wait`. Nobody writes to it. */
const pausing = new Int32Array(new SharedArrayBuffer(4));

/**
 * The timers of the clocks of all scanners of the process. Each run calls everything that is due, in the order of the times.
 *
 * Timers of Node count in whole milliseconds: they end up to 1 ms too early, and Node then sleeps for 1 ms more. If many
 * scanners send scan data, little time is left to sleep, and each such millisecond makes all of them late by several. So while
 * the runs have many callbacks, the process waits for the next one in short pauses. In between, it reads from the network, and
 * while it has other work, it does not pause.
 */
class HostTimers {
  /** The next one last. */
  readonly #timers: HostTimer[] = [];
  #timeout: NodeJS.Timeout | undefined;
  /** Due time of the next callback when `#timeout` was set. */
  #timeoutAt = 0;
  #immediate: NodeJS.Immediate | undefined;
  /** Time at which `#immediate` was set. */
  #immediateAt = 0;
  #isRunning = false;
  /** Begin and number of callbacks of the last run that had any. */
  #ranAt = 0;
  #called = 0;
  readonly #due = () => {
    this.#timeout = undefined;
    this.#run();
  };
  readonly #awaitNext = () => this.#pause();

  /**
   * Calls back in this many ms, at most 2³¹ - 1; at once for NaN, which would keep all others waiting. The call comes up to
   * 2 ms later, and later still if the process is busy. Above 50 ms, it may come up to 1 ms earlier.
   */
  set(milliseconds: number, callback: () => void): HostTimer {
    const wait = milliseconds > 0 ? milliseconds : 0;
    const at = performance.now() + wait;
    if (wait > far) return { at, callback, timeout: setTimeout(callback, Math.ceil(wait)) };
    const timer = { at, callback, timeout: undefined };
    const timers = this.#timers;
    let place = timers.push(timer) - 1;
    for (; place > 0; place--) {
      const earlier = timers[place - 1];
      if (earlier === undefined || earlier.at > at) break;
      timers[place] = earlier;
    }
    timers[place] = timer;
    this.#arm();
    return timer;
  }

  /** Does nothing if the callback was called already. */
  clear(timer: HostTimer): void {
    if (timer.timeout !== undefined) {
      clearTimeout(timer.timeout);
      return;
    }
    const place = this.#timers.lastIndexOf(timer);
    if (place !== -1) this.#timers.splice(place, 1);
    if (this.#timers.length === 0) this.#disarm();
  }

  #arm(): void {
    const next = this.#timers.at(-1);
    // A run arms at its end.
    if (next === undefined || this.#isRunning || this.#immediate !== undefined) return;
    const now = performance.now();
    const wait = next.at - now;
    if (this.#called >= dense && wait < 1) {
      this.#disarm();
      this.#immediate = setImmediate(this.#awaitNext);
      this.#immediateAt = now;
      return;
    }
    const isTimely = this.#timeoutAt <= next.at && now < this.#timeoutAt + mostLate;
    if (this.#timeout !== undefined && isTimely) return;
    this.#disarm();
    this.#timeout = setTimeout(this.#due, Math.ceil(Math.max(0, wait)));
    this.#timeoutAt = next.at;
  }

  #disarm(): void {
    clearTimeout(this.#timeout);
    clearImmediate(this.#immediate);
    this.#timeout = undefined;
    this.#immediate = undefined;
  }

  /** Pauses until the next run, or for a part of that time: then Node does other work. */
  #pause(): void {
    this.#immediate = undefined;
    const next = this.#timers.at(-1);
    if (next === undefined) return;
    const due = Math.max(next.at, this.#ranAt + leastInterval);
    const now = performance.now();
    const wait = due - now;
    const isIdle = now - this.#immediateAt < idleTurn;
    if (isIdle && wait > shortestPause) Atomics.wait(pausing, 0, 0, Math.min(wait, longestPause));
    if (wait > (isIdle ? longestPause : shortestPause)) this.#arm();
    else this.#run();
  }

  #run(): void {
    const timers = this.#timers;
    const now = performance.now();
    let called = 0;
    this.#isRunning = true;
    try {
      for (let timer = timers.at(-1); timer !== undefined && timer.at <= now; timer = timers.at(-1)) {
        timers.pop();
        called++;
        timer.callback();
      }
    } finally {
      this.#isRunning = false;
      // A timer of Node may have ended too early.
      if (called > 0) {
        this.#ranAt = now;
        this.#called = called;
      }
      this.#arm();
    }
  }
}

export const hostTimers = new HostTimers();
