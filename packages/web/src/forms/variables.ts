import { allVariables, type Edition, extensionVariables, groups, type Variable } from '@azimuth/model';

/** All variables in the order of the groups; extensions stand at the end of their group. */
const all: readonly Variable<unknown>[] = groups.flatMap(({ name }) =>
  [...allVariables, ...extensionVariables].filter(({ group }) => group === name),
);
const byName: ReadonlyMap<string, Variable<unknown>> = new Map(
  all.map((variable) => [variable.name, variable]),
);

/** The variable of a name that a scanner of this edition has; undefined if it has none. */
export function variableNamed(name: string, edition: Edition | undefined): Variable<unknown> | undefined {
  const variable = byName.get(name);
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
