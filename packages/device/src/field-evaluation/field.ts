import { type Evaluation, FieldState, type Point } from '@azimuth/model';
import type { MountedBeams } from '../mounting-position/beam-directions.js';
import type { Scan } from '../scan/scan.js';
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

/** An active field. It looks for objects in every scan, and is free until it has found one. */
export class Field {
  readonly evaluation: Evaluation;
  readonly #debounced: DebouncedState;
  #mounted: MountedBeams | undefined;
  #search: ObjectSearch | undefined;
  #x = 0;
  #y = 0;

  constructor(evaluation: Evaluation) {
    this.evaluation = evaluation;
    this.#debounced = new DebouncedState({
      infringed: evaluation.TimeForInfringedState,
      free: evaluation.TimeForFreeState,
    });
  }

  get state(): FieldStateNumber {
    return this.#debounced.state;
  }

  /** Whether it is infringed, and not yet free again for long enough. */
  get infringed(): boolean {
    return this.state === FieldState.INFRINGED || this.state === FieldState.DETECTING_FREE;
  }

  /** Where the nearest object was found last, in whole mm; empty if the field is not infringed. */
  get positions(): readonly Point[] {
    return this.infringed ? [{ x: this.#x, y: this.#y }] : [];
  }

  /** When its state changes if the scans stay the same: ms of the monotonic clock. Infinity if no change is pending. */
  get due(): number {
    return this.#debounced.due;
  }

  /** Takes a scan. Returns whether the state has changed. */
  take(scan: Scan, mounted: MountedBeams, now: number): boolean {
    const search = this.#searchWith(mounted);
    const found = search.find(scan);
    if (found) {
      this.#x = search.x;
      this.#y = search.y;
    }
    return this.#debounced.update(found, now);
  }

  /** Changes the state if that is due. Returns whether it has changed. */
  settle(now: number): boolean {
    return this.#debounced.settle(now);
  }

  #searchWith(mounted: MountedBeams): ObjectSearch {
    if (this.#search !== undefined && this.#mounted === mounted) return this.#search;
    this.#mounted = mounted;
    this.#search = new ObjectSearch(this.evaluation, mounted);
    return this.#search;
  }
}
