import type { Variable } from '@azimuth/model';

/** Parameters as they are, or as they would be. */
export interface View {
  read<T>(variable: Variable<T>): T;
}

interface NewValue<T> {
  readonly variable: Variable<T>;
  readonly value: T;
}

/** New values for some parameters, to be taken over together or not at all. */
export class Change implements View {
  readonly #base: View;
  readonly #values = new Map<Variable<unknown>, NewValue<unknown>>();

  constructor(base: View) {
    this.#base = base;
  }

  set<T>(variable: Variable<T>, value: T): this {
    this.#values.set(variable, { variable, value });
    return this;
  }

  /** The new value where there is one, else the present one. */
  read<T>(variable: Variable<T>): T {
    const entry = this.#values.get(variable);
    return entry !== undefined && isFor(entry, variable) ? entry.value : this.#base.read(variable);
  }

  touches(variables: readonly Variable<unknown>[]): boolean {
    return variables.some((variable) => this.#values.has(variable));
  }

  get variables(): readonly Variable<unknown>[] {
    return [...this.#values.keys()];
  }
}

function isFor<T>(entry: NewValue<unknown>, variable: Variable<T>): entry is NewValue<T> {
  return entry.variable === variable;
}
