import { type Evaluation, FieldState, type Point } from '@azimuth/model';
import type { Clock } from '../interfaces/environment.js';
import { toleratedScans } from '../measuring/scan-check.js';
import type { BeamFan, Scan } from '../scan/scan.js';
import { ObjectSearch } from './object-search.js';

export type FieldStateNumber = (typeof FieldState)[keyof typeof FieldState];

/** ms for which scans have to show a field infringed, or free, before its state follows. */
interface Times {
  readonly infringed: number;
  readonly free: number;
}

/** Tolerance of half a microsecond, in ms, so that the rounding of the clock starts no timer. */
const tolerance = 0.0005;

/**
 * The state of an active field. The result of a scan holds until the next scan shows another result. After the
 * configured time the state changes, even between two scans. Times are ms of the monotonic clock.
 */
class DebouncedState {
  readonly #times: Times;
  #state: FieldStateNumber = FieldState.FREE;
  #due = Number.POSITIVE_INFINITY;

  constructor(times: Times) {
    this.#times = times;
  }

  get state(): FieldStateNumber {
    return this.#state;
  }

  /**
   * Time of the next change to infringed or free, if no scan shows another result. Infinity if no change is pending.
   */
  get due(): number {
    return this.#due;
  }

  /** @param clock of the times that `update` gets */
  remember(clock: Pick<Clock, 'monotonic'>): () => void {
    const taken = clock.monotonic();
    const [state, due] = [this.#state, this.#due];
    return () => {
      this.#state = state;
      this.#due = due + clock.monotonic() - taken;
    };
  }

  /**
   * Restarts the time in which the field has to be free, because nobody knows if an object is in it. Returns true if
   * the state has changed.
   */
  restartFreeTime(): boolean {
    return this.#state === FieldState.DETECTING_FREE && this.#become(FieldState.INFRINGED);
  }

  /** Updates the state with the result of a scan. Returns true if the state has changed. */
  update(infringed: boolean, now: number): boolean {
    switch (this.#state) {
      case FieldState.FREE:
        return infringed && this.#become(FieldState.DETECTING_INFRINGED, now + this.#times.infringed);
      case FieldState.INFRINGED:
        return !infringed && this.#become(FieldState.DETECTING_FREE, now + this.#times.free);
      case FieldState.DETECTING_INFRINGED:
        return !infringed && this.#become(FieldState.FREE);
      default:
        return infringed && this.#become(FieldState.INFRINGED);
    }
  }

  /** Changes the state if `due` has come. Returns true if it has changed. */
  applyDueChange(now: number): boolean {
    if (this.#due - now > tolerance) return false;
    return this.#become(
      this.#state === FieldState.DETECTING_INFRINGED ? FieldState.INFRINGED : FieldState.FREE,
    );
  }

  #become(state: FieldStateNumber, due = Number.POSITIVE_INFINITY): true {
    this.#state = state;
    this.#due = due;
    return true;
  }
}

function isInfringed(state: FieldStateNumber): boolean {
  return state === FieldState.INFRINGED || state === FieldState.DETECTING_FREE;
}

/** An active field. It looks for objects in every scan, and is free until it finds one. */
export class Field {
  readonly evaluation: Evaluation;
  readonly #debounced: DebouncedState;
  #fan: BeamFan | undefined;
  #search: ObjectSearch | undefined;
  /** Number of successive scans without an object but with invalid beams in the field. */
  #unknownScans = 0;
  #x = 0;
  #y = 0;

  constructor(evaluation: Evaluation) {
    this.evaluation = evaluation;
    this.#debounced = new DebouncedState({
      infringed: evaluation.TimeForInfringedState,
      free: evaluation.TimeForFreeState,
    });
  }

  /** The state. INACTIVE while invalid beams leave open if an object is in the field. */
  get state(): FieldStateNumber {
    return this.#unknownScans > 0 ? FieldState.INACTIVE : this.#debounced.state;
  }

  /** True if the field is infringed, and has not been free for long enough since. */
  get infringed(): boolean {
    return isInfringed(this.state);
  }

  /**
   * True if an output that follows the field is active. It follows `infringed`, with one exception: after too many
   * scans with invalid beams, an active output stays active until the scanner is no longer ready.
   */
  get signal(): boolean {
    return this.#unknownScans < toleratedScans && isInfringed(this.#debounced.state);
  }

  /** Position of the nearest object, in whole mm. Empty if the field is not infringed. */
  get positions(): readonly Point[] {
    return this.infringed ? [{ x: this.#x, y: this.#y }] : [];
  }

  /**
   * Time of the next change if the scans stay the same: ms of the monotonic clock. Infinity if no change is pending, or
   * while the state is unknown.
   */
  get due(): number {
    return this.#unknownScans > 0 ? Number.POSITIVE_INFINITY : this.#debounced.due;
  }

  /** @param clock of the times that `evaluateScan` gets */
  remember(clock: Pick<Clock, 'monotonic'>): () => void {
    const putBack = this.#debounced.remember(clock);
    const [unknownScans, x, y] = [this.#unknownScans, this.#x, this.#y];
    return () => {
      putBack();
      this.#unknownScans = unknownScans;
      this.#x = x;
      this.#y = y;
    };
  }

  /** Evaluates a scan. Returns true if the state has changed. */
  evaluateScan(scan: Scan, fan: BeamFan, now: number): boolean {
    const search = this.#searchWith(fan);
    const found = search.find(scan);
    if (found) {
      this.#x = search.x;
      this.#y = search.y;
    }
    const unknownBefore = this.#unknownScans;
    const isUnknown = !found && search.lacksBeams(scan);
    this.#unknownScans = isUnknown ? unknownBefore + 1 : 0;
    const changed = isUnknown ? this.#debounced.restartFreeTime() : this.#debounced.update(found, now);
    return changed || isUnknown !== unknownBefore > 0 || this.#unknownScans === toleratedScans;
  }

  /** Changes the state if a change is due. Returns true if it has changed. */
  applyDueChange(now: number): boolean {
    return this.#unknownScans === 0 && this.#debounced.applyDueChange(now);
  }

  #searchWith(fan: BeamFan): ObjectSearch {
    if (this.#search !== undefined && this.#fan === fan) return this.#search;
    this.#fan = fan;
    this.#search = new ObjectSearch(this.evaluation, fan);
    return this.#search;
  }
}
