import {
  allParameters,
  builtInInterface,
  type Endpoint,
  extensionPrefix,
  type FileEndpoint,
  group,
  type KnownInterface,
  type Method,
  type NamedVariable,
  struct,
  type Variable,
  variable,
} from '@azimuth/model';
import { nearestName } from '@azimuth/wording';
import { CommandFailure } from '../command-failure.js';

/** A variable, method or file. */
export type Describable = Endpoint | FileEndpoint;

/** A name that is not known. A scanner may know it: it describes its own names. */
export class UnknownName extends CommandFailure {
  /** @param hint a text that follows the message; empty if nothing is probably meant */
  constructor(
    message: string,
    readonly hint: string,
  ) {
    super(message + hint);
  }
}

/** Returns the variable of a name or an alias. @throws UnknownName with the nearest name if there is none. */
export function variableNamed(name: string, known = builtInInterface): Variable<unknown> {
  const variable = name === storedSetName ? storedSet() : known.variable(name);
  if (variable !== undefined) return variable;
  if (known.method(name) !== undefined) {
    throw new CommandFailure(`${name} is a method, not a variable: azimuth call ${name}`);
  }
  throwForFile(name, 'variable', known);
  throw unknownEndpoint('variable', name, known.variables);
}

/** True for a pattern of names, such as `Ether*`. */
export function isPattern(name: string): boolean {
  return /[*?]/.test(name);
}

/**
 * Returns the variables that match a pattern, in any case of letters. `*` stands for any letters, `?` for one.
 * @throws CommandFailure if there is none
 */
export function variablesMatching(pattern: string, { named } = builtInInterface): readonly NamedVariable[] {
  const parts = [...pattern].map((letter) => wildcards.get(letter) ?? letter.replace(/[^\w/]/, '\\$&'));
  const expression = new RegExp(`^${parts.join('')}$`, 'i');
  const matches = named.filter(({ name }) => expression.test(name));
  if (matches.length === 0)
    throw new UnknownName(`no variable matches "${pattern}"`, ': azimuth search WORD');
  return matches;
}

const wildcards: ReadonlyMap<string, string> = new Map([
  ['*', '.*'],
  ['?', '.'],
]);

/** Returns the event of a name. @throws UnknownName with the nearest name if there is none. */
export function eventNamed(name: string, known = builtInInterface): Variable<unknown> {
  const event = known.events.find((candidate) => candidate.name === name);
  if (event !== undefined) return event;
  if (known.variable(name) !== undefined && !name.startsWith(extensionPrefix)) {
    throw new CommandFailure(`${name} is not an event; read it with: azimuth get ${name}`);
  }
  throw unknownEndpoint('event', name, known.events);
}

/** Returns the method of a name. @throws UnknownName with the nearest name if there is none. */
export function methodNamed(name: string, known = builtInInterface): Method<unknown, unknown> {
  const method = known.method(name);
  if (method !== undefined) return method;
  if (known.variable(name) !== undefined && !name.startsWith(extensionPrefix)) {
    throw new CommandFailure(`${name} is a variable, not a method: azimuth get ${name}`);
  }
  throwForFile(name, 'method', known);
  throw unknownEndpoint('method', name, known.methods);
}

/** Returns the variable, method or file of a name. @throws UnknownName with the nearest name if there is none. */
export function describableNamed(name: string, known = builtInInterface): Describable {
  if (name === storedSetName) return storedSet();
  const found = known.endpoint(name) ?? known.files.find((file) => file.name === name);
  if (found !== undefined) return found;
  const { variables, methods, files } = known;
  throw unknownEndpoint('variable, method or file', name, [...variables, ...methods, ...files]);
}

function throwForFile(name: string, searched: string, { files }: KnownInterface): void {
  if (!files.some((file) => file.name === name)) return;
  throw new CommandFailure(`${name} is a file, not a ${searched}: azimuth describe ${name}`);
}

function unknownEndpoint(kind: string, name: string, known: readonly Describable[]): UnknownName {
  const suggestion = nearestName(
    name,
    known.map((endpoint) => endpoint.name),
  );
  return new UnknownName(`there is no ${kind} "${name}"`, hintFor(name, suggestion, known));
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
