import { performance } from 'node:perf_hooks';
import { type HostTimer, hostTimers } from './host-timers.js';
import { longestWait, RunningClock } from './timetable.js';

/** Maximum delay (ms) of a callback before it is no longer left to its timer. */
const tooLate = 5;

/** ms between two attempts of callbacks that may not run yet. */
const triedAgainAfter = 5;

/** Smallest step of the host's clock in ms. Date.now() has whole ms only, and NTP slews without steps. */
const leastStep = 100;

/** Reads of the host's clock, more than fit in a millisecond. */
const mostReads = 100_000;

/** Longest duration of such a read in ms, unless the process was paused, and the number of attempts then. */
const longestRead = 0.1;
const mostAttempts = 10;

/** ms by which the host's UTC was set since the process began, for all clocks of the process. */
let hostSteps = 0;

/**
 * ms by which the host's UTC is ahead of its monotonic clock. Node reads UTC from the host once, when the process begins.
 */
function hostAhead(): number {
  const { timeOrigin } = performance;
  const step = Date.now() - (timeOrigin + hostSteps + performance.now());
  if (Math.abs(step) >= leastStep) {
    // The process may have been paused between the two reads.
    const total = hostStep();
    if (Math.abs(total - hostSteps) >= leastStep) hostSteps = total;
  }
  return timeOrigin + hostSteps;
}

/**
 * ms by which the host's UTC was set since the process began. Waits, for a millisecond at most, for the edge of a
 * millisecond, because Date.now() has whole ones only. A read during which the process was paused does not count.
 */
function hostStep(): number {
  let step = 0;
  for (let attempt = 0; attempt < mostAttempts; attempt++) {
    const before = Date.now();
    let [from, now, to] = [0, before, 0];
    for (let reads = 0; now === before && reads < mostReads; reads++) {
      from = performance.now();
      now = Date.now();
      to = performance.now();
    }
    step = now - (performance.timeOrigin + (from + to) / 2);
    if (to - from < longestRead) break;
  }
  // The error of this measurement is not a step.
  return Math.abs(step) < 1 ? 0 : step;
}

/** Error of the clock of a scanner, compared with that of its host. */
interface ClockError {
  /** ms ahead at its start. */
  readonly offset: number;
  /** ppm of a faster rate. */
  readonly drift: number;
}

/**
 * The host's clock. Its UTC follows when somebody sets it. It can be moved on (time travel), and then stays ahead of
 * the host by that much. It can be wrong and drift, for tests.
 */
export class SystemClock extends RunningClock {
  /** ms by which this clock was moved on. */
  #ahead = 0;
  #timer: HostTimer | undefined;
  /** End of the timer, if there is one. */
  #timerEnd = 0;
  #isRunning = false;
  readonly #offset: number;
  readonly #speed: number;
  readonly #mayRun: () => boolean;
  readonly #mayAct: () => boolean;

  /**
   * Starts the clock. Without arguments, it is the clock of the host.
   * @param error ms ahead of the host (`offset`), and ppm of a faster rate (`drift`): both 0 by default
   * @param at the time (ms, `monotonic`) at which it starts: by default, that of the host
   * @param mayRun true if due callbacks may run now. Otherwise they wait until they may. A function that moves the
   * clock on runs them in any case
   * @param mayAct true if the scanner may act on others now: as `mayRun` by default
   */
  constructor(
    { offset, drift }: ClockError = { offset: 0, drift: 0 },
    at?: number,
    mayRun: () => boolean = () => true,
    mayAct: () => boolean = mayRun,
  ) {
    super();
    this.#mayRun = mayRun;
    this.#mayAct = mayAct;
    this.#offset = offset;
    this.#speed = 1 + drift * 1e-6;
    if (at !== undefined) this.#ahead = at - this.monotonic();
  }

  protected get running(): number {
    return performance.now() * this.#speed + this.#ahead;
  }

  utc(): number {
    return this.utcAhead() + this.monotonic();
  }

  utcAhead(): number {
    return hostAhead() + this.#offset;
  }

  /** Ends a delay: a clock that started in the past, and was moved on, has the time of the host from now on. */
  joinHost(): void {
    this.#ahead = Math.max(0, this.#ahead);
    this.#disarm();
    this.arm();
  }

  mayAct(): boolean {
    return this.#mayAct();
  }

  catchUp(): void {
    const { next } = this.timetable;
    if (next === undefined || this.#isRunning || this.standing !== undefined) return;
    if (this.monotonic() - next >= tooLate && this.#mayRun()) this.#run();
  }

  protected goOnFrom(time: number): void {
    this.#ahead += Math.max(0, time - this.running);
    this.#disarm();
  }

  protected arm(): void {
    // The next due callback is known only when all that are due now have run.
    if (this.#isRunning) return;
    const { next } = this.timetable;
    if (next === undefined) {
      this.#disarm();
      return;
    }
    const now = this.monotonic();
    const end = Math.max(next, now);
    if (this.#timer !== undefined && this.#timerEnd <= end) return;
    this.#disarm();
    this.#timer = hostTimers.set(Math.min(end - now, longestWait), this.#timeout);
    this.#timerEnd = end;
  }

  #disarm(): void {
    if (this.#timer !== undefined) hostTimers.clear(this.#timer);
    this.#timer = undefined;
  }

  readonly #timeout = () => {
    this.#timer = undefined;
    if (this.#mayRun()) this.#run();
    else {
      this.#timer = hostTimers.set(triedAgainAfter, this.#timeout);
      this.#timerEnd = this.monotonic() + triedAgainAfter;
    }
  };

  /**
   * Calls everything that is due by now, in order. If a callback throws, the next ones follow in another call. The
   * process may have been paused between two of them.
   */
  #run(): void {
    const now = this.monotonic();
    this.#isRunning = true;
    try {
      while (this.#mayRun()) {
        const due = this.timetable.removeDue(now);
        if (due === undefined) break;
        due.callback();
      }
    } finally {
      this.#isRunning = false;
      this.arm();
    }
  }
}
