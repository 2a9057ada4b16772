import {
  allMethods,
  allVariables,
  type Edition,
  extensionPrefix,
  extensionVariables,
  groups,
  type Level,
  leastVariantWith,
  type Method,
  Refusal,
  releaseOf,
  type Variable,
} from '@azimuth/model';

/** Values of a scanner that a page knows now. */
export interface KnownValues {
  /** The value of a variable by its name; undefined if it is not known, or if the scanner has none. */
  value(name: string): unknown;
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

const methods = new Map(allMethods.map((method) => [method.name, method]));

/** All variables in the order of the groups; extensions stand at the end of their group. */
const all: readonly Variable<unknown>[] = groups.flatMap(({ name }) =>
  [...allVariables, ...extensionVariables].filter(({ group }) => group === name),
);
const variables: ReadonlyMap<string, Variable<unknown>> = new Map(
  all.map((variable) => [variable.name, variable]),
);

/** The variable of a name, which may be the one on the wire; undefined if the interface has none. */
export function declaredVariable(name: string): Variable<unknown> | undefined {
  return variables.get(name.startsWith(extensionPrefix) ? name.slice(extensionPrefix.length) : name);
}

/** The lowest level that a POST to an endpoint needs; Service if the interface does not have the endpoint. */
export function levelFor(endpoint: string): Level {
  const method = methods.get(endpoint);
  if (method !== undefined) return levelToCall(method);
  const variable = declaredVariable(endpoint);
  return variable === undefined ? 'Service' : levelToWrite(variable);
}

/** The variable of a name that a scanner of this edition has; undefined if it has none. */
export function variableNamed(name: string, edition: Edition | undefined): Variable<unknown> | undefined {
  const variable = variables.get(name);
  return edition !== undefined && variable?.isIn(edition) === true ? variable : undefined;
}

/** All variables that a scanner of this edition has, group by group. */
export function variablesOf(edition: Edition): readonly Variable<unknown>[] {
  return all.filter((variable) => variable.isIn(edition));
}

/** The value that a scanner has when it leaves the factory, as far as its release decides it. */
export function factoryValueOf(variable: Variable<unknown>, { release }: Edition): unknown {
  return variable.factoryValue({ release, createdWith: release });
}

/** @param present the variables that the scanner has */
export function editionOf(version: string, present: readonly Variable<unknown>[]): Edition {
  return { release: releaseOf(version), variant: leastVariantWith(present) };
}
