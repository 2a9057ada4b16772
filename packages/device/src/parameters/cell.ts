import type { Variable } from '@azimuth/model';

/** The layers of one parameter. The working value is what the scanner goes by; the stored one outlives a reboot. */
export interface Cell<T> {
  readonly variable: Variable<T>;
  readonly factory: T;
  stored: T;
  working: T;
}

/** Cells by their variable; a cell found by a variable holds values of that variable's type. */
export class Cells {
  readonly #cells = new Map<Variable<unknown>, Cell<unknown>>();
  readonly #names = new Set<string>();

  add<T>(variable: Variable<T>, factory: T): void {
    this.#cells.set(variable, { variable, factory, stored: factory, working: factory });
    this.#names.add(variable.name);
  }

  hasName(name: string): boolean {
    return this.#names.has(name);
  }

  has(variable: Variable<unknown>): boolean {
    return this.#cells.has(variable);
  }

  of<T>(variable: Variable<T>): Cell<T> {
    const cell = this.#cells.get(variable);
    if (cell === undefined || !belongs(cell, variable))
      throw new TypeError(`${variable.name} is no parameter here`);
    return cell;
  }

  [Symbol.iterator](): IterableIterator<Cell<unknown>> {
    return this.#cells.values();
  }
}

function belongs<T>(cell: Cell<unknown>, variable: Variable<T>): cell is Cell<T> {
  return cell.variable === variable;
}
