import { type Evaluation, FieldState } from '@azimuth/model';
import type { Scan } from '../scan/scan.js';
import type { ObjectSearch } from '../sight/object-search.js';
import type { Point } from '../sight/point.js';
import type { Sight } from '../sight/sight.js';
import { DebouncedState, type FieldStateNumber } from './debounced-state.js';

/** An active field: looks for objects in every scan. It is free until it has seen one. */
export class Field {
  readonly evaluation: Evaluation;
  readonly #debounced: DebouncedState;
  #sight: Sight | undefined;
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

  /** Infringed, and not free again for long enough. */
  get infringed(): boolean {
    return this.state === FieldState.INFRINGED || this.state === FieldState.DETECTING_FREE;
  }

  /** Where the nearest object was seen last, while the field is infringed: mm, whole. */
  get positions(): readonly Point[] {
    return this.infringed ? [{ x: this.#x, y: this.#y }] : [];
  }

  /** When it becomes infringed, or free, unless a scan shows something else: ms of the monotonic clock, else Infinity. */
  get due(): number {
    return this.#debounced.due;
  }

  /** Takes a scan. True where the state is another one now. */
  take(scan: Scan, sight: Sight, now: number): boolean {
    const search = this.#searchIn(sight);
    const seen = search.find(scan);
    if (seen) {
      this.#x = search.x;
      this.#y = search.y;
    }
    return this.#debounced.see(seen, now);
  }

  /** Becomes infringed, or free, where that is due. True where the state is another one now. */
  settle(now: number): boolean {
    return this.#debounced.settle(now);
  }

  #searchIn(sight: Sight): ObjectSearch {
    if (this.#search !== undefined && this.#sight === sight) return this.#search;
    this.#sight = sight;
    this.#search = sight.search(this.evaluation);
    return this.#search;
  }
}
