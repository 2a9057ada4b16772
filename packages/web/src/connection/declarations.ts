import {
  extensionPrefix,
  type KnownInterface,
  type Level,
  leastVariantWith,
  type Method,
  Refusal,
  type Release,
  releaseOf,
  type Variable,
  type Variant,
} from '@azimuth/model';

/** Values of a scanner that a page knows now. */
export interface KnownValues {
  /** The value of a variable by its name; undefined if it is not known, or if the scanner has none. */
  value(name: string): unknown;
  /** What the scanner says about the variable of a name, if that is known. */
  declared?(name: string): Variable<unknown> | undefined;
}

/** The value of a variable, with its type; undefined if it is not known, or if its type is another one. */
export function knownValue<T>(known: KnownValues, variable: Variable<T>): T | undefined {
  return typed(variable, known.value(variable.name));
}

/** A value that a scanner sent, as its type; undefined if it is none, or if nothing came yet. */
export function typed<T>(variable: Variable<T>, json: unknown): T | undefined {
  if (json === undefined) return undefined;
  try {
    return variable.type.fromJson(json, variable.name);
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

export function levelToCall({ facts }: Pick<Method<never, unknown>, 'facts'>): Level {
  if (facts.level === 'open') return 'Run';
  return facts.level === 'login' ? 'Maintenance' : facts.level;
}

/** The lowest level that may write a variable; Service for a variable that cannot be written. */
export function levelToWrite({ facts }: { readonly facts: Pick<Variable<never>['facts'], 'write'> }): Level {
  return facts.write ?? 'Service';
}

/** The interface of a scanner: release and variant, and what is known of its names. */
export interface Edition {
  readonly release: Release;
  readonly variant: Variant;
  /** Version of the firmware of a product of its own. */
  readonly version?: string | undefined;
  /** Parts of the interface that a product of its own lacks. */
  readonly product?: { lacks(name: string): boolean } | undefined;
  readonly known: KnownInterface;
}

/** Returns all variables that are known, group by group; extensions stand at the end of their group. */
function inGroups({ variables, extensions }: KnownInterface): readonly Variable<unknown>[] {
  const all = [...variables, ...extensions];
  const groups = [...new Set(all.map(({ group }) => group))];
  return groups.flatMap((name) => all.filter(({ group }) => group === name));
}

/** The variable of a name, which may be the one on the wire; undefined if it is not known. */
export function declaredVariable(name: string, known: KnownInterface): Variable<unknown> | undefined {
  return known.unprefixed(name.startsWith(extensionPrefix) ? name.slice(extensionPrefix.length) : name)
    ?.variable;
}

/** The lowest level that a POST to an endpoint needs; Service if the endpoint is not known. */
export function levelFor(endpoint: string, known: KnownInterface): Level {
  const method = known.method(endpoint);
  if (method !== undefined) return levelToCall(method);
  const variable = declaredVariable(endpoint, known);
  return variable === undefined ? 'Service' : levelToWrite(variable);
}

/** The variable of a name that a scanner of this edition has; undefined if it has none. */
export function variableNamed(name: string, edition: Edition | undefined): Variable<unknown> | undefined {
  const variable = edition?.known.unprefixed(name)?.variable;
  return edition !== undefined && variable?.isIn(edition) === true ? variable : undefined;
}

/** All variables that a scanner of this edition has, group by group. */
export function variablesOf(edition: Edition): readonly Variable<unknown>[] {
  return inGroups(edition.known).filter((variable) => variable.isIn(edition));
}

/** The value that a scanner has when it leaves the factory, as far as its release decides it. */
export function factoryValueOf(variable: Variable<unknown>, { release }: Edition): unknown {
  return variable.factoryValue({ release, createdWith: release });
}

/**
 * Returns the edition that a scanner describes itself. Of a scanner that describes nothing, the version of its firmware
 * and its variables show it.
 * @param present the variables that the scanner has
 */
export function editionOf(
  version: string,
  present: readonly Variable<unknown>[],
  known: KnownInterface,
): Edition {
  const { scanner } = known;
  if (scanner === undefined) {
    return { release: releaseOf(version), variant: leastVariantWith(present), known };
  }
  const { release, variant } = scanner;
  const lacks = (name: string) => known.lacks(known.unprefixed(name)?.name ?? name);
  return { release, variant, version: scanner.version, product: { lacks }, known };
}
