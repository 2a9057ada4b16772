import { isObject, parseInput, Refusal, type Shape, type ValueType } from '@azimuth/model';
import { nearestName } from '@azimuth/wording';
import { CommandFailure } from '../command-failure.js';

/**
 * Parses and checks a value from words, in JSON or in its natural form.
 * @throws Refusal, as the scanner would refuse it.
 */
export function parseValue<T>(type: ValueType<T>, name: string, words: string): T {
  return type.fromJson(
    withLocation(name, () => parseInput(type.shape, words)),
    name,
  );
}

/** Adds the path of the value to an error of typed text. */
function withLocation<T>(at: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (error instanceof Refusal && error.at === '') throw new Refusal(error.status, at, error.reason);
    throw error;
  }
}

/** A replaced part of a value. Its path has members of structs and indices of lists, from the outside in. */
export interface Change {
  readonly path: readonly (string | number)[];
  readonly json: unknown;
}

const change = /^(?<path>\w+(?:\.\w+)*)=(?<words>.*)$/s;

/** True if the words change parts of a value (`Port=2116`, `0.Name=Gate`). */
export function areChanges(shape: Shape, words: readonly string[]): boolean {
  // A list of texts is not a change of parts: `a=b` may be one of them.
  const hasParts = shape.kind === 'struct' || (shape.kind === 'array' && shape.of.kind !== 'string');
  return hasParts && words.length > 0 && words.every((word) => change.test(word));
}

/**
 * Parses the changes in the words, as JSON. They are checked later, with the whole value.
 * @throws CommandFailure for a part that the value cannot have, Refusal for invalid words.
 */
export function parseChanges(shape: Shape, name: string, words: readonly string[]): Change[] {
  return words.map((word) => {
    const { path = '', words: value = '' } = change.exec(word)?.groups ?? {};
    const steps: (string | number)[] = [];
    let at = name;
    let part = shape;
    for (const typed of path.split('.')) {
      const child = partNamed(part, at, typed);
      steps.push(child.step);
      at = memberPath(at, child.step);
      part = child.shape;
    }
    return { path: steps, json: withLocation(at, () => parseInput(part, value)) };
  });
}

/**
 * Makes the changes in a value. Missing structs are created.
 * @throws CommandFailure for an item that a list does not have.
 */
export function applyChanges(json: unknown, name: string, changes: readonly Change[]): unknown {
  return changes.reduce((before, { path, json: part }) => replaced(before, name, path, part), json);
}

function replaced(json: unknown, at: string, path: Change['path'], part: unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return part;
  if (typeof step === 'string') {
    const members = isObject(json) ? json : {};
    return { ...members, [step]: replaced(members[step], memberPath(at, step), rest, part) };
  }
  const items: readonly unknown[] = Array.isArray(json) ? json : [];
  if (step >= items.length) throw new CommandFailure(`${at} has no item ${step}: ${counted(items.length)}`);
  return items.with(step, replaced(items[step], memberPath(at, step), rest, part));
}

function partNamed(shape: Shape, at: string, typed: string): { step: string | number; shape: Shape } {
  if (shape.kind === 'array') {
    if (/^\d+$/.test(typed)) return { step: Number(typed), shape: shape.of };
    throw new CommandFailure(`${at} is a list: expected the number of an item, got "${typed}"`);
  }
  if (shape.kind !== 'struct') throw new CommandFailure(`${at} has no members`);
  const member = Object.hasOwn(shape.members, typed) ? shape.members[typed] : undefined;
  if (member !== undefined) return { step: typed, shape: member.shape };
  const suggestion = nearestName(typed, Object.keys(shape.members));
  const question = suggestion === undefined ? '' : `; did you mean ${suggestion}?`;
  throw new CommandFailure(`${at} has no member "${typed}"${question}`);
}

function memberPath(at: string, step: string | number): string {
  return typeof step === 'number' ? `${at}[${step}]` : `${at}.${step}`;
}

function counted(items: number): string {
  if (items === 0) return 'it is empty';
  return items === 1 ? '0 is the only one' : `the items are 0 to ${items - 1}`;
}
