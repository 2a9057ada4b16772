import type { Scan } from '../scan/scan.js';

/** The share by which a rate may differ from the ordered one. */
const rateTolerance = 0.1;
/** Revolutions over which the rate is measured. */
const measuredRevolutions = 10;
/** Revolutions that a number may be ahead of the time: times of single scans are not exact. */
const numberTolerance = 1.5;
/** Scans that have to follow each other after a jump of the number until they count. */
const agreement = 3;
/** µs: times may be so far behind, and longer ones for this time, while a busy process takes scans that have waited. */
const furthestBehind = 5_000_000;
const longestBehind = 1_000_000;

/** A revolution that a core has handed over. */
type Moment = Pick<Scan, 'number' | 'time'>;

/**
 * Checks that the numbers, times and the rate of scans are those of the scanner. A scan that comes late with the right time is
 * no fault: the process may have been busy.
 */
export class ScanPace {
  /** Hz. */
  readonly #frequency: number;
  /** µs. */
  readonly #period: number;
  /** The last scan that could be used. */
  #last: Moment | undefined;
  /** The last scan whose number had jumped, and how many before it fit it. */
  #jumped: Moment | undefined;
  #agreeing = 0;
  /** Where the present measurement of the rate began, and what the last one has found. */
  #measuredFrom: Moment | undefined;
  #wrongRate: string | undefined;
  /** When (µs) times began to be far behind. */
  #behindSince: number | undefined;

  /** @param frequency Hz, as ordered */
  constructor(frequency: number) {
    this.#frequency = frequency;
    this.#period = 1_000_000 / frequency;
  }

  /**
   * Why a scan cannot be used; undefined if it can be.
   * @param now µs since the scanner came up
   * @param utc ms since 1970, to say which clock a core uses
   */
  misfit(scan: Moment, now: number, utc: number): string | undefined {
    const fault = this.#wrongTime(scan.time, now, utc) ?? this.#doesNotFollow(scan);
    if (fault !== undefined) return fault;
    this.#last = momentOf(scan);
    this.#jumped = undefined;
    return undefined;
  }

  /** What is wrong with the rate of usable scans; undefined if nothing is. */
  wrongRate(scan: Scan): string | undefined {
    const { frequency } = scan.geometry;
    if (Math.abs(frequency / this.#frequency - 1) > rateTolerance) {
      return `its rate: expected ${this.#frequency} Hz, as ordered, got ${frequency} Hz in its geometry`;
    }
    this.#measuredFrom ??= momentOf(scan);
    const { number, time } = this.#measuredFrom;
    const passed = (scan.time - time) / this.#period;
    const counted = scan.number - number;
    if (Math.max(passed, counted) < measuredRevolutions) return this.#wrongRate;
    this.#measuredFrom = momentOf(scan);
    this.#wrongRate =
      Math.abs(passed / counted - 1) > rateTolerance
        ? `its rate: expected ${this.#frequency} Hz, as ordered, got ${counted} revolutions in ${Math.round((scan.time - time) / 1000)} ms`
        : undefined;
    return this.#wrongRate;
  }

  #wrongTime(time: number, now: number, utc: number): string | undefined {
    // One period, because a core may hand a scan over when it begins; rounding aside.
    const latest = now + 1.01 * this.#period;
    if (time > latest) {
      const zero = clockOf(time, utc);
      return `its time: expected µs since the scanner came up, at most ${Math.round(latest)}, got ${time}${zero}`;
    }
    if (time >= now - furthestBehind) {
      this.#behindSince = undefined;
      return undefined;
    }
    this.#behindSince ??= now;
    if (now - this.#behindSince < longestBehind) return undefined;
    return `its time: expected µs since the scanner came up, which are ${Math.round(now)} now, got ${time}: another clock`;
  }

  #doesNotFollow(scan: Moment): string | undefined {
    const last = this.#last;
    if (last === undefined) return undefined;
    const { number, time } = scan;
    if (number <= last.number) return `its number: expected more than ${last.number}, got ${number}`;
    if (time === last.time) return `its time stands still at ${time} µs`;
    if (time < last.time) return `its time goes back from ${last.time} to ${time} µs`;
    if (!this.#jumps(last, scan) || this.#isConfirmed(scan)) return undefined;
    const milliseconds = Math.round((time - last.time) / 1000);
    return `its number jumps from ${last.number} to ${number} in ${milliseconds} ms, at ${this.#frequency} Hz`;
  }

  /** Whether the number has risen by more than the time explains. */
  #jumps(from: Moment, to: Moment): boolean {
    const explained = ((to.time - from.time) / this.#period) * (1 + rateTolerance);
    // Revolutions of a wrong rate are the concern of `wrongRate`.
    return to.number - from.number > 1 && to.number - from.number > explained + numberTolerance;
  }

  /** Whether so many scans after a jump fit each other that the core counts from there on. */
  #isConfirmed(scan: Moment): boolean {
    const before = this.#jumped;
    const fits =
      before !== undefined &&
      scan.number > before.number &&
      scan.time > before.time &&
      !this.#jumps(before, scan);
    this.#agreeing = fits ? this.#agreeing + 1 : 0;
    this.#jumped = momentOf(scan);
    if (this.#agreeing < agreement) return false;
    this.#measuredFrom = undefined;
    return true;
  }
}

/** A copy: a core reuses its scans. */
function momentOf({ number, time }: Moment): Moment {
  return { number, time };
}

/** The clock that a time looks like, in words. */
function clockOf(time: number, utc: number): string {
  const day = 86_400_000;
  if (Math.abs(time / 1000 - utc) < day) return ': that is UTC';
  return Math.abs(time - utc) < day ? ': that is UTC in ms' : '';
}
