import {
  allEndpoints,
  allEvents,
  allFiles,
  allMethods,
  allParameters,
  allVariables,
  type Endpoint,
  extensionPrefix,
  extensionVariables,
  type FileEndpoint,
  group,
  type Method,
  struct,
  type Variable,
  variable,
} from '@azimuth/model';
import { nearestName } from '@azimuth/wording';
import { CommandFailure } from '../command-failure.js';

/** A variable, method or file. */
export type Describable = Endpoint | FileEndpoint;

const describables: readonly Describable[] = [...allEndpoints, ...allFiles];

/** The extensions by their name on a command line: `x/fields`. */
const extensions: ReadonlyMap<string, Variable<unknown>> = new Map(
  extensionVariables.map((variable) => [extensionPrefix + variable.name, variable]),
);

/** Returns the variable of a name or an alias. @throws CommandFailure with the nearest name if there is none. */
export function variableNamed(name: string): Variable<unknown> {
  const variable = extensionNamed(name) ?? allVariables.find((candidate) => matchesName(candidate, name));
  if (variable !== undefined) return variable;
  if (allMethods.some((method) => method.name === name)) {
    throw new CommandFailure(`${name} is a method, not a variable: azimuth call ${name}`);
  }
  throwForFile(name, 'variable');
  throw unknownEndpoint('variable', name, allVariables);
}

/** True for a pattern of names, such as `Ether*`. */
export function isPattern(name: string): boolean {
  return /[*?]/.test(name);
}

/**
 * Returns the variables that match a pattern, in any case of letters. `*` stands for any letters, `?` for one.
 * @throws CommandFailure if there is none
 */
export function variablesMatching(pattern: string): readonly NamedVariable[] {
  const parts = [...pattern].map((letter) => wildcards.get(letter) ?? letter.replace(/[^\w/]/, '\\$&'));
  const expression = new RegExp(`^${parts.join('')}$`, 'i');
  const matches = namedVariables.filter(({ name }) => expression.test(name));
  if (matches.length === 0) throw new CommandFailure(`no variable matches "${pattern}": azimuth search WORD`);
  return matches;
}

const wildcards: ReadonlyMap<string, string> = new Map([
  ['*', '.*'],
  ['?', '.'],
]);

/** A variable with the name of its requests. */
export interface NamedVariable {
  readonly name: string;
  readonly variable: Variable<unknown>;
}

/** The variables, including extensions. */
const namedVariables: readonly NamedVariable[] = [
  ...allVariables.map((variable) => ({ name: variable.name, variable })),
  ...[...extensions].map(([name, variable]) => ({ name, variable })),
];

/** The parameters of the interface. */
export const namedParameters: readonly NamedVariable[] = namedVariables.filter(
  ({ variable }) => variable.stored,
);

/** Returns the event of a name. @throws CommandFailure with the nearest name if there is none. */
export function eventNamed(name: string): Variable<unknown> {
  const event = allEvents.find((candidate) => candidate.name === name);
  if (event !== undefined) return event;
  if (allVariables.some((variable) => matchesName(variable, name))) {
    throw new CommandFailure(`${name} is not an event; read it with: azimuth get ${name}`);
  }
  throw unknownEndpoint('event', name, allEvents);
}

/** Returns the method of a name. @throws CommandFailure with the nearest name if there is none. */
export function methodNamed(name: string): Method<unknown, unknown> {
  const method = allMethods.find((candidate) => candidate.name === name);
  if (method !== undefined) return method;
  if (allVariables.some((variable) => matchesName(variable, name))) {
    throw new CommandFailure(`${name} is a variable, not a method: azimuth get ${name}`);
  }
  throwForFile(name, 'method');
  throw unknownEndpoint('method', name, allMethods);
}

/** Returns the variable, method or file of a name. @throws CommandFailure with the nearest name if there is none. */
export function describableNamed(name: string): Describable {
  const matches =
    extensionNamed(name) ??
    describables.find((candidate) =>
      candidate.kind === 'variable' ? matchesName(candidate, name) : candidate.name === name,
    );
  if (matches === undefined) throw unknownEndpoint('variable, method or file', name, describables);
  return matches;
}

function extensionNamed(name: string): Variable<unknown> | undefined {
  return name === storedSetName ? storedSet() : extensions.get(name);
}

function matchesName({ name, facts }: Variable<unknown>, searched: string): boolean {
  return name === searched || facts.aliases?.includes(searched) === true;
}

function throwForFile(name: string, searched: string): void {
  if (!allFiles.some((file) => file.name === name)) return;
  throw new CommandFailure(`${name} is a file, not a ${searched}: azimuth describe ${name}`);
}

function unknownEndpoint(kind: string, name: string, known: readonly Describable[]): CommandFailure {
  const suggestion = nearestName(
    name,
    known.map((endpoint) => endpoint.name),
  );
  return new CommandFailure(`there is no ${kind} "${name}"${hintFor(name, suggestion, known)}`);
}

function hintFor(name: string, suggestion: string | undefined, known: readonly Describable[]): string {
  if (name.startsWith('@')) return ': names of scanners stand in front of all other words';
  const [whole = '', ...parts] = name.split('.');
  if (parts.length > 0 && known.some((endpoint) => endpoint.name === whole)) {
    const part = parts.join('.');
    return `: ${part} is a part of ${whole}; read it with azimuth get ${whole}, write it with azimuth set ${whole} ${part}=VALUE`;
  }
  if (suggestion !== undefined) return `; did you mean ${suggestion}?`;
  const lower = name.toLowerCase();
  const similar = known.map((each) => each.name).filter((each) => each.toLowerCase().includes(lower));
  if (name.length < 3 || similar.length === 0) return '';
  return `; did you mean ${new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(similar.slice(0, 3))}?`;
}

/** Name of the stored parameters on a command line. */
const storedSetName = `${extensionPrefix}stored`;

let declared: Variable<unknown> | undefined;

/** Returns the stored parameters as one variable with a member for each. Made on demand: few commands need it. */
function storedSet(): Variable<unknown> {
  declared ??= group('Parameters', {
    stored: variable(struct(Object.fromEntries(allParameters.map(({ name, type }) => [name, type]))), {
      text: 'The stored parameters: the values after a power cut.',
    }),
  }).members.stored;
  return declared;
}
