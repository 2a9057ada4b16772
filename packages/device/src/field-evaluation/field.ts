import { type Evaluation, FieldState } from '@azimuth/model';
import type { Scan } from '../measuring/scan.js';
import type { Clock } from '../ports/clock.js';
import { DebouncedState, type FieldStateNumber } from './debounced-state.js';
import type { ObjectSearch } from './object-search.js';
import type { Point } from './point.js';
import type { Sight } from './sight.js';

/** An active field: looks for objects in every scan. It is free until it has seen one. */
export class Field {
  readonly evaluation: Evaluation;
  readonly #debounced: DebouncedState;
  #sight: Sight | undefined;
  #search: ObjectSearch | undefined;
  #x = 0;
  #y = 0;

  /** @param settled is called when the field has become infringed, or free. */
  constructor(evaluation: Evaluation, clock: Clock, settled: (field: Field) => void) {
    this.evaluation = evaluation;
    this.#debounced = new DebouncedState({
      clock,
      timeForInfringed: evaluation.TimeForInfringedState,
      timeForFree: evaluation.TimeForFreeState,
      settled: () => settled(this),
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

  /** Takes a scan. True where the state is another one now. */
  take(scan: Scan, sight: Sight): boolean {
    const search = this.#searchIn(sight);
    const seen = search.find(scan);
    if (seen) {
      this.#x = search.x;
      this.#y = search.y;
    }
    return this.#debounced.see(seen);
  }

  end(): void {
    this.#debounced.end();
  }

  #searchIn(sight: Sight): ObjectSearch {
    if (this.#search !== undefined && this.#sight === sight) return this.#search;
    this.#sight = sight;
    this.#search = sight.search(this.evaluation);
    return this.#search;
  }
}
