import { isDeepStrictEqual } from 'node:util';
import { Fault, type Variable } from '@azimuth/model';
import type { Announcements } from '../announcements.js';
import { GoingDown } from '../lifecycle/lifecycle.js';
import { type Cell, Cells } from './cell.js';
import { Change, type View } from './change.js';

/** Looks at a change before it is made, and throws a Fault to refuse it whole. */
export type Changing = (change: Change) => void;

/** A rule about some variables. */
interface Rule {
  readonly about: readonly Variable<unknown>[];
  readonly listener: Changing;
}

/** Values by the names of their variables. */
export type ValueSet = Readonly<Record<string, unknown>>;

/**
 * The parameters in their layers: factory, stored, working. A write changes the working layer only, as a
 * transaction: checked whole, applied whole, announced once.
 */
export class Parameters implements View {
  readonly #announcements: Announcements;
  readonly #changing: Rule[] = [];
  readonly #takesChanges: () => boolean;
  #cells = new Cells();
  #storedSet: ValueSet | undefined;

  /** @param takesChanges whether a change outlives this moment: false while the scanner goes down */
  constructor(announcements: Announcements, takesChanges: () => boolean = () => true) {
    this.#announcements = announcements;
    this.#takesChanges = takesChanges;
  }

  /**
   * A boot: these variables are the parameter set, with factory values from `factoryOf` and the stored values that are
   * given. A stored value that is not allowed is left out, and told to `refused`; factory state takes its place.
   */
  boot(
    variables: readonly Variable<unknown>[],
    factoryOf: (variable: Variable<unknown>) => unknown,
    stored: ValueSet,
    refused: (fault: Fault) => void,
  ): void {
    const before = this.#cells;
    this.#storedSet = undefined;
    this.#cells = new Cells();
    for (const variable of variables) {
      // A factory value is checked like any other: a wrong default is found at the start, not in the field.
      this.#cells.add(variable, variable.valueFrom(factoryOf(variable)));
    }
    for (const cell of this.#cells) {
      if (Object.hasOwn(stored, cell.variable.name)) loadCell(cell, stored[cell.variable.name], refused);
    }
    const differs = (variable: Variable<unknown>) =>
      !before.has(variable) ||
      !isDeepStrictEqual(before.of(variable).working, this.#cells.of(variable).working);
    this.#announcements.changed(variables.filter(differs));
  }

  has(variable: Variable<unknown>): boolean {
    return this.#cells.has(variable);
  }

  /** The working value. */
  read<T>(variable: Variable<T>): T {
    return this.#cells.of(variable).working;
  }

  stored<T>(variable: Variable<T>): T {
    return this.#cells.of(variable).stored;
  }

  /** The stored values: the same object until they change. */
  get storedSet(): ValueSet {
    this.#storedSet ??= this.layer('stored');
    return this.#storedSet;
  }

  /** Asks `listener` about every change of one of these variables before it is made. */
  onChanging(about: readonly Variable<unknown>[], listener: Changing): void {
    this.#changing.push({ about, listener });
  }

  /**
   * Changes working values: all that `fill` sets, or none.
   * @throws Fault of a listener that refuses; GoingDown where the change would be lost.
   */
  change(fill: (change: Change) => void): void {
    if (!this.#takesChanges()) throw new GoingDown();
    const change = new Change(this);
    fill(change);
    this.#assertAllowed(change);
    this.#apply(change.variables, (cell) => {
      cell.working = change.read(cell.variable);
    });
  }

  /**
   * Asks the listeners whether these values may be taken over by both layers at once: what stays of each layer has to go
   * together with them.
   * @throws Fault of a listener that refuses.
   */
  ask(values: ValueSet): void {
    const storedValues: View = { read: (variable) => this.stored(variable) };
    for (const layer of [this, storedValues]) {
      const change = new Change(layer);
      for (const { variable } of this.#cells) {
        if (Object.hasOwn(values, variable.name)) change.set(variable, values[variable.name]);
      }
      this.#assertAllowed(change);
    }
  }

  /** Values that were stored for variables which are no parameters here: of another release or variant. */
  foreignIn(stored: ValueSet): ValueSet {
    return Object.fromEntries(Object.entries(stored).filter(([name]) => !this.#cells.hasName(name)));
  }

  /** One layer as plain values. */
  layer(layer: 'factory' | 'stored' | 'working'): ValueSet {
    const values: Record<string, unknown> = {};
    for (const cell of this.#cells) values[cell.variable.name] = cell[layer];
    return values;
  }

  /** What the stored values would be if these variables went back to factory state. */
  withFactory(includes: (variable: Variable<unknown>) => boolean): ValueSet {
    const values: Record<string, unknown> = {};
    for (const cell of this.#cells) {
      values[cell.variable.name] = includes(cell.variable) ? cell.factory : cell.stored;
    }
    return values;
  }

  /** Takes over what is on disk now: the values as they were written there, which working values may have left since. */
  markStored(values: ValueSet): void {
    this.#storedSet = undefined;
    for (const cell of this.#cells) {
      if (Object.hasOwn(values, cell.variable.name)) markCell(cell, values[cell.variable.name]);
    }
  }

  /** Puts the working values at the stored state, where `includes` says so. */
  takeStored(includes: (variable: Variable<unknown>) => boolean): void {
    this.#apply(
      [...this.#cells].map(({ variable }) => variable).filter((variable) => includes(variable)),
      (cell) => {
        cell.working = cell.stored;
      },
    );
  }

  /** Puts the working values at the factory state, where `includes` says so. */
  resetWorking(includes: (variable: Variable<unknown>) => boolean): void {
    this.#apply(
      [...this.#cells].map(({ variable }) => variable).filter((variable) => includes(variable)),
      (cell) => {
        cell.working = cell.factory;
      },
    );
  }

  #assertAllowed(change: Change): void {
    for (const { about, listener } of this.#changing) if (change.touches(about)) listener(change);
  }

  #apply(variables: readonly Variable<unknown>[], apply: (cell: Cell<unknown>) => void): void {
    const changed: Variable<unknown>[] = [];
    // All cells first: a variable that is none of ours must not leave the others half done.
    const cells = variables.map((variable) => this.#cells.of(variable));
    for (const cell of cells) {
      const before = cell.working;
      apply(cell);
      if (!isDeepStrictEqual(before, cell.working)) changed.push(cell.variable);
    }
    this.#announcements.changed(changed);
  }
}

/** Mostly it is the working or the factory value itself, which needs no check. */
function markCell(cell: Cell<unknown>, json: unknown): void {
  if (json === cell.working) cell.stored = cell.working;
  else if (json === cell.factory) cell.stored = cell.factory;
  else if (json !== cell.stored) cell.stored = cell.variable.type.fromJson(json, cell.variable.name);
}

function loadCell(cell: Cell<unknown>, json: unknown, refused: (fault: Fault) => void): void {
  try {
    cell.stored = cell.variable.valueFrom(json);
    cell.working = cell.stored;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    refused(error);
  }
}
