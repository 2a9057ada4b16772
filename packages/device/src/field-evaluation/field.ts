import { type Evaluation, FieldState, type Point } from '@azimuth/model';
import { toleratedScans } from '../measuring/scan-check.js';
import type { BeamFan, Scan } from '../scan/scan.js';
import { ObjectSearch } from './object-search.js';

export type FieldStateNumber = (typeof FieldState)[keyof typeof FieldState];

/** ms for which scans have to show a field infringed, or free, before its state follows. */
interface Times {
  readonly infringed: number;
  readonly free: number;
}

/** ms: half a microsecond, so that the rounding of the clock starts no timer. */
const tolerance = 0.0005;

/**
 * The state of an active field. What a scan shows holds until the next scan shows something else. When it has held for the
 * configured time, the state changes at that moment, even between two scans. Times are ms of the monotonic clock.
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

  /** When the field becomes infringed, or free, unless a scan shows something else; Infinity if no change is pending. */
  get due(): number {
    return this.#due;
  }

  /**
   * It is not known whether an object is in the field: the time in which it has to be free begins anew. Returns whether the
   * state has changed.
   */
  doubt(): boolean {
    return this.#state === FieldState.DETECTING_FREE && this.#become(FieldState.INFRINGED);
  }

  /** Takes what a scan shows. Returns whether the state has changed. */
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

  /** Changes the state if `due` has come. Returns whether it has changed. */
  settle(now: number): boolean {
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

/** An active field. It looks for objects in every scan, and is free until it has found one. */
export class Field {
  readonly evaluation: Evaluation;
  readonly #debounced: DebouncedState;
  #fan: BeamFan | undefined;
  #search: ObjectSearch | undefined;
  /** Scans in a row in which no object was found, but beams of the field were invalid. */
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

  /** INACTIVE while invalid beams leave it unknown whether an object is in the field. */
  get state(): FieldStateNumber {
    return this.#unknownScans > 0 ? FieldState.INACTIVE : this.#debounced.state;
  }

  /** Whether it is infringed, and not yet free again for long enough. */
  get infringed(): boolean {
    return isInfringed(this.state);
  }

  /**
   * Whether an output that follows it is active: as `infringed`, but one that is active stays so until the scanner is not
   * ready any more, because too many scans in a row had invalid beams.
   */
  get signal(): boolean {
    return this.#unknownScans < toleratedScans && isInfringed(this.#debounced.state);
  }

  /** Where the nearest object was found last, in whole mm; empty if the field is not infringed. */
  get positions(): readonly Point[] {
    return this.infringed ? [{ x: this.#x, y: this.#y }] : [];
  }

  /**
   * When its state changes if the scans stay the same: ms of the monotonic clock. Infinity if no change is pending, or while the
   * state is not known.
   */
  get due(): number {
    return this.#unknownScans > 0 ? Number.POSITIVE_INFINITY : this.#debounced.due;
  }

  /** Takes a scan. Returns whether the state has changed. */
  take(scan: Scan, fan: BeamFan, now: number): boolean {
    const search = this.#searchWith(fan);
    const found = search.find(scan);
    if (found) {
      this.#x = search.x;
      this.#y = search.y;
    }
    const unknownBefore = this.#unknownScans;
    const isUnknown = !found && search.lacksBeams(scan);
    this.#unknownScans = isUnknown ? unknownBefore + 1 : 0;
    const changed = isUnknown ? this.#debounced.doubt() : this.#debounced.update(found, now);
    return changed || isUnknown !== unknownBefore > 0 || this.#unknownScans === toleratedScans;
  }

  /** Changes the state if that is due. Returns whether it has changed. */
  settle(now: number): boolean {
    return this.#unknownScans === 0 && this.#debounced.settle(now);
  }

  #searchWith(fan: BeamFan): ObjectSearch {
    if (this.#search !== undefined && this.#fan === fan) return this.#search;
    this.#fan = fan;
    this.#search = new ObjectSearch(this.evaluation, fan);
    return this.#search;
  }
}
