import type { Step } from '../frames/loss-count.js';
import type { ComputerLateness } from './lateness.js';

/** Telegrams that may still come late: those behind this many later ones are lost. */
const latest = 64;

/** Least telegrams in a row that count as a burst, for scanners with few segments. */
const leastBurst = 4;

/** How long this computer must have been busy to have lost telegrams by that (ms): the system keeps some. */
const leastLateness = 100;

/** Telegrams in a row that did not come. */
interface Run {
  readonly time: number;
  readonly from: number;
  readonly to: number;
  missing: number;
}

/** Telegrams that are lost for good. */
export interface LostTelegrams {
  /** In runs shorter than a scan. */
  readonly scattered: number;
  /** In runs of a scan and more. */
  readonly inBursts: number;
  readonly bursts: number;
  /** While this computer was busy with something else. */
  readonly here: number;
  /** When the first one was missed; undefined for none. */
  readonly first: number | undefined;
}

/** What is missing in a stream by its numbers, told apart by how much is missing in a row. */
export class LossRuns {
  readonly #lateness: ComputerLateness;
  #open: Run[] = [];
  #settled: LostTelegrams = { scattered: 0, inBursts: 0, bursts: 0, here: 0, first: undefined };

  constructor(lateness: ComputerLateness) {
    this.#lateness = lateness;
  }

  /** @param segments usual number of telegrams of a scan */
  follow(step: Step, sequence: number, time: number, segments: number): void {
    if (step.kind === 'late' && step.counted) {
      const run = this.#open.findLast(({ from, to }) => from <= sequence && sequence <= to);
      if (run !== undefined) run.missing -= 1;
    }
    if (step.kind === 'restart') this.#settle(Number.POSITIVE_INFINITY, segments);
    if (step.kind !== 'next') return;
    if (step.lost > 0) {
      this.#open.push({ time, from: sequence - step.lost, to: sequence - 1, missing: step.lost });
    }
    this.#settle(sequence - latest, segments);
  }

  /** Returns what is lost up to now, with what did not come late until now. */
  lost(segments: number): LostTelegrams {
    return this.#open.reduce((total, run) => this.#with(total, run, segments), this.#settled);
  }

  #settle(before: number, segments: number): void {
    if (this.#open.length === 0 || (this.#open[0]?.to ?? before) >= before) return;
    for (const run of this.#open) {
      if (run.to < before) this.#settled = this.#with(this.#settled, run, segments);
    }
    this.#open = this.#open.filter(({ to }) => to >= before);
  }

  #with(total: LostTelegrams, { time, missing }: Run, segments: number): LostTelegrams {
    if (missing <= 0) return total;
    const first = total.first ?? time;
    if (this.#lateness.longest >= leastLateness && this.#lateness.covers(time, 20)) {
      return { ...total, first, here: total.here + missing };
    }
    return missing >= Math.max(segments, leastBurst)
      ? { ...total, first, inBursts: total.inBursts + missing, bursts: total.bursts + 1 }
      : { ...total, first, scattered: total.scattered + missing };
  }
}
