import { isDeepStrictEqual } from 'node:util';
import {
  assertWithin,
  basicSettings,
  type ProfileFacts,
  performanceProfiles,
  Refusal,
  type Variable,
} from '@azimuth/model';
import type { Announcements } from '../announcements.js';
import { GoingDown } from '../lifecycle/lifecycle.js';

const { PerformanceProfileNumber } = basicSettings.members;

/** Parameters with their present or planned values. */
export interface ParameterReader {
  read<T>(variable: Variable<T>): T;
}

interface NewValue<T> {
  readonly variable: Variable<T>;
  readonly value: T;
}

/** New values for some parameters. All of them change, or none. */
export class Change implements ParameterReader {
  readonly #base: ParameterReader;
  /** By name: a product may declare a variable of the interface anew, with a narrower type. */
  readonly #values = new Map<string, NewValue<unknown>>();
  readonly #variables: Variable<unknown>[] = [];

  constructor(base: ParameterReader) {
    this.#base = base;
  }

  set<T>(variable: Variable<T>, value: T): this {
    if (!this.#values.has(variable.name)) this.#variables.push(variable);
    this.#values.set(variable.name, { variable, value });
    return this;
  }

  /** The new value. If there is none, the present one. */
  read<T>(variable: Variable<T>): T {
    const entry = this.#values.get(variable.name);
    return entry !== undefined && isFor(entry, variable) ? entry.value : this.#base.read(variable);
  }

  /** The new values, in this order. */
  get variables(): readonly Variable<unknown>[] {
    return this.#variables;
  }

  touches(variables: readonly Variable<unknown>[]): boolean {
    return variables.some(({ name }) => this.#values.has(name));
  }
}

function isFor<T>(entry: NewValue<unknown>, variable: Variable<T>): entry is NewValue<T> {
  return entry.variable === variable || entry.variable.name === variable.name;
}

/** The layers of one parameter. The scanner uses the working value; the stored one outlives a reboot. */
interface Cell<T> {
  readonly variable: Variable<T>;
  readonly factory: T;
  stored: T;
  working: T;
}

/** Cells by the name of their variable. The cell of a variable holds values of that variable's type. */
class Cells {
  readonly #cells = new Map<string, Cell<unknown>>();

  add<T>(variable: Variable<T>, factory: T): void {
    this.#cells.set(variable.name, { variable, factory, stored: factory, working: factory });
  }

  hasName(name: string): boolean {
    return this.#cells.has(name);
  }

  has({ name }: Variable<unknown>): boolean {
    return this.#cells.has(name);
  }

  find<T>(variable: Variable<T>): Cell<T> | undefined {
    const cell = this.#cells.get(variable.name);
    return cell !== undefined && belongs(cell, variable) ? cell : undefined;
  }

  of<T>(variable: Variable<T>): Cell<T> {
    const cell = this.find(variable);
    if (cell === undefined) throw notAParameter(variable);
    return cell;
  }

  [Symbol.iterator](): IterableIterator<Cell<unknown>> {
    return this.#cells.values();
  }
}

function notAParameter({ name }: Variable<unknown>): TypeError {
  return new TypeError(`${name} is not a parameter of this scanner`);
}

function belongs<T>(cell: Cell<unknown>, variable: Variable<T>): cell is Cell<T> {
  return cell.variable === variable || cell.variable.name === variable.name;
}

/** Checks a change of some variables in advance, and throws a Refusal to refuse all of it. */
interface Rule {
  readonly about: readonly Variable<unknown>[];
  readonly check: (change: Change) => void;
}

/** The parts of a product that its parameters depend on. */
interface ProductOfParameters {
  /** True for a name that the product does not have. */
  readonly lacks: (name: string) => boolean;
  readonly profiles: Readonly<Record<number, ProfileFacts>>;
}

/** Values by the names of their variables. */
export type ValueSet = Readonly<Record<string, unknown>>;

/**
 * The parameters in their layers: factory, stored, working. A write changes the working layer only, as a transaction:
 * all values are checked, all are applied, and one announcement follows.
 */
export class Parameters implements ParameterReader {
  readonly #announcements: Announcements;
  readonly #rules: Rule[] = [];
  /** The rules about each variable: a cache, cleared with each new rule. */
  readonly #rulesAbout = new Map<string, readonly Rule[]>();
  readonly #lifecycle: { readonly acceptsChanges: boolean };
  readonly #product: ProductOfParameters;
  readonly #changed = new Set<string>();
  #cells = new Cells();
  #storedSet: ValueSet | undefined;

  /**
   * @param lifecycle acceptsChanges: false while the scanner goes down and would lose a change
   * @param product which names it lacks, and its performance profiles
   */
  constructor(
    announcements: Announcements,
    lifecycle: { readonly acceptsChanges: boolean } = { acceptsChanges: true },
    product: ProductOfParameters = { lacks: () => false, profiles: performanceProfiles },
  ) {
    this.#product = product;
    this.#announcements = announcements;
    this.#lifecycle = lifecycle;
  }

  /**
   * Called at a boot: these variables are the parameter set, with factory values from `factoryOf` and these stored
   * values. If a stored value is invalid, `refused` is called, and the factory value replaces it.
   */
  boot(
    variables: readonly Variable<unknown>[],
    factoryOf: (variable: Variable<unknown>) => unknown,
    stored: ValueSet,
    refused: (refusal: Refusal) => void,
  ): void {
    const before = this.#cells;
    this.#storedSet = undefined;
    this.#changed.clear();
    this.#cells = new Cells();
    for (const variable of variables) {
      // Factory values are checked, too: a wrong default is found at the start, not in the field.
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

  /** True if this variant or this product lacks the variable. It then works with a fixed value. */
  isAbsent(variable: Variable<unknown>): boolean {
    return !this.has(variable) && (variable.variant !== undefined || this.#product.lacks(variable.name));
  }

  /** The working value. For a variable that this variant or product lacks, the value with which it works. */
  read<T>(variable: Variable<T>): T {
    const cell = this.#cells.find(variable);
    if (cell !== undefined) return cell.working;
    if (!this.isAbsent(variable)) throw notAParameter(variable);
    return variable.valueIfAbsent;
  }

  /** The present performance profile. */
  get profile(): ProfileFacts {
    const { profiles } = this.#product;
    const profile = profiles[this.read(PerformanceProfileNumber)] ?? Object.values(profiles)[0];
    if (profile === undefined) throw new TypeError('the product has no performance profile');
    return profile;
  }

  stored<T>(variable: Variable<T>): T {
    return this.#cells.of(variable).stored;
  }

  /** The stored values. The object stays the same until they change. */
  get storedSet(): ValueSet {
    this.#storedSet ??= this.layer('stored');
    return this.#storedSet;
  }

  /** Calls `check` before each change of one or more of these variables. A Refusal from it refuses the change. */
  onChanging(about: readonly Variable<unknown>[], check: Rule['check']): void {
    this.#rules.push({ about, check });
    this.#rulesAbout.clear();
  }

  /**
   * Changes working values: all values that `fill` sets, or none.
   * @returns a promise while effects of the change are pending, as `Announcements.changed`
   * @throws Refusal of a rule that refuses it; GoingDown if the change would be lost.
   */
  change(fill: (change: Change) => void): Promise<unknown> | undefined {
    if (!this.#lifecycle.acceptsChanges) throw new GoingDown();
    const change = new Change(this);
    fill(change);
    this.#assertWithinProduct(change);
    this.#assertAllowed(change);
    return this.#apply(change.variables, (cell) => change.read(cell.variable));
  }

  /**
   * Checks these values for both layers: they must fit the other stored values, and the other working values.
   * @throws Refusal of a rule that refuses them.
   */
  assertAllowed(values: ValueSet): void {
    const storedValues: ParameterReader = { read: (variable) => this.stored(variable) };
    for (const layer of [this, storedValues]) {
      const change = new Change(layer);
      for (const { variable } of this.#cells) {
        if (Object.hasOwn(values, variable.name)) change.set(variable, values[variable.name]);
      }
      this.#assertAllowed(change);
    }
  }

  /** The stored values of variables that this scanner does not have: parameters of another release or variant. */
  foreignIn(stored: ValueSet): ValueSet {
    return Object.fromEntries(Object.entries(stored).filter(([name]) => !this.#cells.hasName(name)));
  }

  /** One layer as plain values. */
  layer(layer: 'factory' | 'stored' | 'working'): ValueSet {
    const values: Record<string, unknown> = {};
    for (const cell of this.#cells) values[cell.variable.name] = cell[layer];
    return values;
  }

  /** The stored values. Variables for which `includes` is true have their factory values. */
  withFactory(includes: (variable: Variable<unknown>) => boolean): ValueSet {
    const values: Record<string, unknown> = {};
    for (const cell of this.#cells) {
      values[cell.variable.name] = includes(cell.variable) ? cell.factory : cell.stored;
    }
    return values;
  }

  /** Records the values on disk. Working values may have changed since these values were written. */
  markStored(values: ValueSet): void {
    this.#storedSet = undefined;
    for (const cell of this.#cells) {
      if (Object.hasOwn(values, cell.variable.name)) markCell(cell, values[cell.variable.name]);
    }
  }

  /** The variables of all parameters. */
  get variables(): readonly Variable<unknown>[] {
    return Array.from(this.#cells, ({ variable }) => variable);
  }

  /** The names of parameters whose working value was changed since the boot. */
  get changedSinceBoot(): ReadonlySet<string> {
    return this.#changed;
  }

  /** The working values that differ from the stored ones, by name. */
  get unsaved(): ValueSet {
    const differing = [...this.#cells].filter(({ working, stored }) => !isSameValue(working, stored));
    return Object.fromEntries(differing.map(({ variable, working }) => [variable.name, working]));
  }

  /** Sets working values, without any check: the same scanner had them before it was started again. */
  takeUp(unsaved: ValueSet): void {
    const cells = [...this.#cells].filter(({ variable }) => Object.hasOwn(unsaved, variable.name));
    this.#apply(
      cells.map(({ variable }) => variable),
      ({ variable }) => unsaved[variable.name],
    );
  }

  /** Remembers all layers. The returned function puts them back, without any check, also after boots. */
  remember(): () => void {
    const cells = this.#cells;
    const values = Array.from(cells, (cell) => ({ cell, stored: cell.stored, working: cell.working }));
    return () => {
      const isSameSet = this.#cells === cells;
      const changed = values.filter(({ cell, working }) => !isSameSet || !isSameValue(cell.working, working));
      this.#cells = cells;
      this.#storedSet = undefined;
      for (const { cell, stored, working } of values) {
        cell.stored = stored;
        cell.working = working;
      }
      this.#announcements.changed(changed.map(({ cell }) => cell.variable));
    };
  }

  /** Sets the working values for which `includes` is true to the stored ones. */
  setStored(includes: (variable: Variable<unknown>) => boolean): void {
    this.#apply(
      [...this.#cells].map(({ variable }) => variable).filter((variable) => includes(variable)),
      (cell) => cell.stored,
    );
  }

  /** Sets the working values for which `includes` is true to the factory ones. */
  resetWorking(includes: (variable: Variable<unknown>) => boolean): void {
    this.#apply(
      [...this.#cells].map(({ variable }) => variable).filter((variable) => includes(variable)),
      (cell) => cell.factory,
    );
  }

  /** Who sets a variable by the declaration of the interface has not checked the narrower type of the product. */
  #assertWithinProduct(change: Change): void {
    for (const variable of change.variables) {
      const { type, name } = this.#cells.of(variable).variable;
      if (type !== variable.type) assertWithin(type.shape, change.read(variable), name);
    }
  }

  #assertAllowed(change: Change): void {
    for (const { check } of this.#rulesFor(change)) check(change);
  }

  /** The rules in the order of their registration. Cached for changes of a single variable, the most frequent case. */
  #rulesFor(change: Change): readonly Rule[] {
    const { variables } = change;
    const [variable] = variables;
    if (variable === undefined || variables.length > 1) return this.#find(change);
    let found = this.#rulesAbout.get(variable.name);
    if (found === undefined) {
      found = this.#find(change);
      this.#rulesAbout.set(variable.name, found);
    }
    return found;
  }

  #find(change: Change): readonly Rule[] {
    return this.#rules.filter(({ about }) => change.touches(about));
  }

  #apply(
    variables: readonly Variable<unknown>[],
    valueFor: (cell: Cell<unknown>) => unknown,
  ): Promise<unknown> | undefined {
    const changed: Variable<unknown>[] = [];
    // Finds all cells first, so that an unknown variable changes nothing.
    const cells = variables.map((variable) => this.#cells.of(variable));
    for (const cell of cells) {
      const before = cell.working;
      cell.working = valueFor(cell);
      if (isSameValue(before, cell.working)) continue;
      changed.push(cell.variable);
      this.#changed.add(cell.variable.name);
    }
    return this.#announcements.changed(changed);
  }
}

/** Most values are texts and numbers, which need no deep comparison. */
function isSameValue(a: unknown, b: unknown): boolean {
  return Object.is(a, b) || (typeof a === 'object' && isDeepStrictEqual(a, b));
}

/** Usually the value is the working or the factory value itself, which needs no check. */
function markCell(cell: Cell<unknown>, json: unknown): void {
  if (json === cell.working) cell.stored = cell.working;
  else if (json === cell.factory) cell.stored = cell.factory;
  else if (json !== cell.stored) cell.stored = cell.variable.type.fromJson(json, cell.variable.name);
}

function loadCell(cell: Cell<unknown>, json: unknown, refused: (refusal: Refusal) => void): void {
  try {
    cell.stored = cell.variable.valueFrom(cell.variable.migrated(json));
    cell.working = cell.stored;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    refused(error);
  }
}
