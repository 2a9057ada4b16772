import { type Edition, endpointsOf, type Variable } from '@azimuth/model';
import { otherValue } from './other-value.js';

/** The variables that a scanner of this edition serves, each once or under every alias. */
export function variablesOf(edition: Edition): Variable<unknown>[] {
  return [...endpointsOf(edition).values()].filter((endpoint) => endpoint.kind === 'variable');
}

/** Another value than the factory's for each variable that can be written. */
export function otherValues(edition: Edition): Map<string, unknown> {
  const { release } = edition;
  const writable = variablesOf(edition).filter(({ facts }) => facts.write !== undefined);
  return new Map(
    writable.map((variable) => [
      variable.name,
      otherValue(variable.type.shape, variable.factoryValue({ release, createdWith: release })),
    ]),
  );
}
