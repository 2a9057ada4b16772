import { EventVariable, type FileEndpoint, type Method, type Variable } from './declaration.js';
import { extensionPrefix, extensionVariables } from './extensions/index.js';
import { allFiles, allMethods, allVariables, type Endpoint } from './interface.js';
import type { Release, Variant } from './release.js';

/** The declarations of an interface. */
export interface Declarations {
  /** Variables under `/api/`, in their order. */
  readonly variables: readonly Variable<unknown>[];
  readonly methods: readonly Method<unknown, unknown>[];
  readonly files: readonly FileEndpoint[];
  /** Variables under `/x/`. */
  readonly extensions: readonly Variable<unknown>[];
}

/** A variable with its name in requests. */
export interface NamedVariable {
  /** Extensions have a prefix: `x/fields`. */
  readonly name: string;
  readonly variable: Variable<unknown>;
}

/** What a scanner states about itself in its description. */
export interface DescribedScanner {
  /** Names in requests that it has. */
  readonly names: ReadonlySet<string>;
  /** Release of the interface, on which a product of its own is based. */
  readonly release: Release;
  readonly variant: Variant;
  /** Name of its product, and version of its firmware, if it is not the built-in product. */
  readonly product: string | undefined;
  readonly version: string | undefined;
}

/**
 * What a program knows of the interface of a scanner: the meaning of each name. `builtInInterface` has what the model
 * declares. `describedInterface` has what a scanner describes itself.
 */
export class KnownInterface implements Declarations {
  readonly variables: readonly Variable<unknown>[];
  readonly methods: readonly Method<unknown, unknown>[];
  readonly files: readonly FileEndpoint[];
  readonly extensions: readonly Variable<unknown>[];
  /** Variables and extensions with their names in requests, in the order of the interface: extensions come last. */
  readonly named: readonly NamedVariable[];
  /** The parameters among them. */
  readonly parameters: readonly NamedVariable[];
  readonly events: readonly EventVariable<unknown>[];
  readonly #variables = new Map<string, Variable<unknown>>();
  readonly #methods: ReadonlyMap<string, Method<unknown, unknown>>;
  /** The scanner that describes itself; undefined if nothing is known of one. */
  readonly scanner: DescribedScanner | undefined;
  /** By the names of backups and of the stored set, which have no prefix. */
  readonly #unprefixed: ReadonlyMap<string, NamedVariable>;

  constructor({ variables, methods, files, extensions }: Declarations, scanner?: DescribedScanner) {
    this.scanner = scanner;
    this.variables = variables;
    this.methods = methods;
    this.files = files;
    this.extensions = extensions;
    this.named = [
      ...variables.map((variable) => ({ name: variable.name, variable })),
      ...extensions.map((variable) => ({ name: extensionPrefix + variable.name, variable })),
    ];
    this.parameters = this.named.filter(({ variable }) => variable.stored);
    this.events = variables.filter((variable) => variable instanceof EventVariable);
    this.#methods = new Map(methods.map((method) => [method.name, method]));
    this.#unprefixed = new Map(this.named.map((named) => [named.variable.name, named]));
    for (const { variable } of this.named)
      for (const alias of variable.facts.aliases ?? []) this.#variables.set(alias, variable);
    for (const { name, variable } of this.named) this.#variables.set(name, variable);
  }

  /**
   * Returns what at least one of several scanners has, or the model. If they have different declarations of a name, the
   * first one counts.
   */
  static merged(all: readonly KnownInterface[]): KnownInterface {
    const [first = builtInInterface, ...others] = new Set(all);
    if (others.length === 0) return first;
    const added = <D extends { readonly name: string }>(listOf: (one: KnownInterface) => readonly D[]) => {
      const names = new Set(listOf(first).map(({ name }) => name));
      return listOf(first).concat(
        others.flatMap(listOf).filter(({ name }) => {
          if (names.has(name)) return false;
          names.add(name);
          return true;
        }),
      );
    };
    return new KnownInterface({
      variables: added(({ variables }) => variables),
      methods: added(({ methods }) => methods),
      files: first.files,
      extensions: added(({ extensions }) => extensions),
    });
  }

  /** Returns the variable of a name in requests, or of an alias; undefined if the name is not known. */
  variable(name: string): Variable<unknown> | undefined {
    return this.#variables.get(name);
  }

  /** True if the scanner states that it does not have a name in requests. */
  lacks(name: string): boolean {
    return this.scanner?.names.has(name) === false;
  }

  /** Returns the method of a name; undefined if the name is not known. */
  method(name: string): Method<unknown, unknown> | undefined {
    return this.#methods.get(name);
  }

  /** Returns the variable or method of a name in requests; undefined if the name is not known. */
  endpoint(name: string): Endpoint | undefined {
    return this.variable(name) ?? this.method(name);
  }

  /**
   * Returns the variable of a name in backups and in the stored set, where extensions have no prefix. Undefined if the
   * name is not known.
   */
  unprefixed(name: string): NamedVariable | undefined {
    return this.#unprefixed.get(name);
  }
}

/** The interface that the model declares, in all releases and variants. */
export const builtInInterface = new KnownInterface({
  variables: allVariables,
  methods: allMethods,
  files: allFiles,
  extensions: extensionVariables,
});
