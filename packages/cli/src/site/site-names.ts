import type { KnownInterface, NamedVariable, Variable } from '@azimuth/model';

/** Names of parameters in site files. Extensions have a prefix there, which may be left out. */
export class SiteNames {
  /** All parameters with the names under which they are written, in the order of the interface. */
  readonly parameters: readonly NamedVariable[];
  readonly #known: KnownInterface;
  readonly #byName: ReadonlyMap<string, Variable<unknown>>;

  constructor(known: KnownInterface) {
    this.#known = known;
    this.parameters = known.parameters;
    this.#byName = new Map(
      known.parameters.flatMap(({ name, variable }) =>
        [name, variable.name, ...(variable.facts.aliases ?? [])].map((each) => [each, variable]),
      ),
    );
  }

  /** All names that a file may use. */
  get names(): readonly string[] {
    return [...this.#byName.keys()];
  }

  /** Returns the parameter of a name in a file; undefined if there is none. */
  parameter(name: string): Variable<unknown> | undefined {
    return this.#byName.get(name);
  }

  /** True for the name of a variable that is no parameter. */
  isOtherVariable(name: string): boolean {
    return this.#known.variables.some((variable) => variable.name === name && !variable.stored);
  }
}

/** True if a parameter belongs to one scanner only, as its name and its address. */
export function isOfUnit({ facts }: Variable<unknown>): boolean {
  return facts.ofOneScanner === true;
}
