import {
  allEndpoints,
  allMethods,
  allVariables,
  type Endpoint,
  type Method,
  type Variable,
} from '@azimuth/model';
import { CommandFailure } from './command-failure.js';
import { nearest } from './nearest.js';

/** The variable of a name or an alias. @throws CommandFailure with the nearest name where there is none. */
export function variableNamed(name: string): Variable<unknown> {
  const variable = allVariables.find((candidate) => answersTo(candidate, name));
  if (variable !== undefined) return variable;
  if (allMethods.some((method) => method.name === name)) {
    throw new CommandFailure(`${name} is a method, no variable: azimuth call ${name}`);
  }
  throw unknown('variable', name, allVariables);
}

/** The method of a name. @throws CommandFailure with the nearest name where there is none. */
export function methodNamed(name: string): Method<unknown, unknown> {
  const method = allMethods.find((candidate) => candidate.name === name);
  if (method !== undefined) return method;
  if (allVariables.some((variable) => answersTo(variable, name))) {
    throw new CommandFailure(`${name} is a variable, no method: azimuth get ${name}`);
  }
  throw unknown('method', name, allMethods);
}

/** The variable or method of a name. @throws CommandFailure with the nearest name where there is none. */
export function endpointNamed(name: string): Endpoint {
  const endpoint = allEndpoints.find((candidate) =>
    candidate.kind === 'variable' ? answersTo(candidate, name) : candidate.name === name,
  );
  if (endpoint === undefined) throw unknown('variable or method', name, allEndpoints);
  return endpoint;
}

function answersTo({ name, facts }: Variable<unknown>, wanted: string): boolean {
  return name === wanted || facts.aliases?.includes(wanted) === true;
}

function unknown(kind: string, name: string, known: readonly Endpoint[]): CommandFailure {
  const meant = nearest(
    name,
    known.map((endpoint) => endpoint.name),
  );
  const question = meant === undefined ? '' : `; did you mean ${meant}?`;
  return new CommandFailure(`there is no ${kind} "${name}"${question}`);
}
