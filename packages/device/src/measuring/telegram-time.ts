import type { StampOffsets } from '../data-reduction/output-segments.js';
import type { Feature } from '../feature.js';
import type { Clock, Log } from '../interfaces/environment.js';
import type { StampFaults } from '../interfaces/faults.js';
import type { Scan } from '../scan/scan.js';

/** The clock of measured data: µs since the scanner came up, with a fraction. */
export class Uptime implements Feature {
  readonly #clock: Clock;
  #zero: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#zero = wholeMicroseconds(clock.monotonic());
  }

  /** Starts from zero. */
  boot(): void {
    this.#zero = wholeMicroseconds(this.#clock.monotonic());
  }

  /** The time of the last boot (ms of the monotonic clock). */
  get bootedAt(): number {
    return this.#zero;
  }

  get microseconds(): number {
    return this.microsecondsAt(this.#clock.monotonic());
  }

  /** µs since the scanner came up, at a time of the monotonic clock (ms). */
  microsecondsAt(monotonic: number): number {
    return (monotonic - this.#zero) * 1000;
  }
}

/** ms down to a whole µs. So the offsets of UTC of several scanners are rounded by the same fraction. */
function wholeMicroseconds(milliseconds: number): number {
  return Math.floor(milliseconds * 1000) / 1000;
}

/** Number of stored changes. A late scan needs the clock of the time of its measurement. */
const storedChanges = 8;

/** Number of scans whose errors are stored. */
const storedScans = 8;

/** The errors of the times of a scan, in µs. */
interface ScanErrors {
  readonly time: number;
  readonly error: number;
  readonly scanError: number;
}

const noErrors: ScanErrors = { time: 0, error: 0, scanError: 0 };

interface Period {
  /** µs since the scanner came up. */
  readonly from: number;
  readonly isSynchronised: boolean;
  /** Offset at `from`, in µs. */
  readonly offset: number;
  /** Growth of the offset in µs per µs. */
  readonly rate: number;
}

const unsynchronised: Period = {
  from: Number.NEGATIVE_INFINITY,
  isSynchronised: false,
  offset: 0,
  rate: 0,
};

/** UTC for telegrams. */
export interface TelegramUtc {
  /** Time in µs since the scanner came up. */
  readonly at: number;
  /** Lead of UTC over `at` at that time, in µs. */
  readonly ahead: number;
  /** µs that UTC gains per µs. 0 if the clock is not steered. */
  readonly rate: number;
  /** True if only the rate of the clock is corrected, so that times do not jump. */
  readonly isSlewed: boolean;
}

/**
 * The times in telegrams of data streams: µs since the scanner came up or, while its clock is synchronised, µs since
 * 1970-01-01 UTC. Inside the scanner all times are µs since it came up, because this clock never jumps. Telegrams add
 * the difference. The difference changes between two scans, for all streams at the same moment.
 */
export class TelegramTime implements Feature {
  readonly #log: Log;
  /** Periods, the newest last. The newest one may begin in the future. */
  #periods: readonly Period[] = [unsynchronised];
  #boots = 0;
  #faults: StampFaults | undefined;
  /** Time (µs) of the newest scan that was asked for before any fault. */
  #rightUntil = Number.NEGATIVE_INFINITY;
  /**
   * The errors of the last scans since the first fault, by their numbers: they are the same in all telegrams of a scan,
   * whenever these leave.
   */
  readonly #scanErrors = new Map<number, ScanErrors>();

  constructor(log: Log) {
    this.#log = log;
  }

  /**
   * Whole µs to add to the time of a measurement (µs since the scanner came up) if the clock of telegrams is right.
   * Planned faults have no effect.
   */
  offsetAt(time: number): number {
    for (let index = this.#periods.length - 1; index > 0; index--) {
      const period = this.#periods[index];
      if (period !== undefined && time >= period.from) return offsetIn(period, time);
    }
    return this.#periods[0]?.offset ?? 0;
  }

  /** Whole µs by which the clock of telegrams is ahead of the right time, due to planned faults. */
  errorAt(time: number): number {
    return this.#faults === undefined ? 0 : Math.round(this.#faults.clockError(time));
  }

  /** Whole µs to add to the time of a measurement in a telegram. */
  stampOffsetAt(time: number): number {
    return this.offsetAt(time) + this.errorAt(time);
  }

  /** The offsets for a scan: those at its middle, so that rounding at its beginning does not matter. */
  stampsOf(scan: Scan): StampOffsets {
    const middle = scan.time + 500_000 / scan.geometry.frequency;
    const { error, scanError } = this.#errorsOf(scan, middle);
    return { offset: this.offsetAt(middle) + error, error, scanError };
  }

  #errorsOf(scan: Scan, middle: number): ScanErrors {
    const { number, time } = scan;
    if (time <= this.#rightUntil) return noErrors;
    if (this.#faults === undefined && this.#scanErrors.size === 0) {
      this.#rightUntil = time;
      return noErrors;
    }
    const before = this.#scanErrors.get(number);
    if (before?.time === time) return before;
    const errors = { time, error: this.errorAt(middle), scanError: this.#faults?.scanError(scan) ?? 0 };
    this.#scanErrors.set(number, errors);
    const [oldest] = this.#scanErrors.keys();
    if (oldest !== undefined && this.#scanErrors.size > storedScans) this.#scanErrors.delete(oldest);
    return errors;
  }

  /** Disturbs the times in telegrams from the next scan on, for tests. Undefined: they are right again. */
  disturb(faults: StampFaults | undefined): void {
    this.#faults = faults;
  }

  /**
   * Updates the periods when a time server or a PTP master has corrected the clock, or when the clock is no longer
   * synchronised.
   * @param utc undefined if not synchronised
   * @param from start of the next scan; earlier data keeps its times
   */
  follow(utc: TelegramUtc | undefined, from: number): void {
    this.#faults?.corrected(from);
    const before = this.#newest;
    const next = periodOf(utc, Math.round(from));
    const isSame =
      next.isSynchronised === before.isSynchronised &&
      next.rate === before.rate &&
      Math.round(next.offset) === offsetIn(before, next.from);
    if (isSame) return;
    // Drops a change that has not begun yet.
    const begun = this.#periods.filter((period) => period.from < next.from);
    this.#periods = [...begun, next].slice(-storedChanges);
    if (utc?.isSlewed !== true || !before.isSynchronised) this.#logChange(before, next);
  }

  /** Called when nothing is measured any more: a pending change takes effect now. */
  noScan(now: number): void {
    const newest = this.#newest;
    if (newest.from > now)
      this.#periods = [...this.#periods.slice(0, -1), { ...newest, from: Math.round(now) }];
  }

  /** Remembers the periods. After a boot since then, they do not fit the time any more: it begins with none. */
  remember(): () => void {
    const [periods, boots] = [this.#periods, this.#boots];
    return () => {
      this.#periods = boots === this.#boots ? periods : [unsynchronised];
    };
  }

  /** Called at a boot: the clock is not synchronised. */
  boot(): void {
    this.#boots += 1;
    this.#periods = [unsynchronised];
    this.#scanErrors.clear();
    this.#rightUntil = Number.NEGATIVE_INFINITY;
    this.#faults?.boot();
  }

  get #newest(): Period {
    return this.#periods.at(-1) ?? unsynchronised;
  }

  #logChange(before: Period, next: Period): void {
    if (!next.isSynchronised) {
      this.#log.info('From the next scan on, times in telegrams are µs since the last boot');
    } else if (!before.isSynchronised) {
      this.#log.info('From the next scan on, times in telegrams are µs since 1970-01-01 UTC');
    } else {
      const correction = (Math.round(next.offset) - offsetIn(before, next.from)) / 1000;
      this.#log.info('From the next scan on, times in telegrams are corrected', { correction });
    }
  }
}

function periodOf(utc: TelegramUtc | undefined, from: number): Period {
  if (utc === undefined) return { ...unsynchronised, from };
  const { at, ahead, rate } = utc;
  return { from, isSynchronised: true, offset: ahead + rate * (from - at), rate };
}

/** Whole µs. */
function offsetIn({ from, offset, rate }: Period, time: number): number {
  return Math.round(rate === 0 ? offset : offset + rate * (time - from));
}
