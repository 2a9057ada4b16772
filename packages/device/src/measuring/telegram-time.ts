import type { Feature } from '../feature.js';
import type { Log } from '../interfaces/log.js';

/** Changes that are remembered: a scan that comes late is told by the clock that held when it was measured. */
const remembered = 8;

interface Period {
  /** µs since the scanner came up. */
  readonly from: number;
  readonly isSynchronised: boolean;
  /** µs. */
  readonly offset: number;
}

const unsynchronised: Period = { from: Number.NEGATIVE_INFINITY, isSynchronised: false, offset: 0 };

/**
 * What the times in telegrams of data streams count from: µs since the scanner came up or, while its clock is
 * synchronised, µs since 1970-01-01 UTC. Everything inside the scanner runs on the first of them, which nothing moves;
 * the difference is added to what a telegram tells. It changes between two scans, for all streams at the same moment.
 */
export class TelegramTime implements Feature {
  readonly #log: Log;
  /** The last one is the newest; it may be still to come. */
  #periods: readonly Period[] = [unsynchronised];

  constructor(log: Log) {
    this.#log = log;
  }

  /** What is added to the time (µs since the scanner came up) of what was measured at that time: whole µs. */
  offsetAt(time: number): number {
    for (let index = this.#periods.length - 1; index > 0; index--) {
      const period = this.#periods[index];
      if (period !== undefined && time >= period.from) return period.offset;
    }
    return this.#periods[0]?.offset ?? 0;
  }

  /**
   * The clock was set by a time server, to a time that is `offset` µs ahead of the time since the scanner came up;
   * undefined where it is not synchronised any more.
   * @param from when the next scan begins: what was measured before keeps the times that it had
   */
  follow(offset: number | undefined, from: number): void {
    const before = this.#newest;
    const next = {
      from: Math.round(from),
      isSynchronised: offset !== undefined,
      offset: Math.round(offset ?? 0),
    };
    if (next.isSynchronised === before.isSynchronised && next.offset === before.offset) return;
    // One that has not begun yet will not.
    const begun = this.#periods.filter((period) => period.from < next.from);
    this.#periods = [...begun, next].slice(-remembered);
    this.#tell(before, next);
  }

  /** Nothing is measured any more: a change that was to wait for the next scan takes effect now. */
  noScan(now: number): void {
    const newest = this.#newest;
    if (newest.from > now)
      this.#periods = [...this.#periods.slice(0, -1), { ...newest, from: Math.round(now) }];
  }

  /** A boot: nobody has told the scanner the time. */
  boot(): void {
    this.#periods = [unsynchronised];
  }

  get #newest(): Period {
    return this.#periods.at(-1) ?? unsynchronised;
  }

  #tell(before: Period, next: Period): void {
    if (!next.isSynchronised) {
      this.#log.info('From the next scan on, times in telegrams are µs since power-on');
    } else if (!before.isSynchronised) {
      this.#log.info('From the next scan on, times in telegrams are µs since 1970-01-01 UTC');
    } else {
      const correction = (next.offset - before.offset) / 1000;
      this.#log.info('From the next scan on, times in telegrams are corrected', { correction });
    }
  }
}
