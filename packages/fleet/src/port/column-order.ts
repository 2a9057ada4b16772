import { sortedInTurns } from './in-turns.js';
import type { Derived } from './kept-while-used.js';
import { insert, type Row, type RowOrder, remove } from './site-rows.js';

/** All rows in the order of a column. */
export class ColumnOrder implements Derived {
  readonly #order: RowOrder;
  #rows: Row[];

  /** @param rows in any order; they do not change */
  constructor(rows: readonly Row[], order: RowOrder) {
    this.#rows = [...rows];
    this.#order = order;
  }

  /** One list. */
  get lists(): readonly (readonly Row[])[] {
    return [this.#rows];
  }

  async make(): Promise<void> {
    this.#rows = [...(await sortedInTurns(this.#rows, this.#order))];
  }

  replace(before: Row, row: Row): void {
    remove(this.#rows, before, this.#order);
    insert(this.#rows, row, this.#order);
  }
}
