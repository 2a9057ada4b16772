import type { BeamRange } from '../data-reduction/output-segments.js';
import { type Scan, type ScanGeometry, sameGeometry } from '../scan/scan.js';
import { problemOfScan, type ScanPace } from './scan-check.js';
import { isVouchedFor } from './vouched-scans.js';

/**
 * The scan that a core passes in parts.
 *
 * | from              | by                                    | to                                |
 * |-------------------|---------------------------------------|-----------------------------------|
 * | between, refused  | beams of another scan                 | open; between if these are all    |
 * | between, refused  | beams of another scan, not usable     | refused; between if these are all |
 * | open              | more beams of this scan               | open; between if these are all    |
 * | open              | beams of this scan, not usable        | refused; between if these are all |
 * | open              | another scan: the rest of this is lost | as from between                  |
 * | refused           | beams of this scan                    | refused; between if these are all |
 */
type State =
  | { readonly kind: 'between' }
  /** @property beams number of beams that have come */
  | (Revolution & { readonly kind: 'open'; readonly geometry: ScanGeometry; readonly beams: number })
  | (Revolution & { readonly kind: 'refused' });

type Revolution = Pick<Scan, 'number' | 'time'>;

const between: State = { kind: 'between' };

interface Options {
  readonly pace: ScanPace;
  /** µs since the scanner came up. */
  readonly now: () => number;
  /** ms since 1970. */
  readonly utc: () => number;
  /** Called with what cannot be used, and why. */
  readonly failed: (message: string, reason: string) => void;
}

/** Puts together the scans of a core: each comes as a whole, or in parts, as its beams are measured. */
export class ScanParts {
  readonly #options: Options;
  #state: State = between;

  constructor(options: Options) {
    this.#options = options;
  }

  /** True if the rest of a scan is expected. */
  get isOpen(): boolean {
    return this.#state.kind === 'open';
  }

  /**
   * Receives beams of a core.
   * @param beams number of beams of this scan that are measured; all by default
   * @returns the beams that are new and usable; undefined if there are none. A scan begins with its beam 0
   * @throws TypeError or others if a core in plain JavaScript passes anything else than a scan
   */
  receive(scan: Scan, beams: number = scan.geometry.beams): BeamRange | undefined {
    const problem = isVouchedFor(scan) ? undefined : problemOfScan(scan);
    if (problem !== undefined) {
      this.#options.failed('The measuring core passed something that is not a scan', problem);
      return undefined;
    }
    const state = this.#state;
    if (state.kind === 'open') {
      if (state.number === scan.number) return this.#continue(state, scan, beams);
      this.#options.failed(
        'The measuring core did not complete a scan',
        `${state.beams} of ${state.geometry.beams} beams of scan ${state.number} came before scan ${scan.number}`,
      );
    }
    if (state.kind === 'refused' && state.number === scan.number && state.time === scan.time) {
      this.#refuse(scan, beams);
      return undefined;
    }
    return this.#begin(scan, beams);
  }

  /** Ignores the rest of a scan whose beams could not be used. */
  refuseRest(): void {
    if (this.#state.kind === 'open') this.#state = { ...revolutionOf(this.#state), kind: 'refused' };
  }

  #begin(scan: Scan, beams: number): BeamRange | undefined {
    const { pace, now, utc } = this.#options;
    const problem = problemOfCount(beams, 0, scan) ?? pace.mismatch(scan, now(), utc());
    if (problem !== undefined) return this.#fail(scan, beams, problem);
    return this.#accept(scan, 0, beams);
  }

  #continue(open: State & { kind: 'open' }, scan: Scan, beams: number): BeamRange | undefined {
    const problem = problemOfChange(open, scan) ?? problemOfCount(beams, open.beams, scan);
    if (problem !== undefined) return this.#fail(scan, beams, problem);
    return this.#accept(scan, open.beams, beams);
  }

  #accept(scan: Scan, first: number, end: number): BeamRange | undefined {
    const { geometry } = scan;
    this.#state =
      end === geometry.beams ? between : { ...revolutionOf(scan), kind: 'open', geometry, beams: end };
    return end > first ? { first, end } : undefined;
  }

  #fail(scan: Scan, beams: number, problem: string): undefined {
    this.#refuse(scan, beams);
    this.#options.failed('The measuring core passed a scan that cannot be right', problem);
  }

  #refuse(scan: Scan, beams: number): void {
    const isComplete = beams === scan.geometry.beams;
    this.#state = isComplete ? between : { ...revolutionOf(scan), kind: 'refused' };
  }
}

/** Copies the values, because a core reuses its scans. */
function revolutionOf({ number, time }: Revolution): Revolution {
  return { number, time };
}

function problemOfChange(open: State & { kind: 'open' }, scan: Scan): string | undefined {
  if (scan.time !== open.time) {
    return `its time changes from ${open.time} to ${scan.time} µs after ${open.beams} beams of scan ${open.number}`;
  }
  if (sameGeometry(scan.geometry, open.geometry)) return undefined;
  return `its geometry changes after ${open.beams} beams of scan ${open.number}`;
}

/** @param least number of beams that have come */
function problemOfCount(beams: number, least: number, { number, geometry }: Scan): string | undefined {
  if (Number.isSafeInteger(beams) && beams >= least && beams <= geometry.beams) return undefined;
  return `its measured beams: expected a whole number from ${least} to ${geometry.beams} in scan ${number}, got ${beams}`;
}
