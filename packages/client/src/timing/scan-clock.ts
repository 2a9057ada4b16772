import type { Jump } from './envelope.js';
import { Bounded, median, Recent } from './statistics.js';

/** Scans from which the duration of a revolution is learned. */
const learned = 15;
const leastLearned = 5;
/** Scans before and after a step whose quickest telegrams are compared. */
const compared = 8;
/** Least step that is told (ms): less is the network. */
const leastStep = 1;
/** A step stands out from what stamps usually are off by so many times. */
const standsOut = 8;

/** A scan as the clock of the scanner tells it, in ms. */
export interface ScanStamps {
  readonly number: number;
  /** Begin of each segment that came, by its index. */
  readonly segments: ReadonlyMap<number, number>;
  /** Arrival of its first telegram here. */
  readonly arrival: number;
  /** Delay of its quickest telegram: arrival − sent. */
  readonly delay: number;
}

/** A sudden change of stamps that may be a step of the clock. */
interface Candidate extends Jump {
  readonly before: number;
  readonly after: number[];
}

/**
 * Watches how stamps go on from scan to scan. A mirror turns evenly. If stamps leave its beat, and delays change by as much
 * from then on, the clock has made a step. If only stamps leave it, now and then, they are noisy. If delays stay, the mirror
 * has begun anew, or runs at another speed.
 */
export class ScanClock {
  /** ms by which stamps were off their beat. */
  readonly deviations = new Recent(512);
  readonly steps = new Bounded<Jump>();
  /** Scans with the stamp of the scan before. */
  repeated = 0;
  readonly #turns = new Recent(learned);
  readonly #delays = new Recent(compared);
  readonly #between = new Recent(learned);
  #before: ScanStamps | undefined;
  #candidate: Candidate | undefined;

  /** Duration of a revolution in ms; undefined until it is known. */
  get turn(): number | undefined {
    return this.#turns.values.length < leastLearned ? undefined : median(this.#turns.values);
  }

  /** ms from one scan to the next that comes: longer than a revolution, if a filter passes only some scans. */
  get interval(): number | undefined {
    return this.#between.values.length === 0 ? undefined : median(this.#between.values);
  }

  /** Compares the next scan with none before: the stamps count from another moment. */
  beginAgain(): void {
    this.#before = undefined;
    this.#candidate = undefined;
    this.#delays.clear();
  }

  follow(scan: ScanStamps): void {
    const passed = passedSince(this.#before, scan);
    const revolutions = scan.number - (this.#before?.number ?? scan.number);
    const { turn } = this;
    this.#before = scan;
    if (passed !== undefined && revolutions > 0) {
      if (passed === 0) this.repeated += 1;
      if (turn !== undefined) this.#judge(passed - revolutions * turn, scan);
      this.#turns.add(passed / revolutions);
      this.#between.add(passed);
    }
    this.#confirm(scan.delay);
    this.#delays.add(scan.delay);
  }

  #judge(deviation: number, { arrival }: ScanStamps): void {
    const usual = median(this.deviations.values.slice(-31).map(Math.abs));
    this.deviations.add(deviation);
    const isFar = Math.abs(deviation) > Math.max(leastStep, standsOut * (Number.isNaN(usual) ? 0 : usual));
    if (!isFar || this.#candidate !== undefined || this.#delays.values.length === 0) return;
    this.#candidate = { at: arrival, by: -deviation, before: Math.min(...this.#delays.values), after: [] };
  }

  /** Compares the delays after a sudden change with those before. */
  #confirm(delay: number): void {
    const candidate = this.#candidate;
    if (candidate === undefined) return;
    candidate.after.push(delay);
    if (candidate.after.length < compared) return;
    this.#candidate = undefined;
    const change = Math.min(...candidate.after) - candidate.before;
    if (Math.abs(change - candidate.by) < Math.abs(candidate.by) / 2) {
      this.steps.add({ at: candidate.at, by: change });
    }
  }
}

/** Returns the ms between two scans, by a segment that both have. */
function passedSince(before: ScanStamps | undefined, scan: ScanStamps): number | undefined {
  for (const [segment, begin] of before?.segments ?? []) {
    const now = scan.segments.get(segment);
    if (now !== undefined) return now - begin;
  }
  return undefined;
}
