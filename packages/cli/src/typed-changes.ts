import { isObject, nearestName, parseInput, type Shape } from '@azimuth/model';
import { CommandFailure } from './command-failure.js';
import { placed } from './typed-words.js';

/** One part of a value that is to be replaced: by members of structs and indices of lists, from the outside in. */
export interface Change {
  readonly path: readonly (string | number)[];
  readonly json: unknown;
}

const change = /^(?<path>\w+(?:\.\w+)*)=(?<words>.*)$/s;

/** Do the words change parts of a value (`Port=2116`, `0.Name=Gate`), where the whole value would be JSON? */
export function areChanges(shape: Shape, words: readonly string[]): boolean {
  // A list of texts is left alone: `a=b` may well be one of them.
  const hasParts = shape.kind === 'struct' || (shape.kind === 'array' && shape.of.kind !== 'string');
  return hasParts && words.length > 0 && words.every((word) => change.test(word));
}

/**
 * What the words change, as JSON; the value as a whole is to check them.
 * @throws CommandFailure for a part that the value cannot have, Fault for words that mean nothing.
 */
export function changesOfWords(shape: Shape, name: string, words: readonly string[]): Change[] {
  return words.map((word) => {
    const { path = '', words: value = '' } = change.exec(word)?.groups ?? {};
    const steps: (string | number)[] = [];
    let at = name;
    let part = shape;
    for (const typed of path.split('.')) {
      const found = partNamed(part, at, typed);
      steps.push(found.step);
      at = placeOf(at, found.step);
      part = found.shape;
    }
    return { path: steps, json: placed(at, () => parseInput(part, value)) };
  });
}

/**
 * A value with the changes made in it; structs that are missing are begun.
 * @throws CommandFailure for an item that a list does not have.
 */
export function changed(json: unknown, name: string, changes: readonly Change[]): unknown {
  return changes.reduce((before, { path, json: part }) => replaced(before, name, path, part), json);
}

function replaced(json: unknown, at: string, path: Change['path'], part: unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return part;
  if (typeof step === 'string') {
    const members = isObject(json) ? json : {};
    return { ...members, [step]: replaced(members[step], placeOf(at, step), rest, part) };
  }
  const items: readonly unknown[] = Array.isArray(json) ? json : [];
  if (step >= items.length) throw new CommandFailure(`${at} has no item ${step}: ${counted(items.length)}`);
  return items.with(step, replaced(items[step], placeOf(at, step), rest, part));
}

function partNamed(shape: Shape, at: string, typed: string): { step: string | number; shape: Shape } {
  if (shape.kind === 'array') {
    if (/^\d+$/.test(typed)) return { step: Number(typed), shape: shape.of };
    throw new CommandFailure(`${at} is a list: the number of an item expected, "${typed}" came`);
  }
  if (shape.kind !== 'struct') throw new CommandFailure(`${at} has no members`);
  const member = Object.hasOwn(shape.members, typed) ? shape.members[typed] : undefined;
  if (member !== undefined) return { step: typed, shape: member.shape };
  const meant = nearestName(typed, Object.keys(shape.members));
  const question = meant === undefined ? '' : `; did you mean ${meant}?`;
  throw new CommandFailure(`${at} has no member "${typed}"${question}`);
}

function placeOf(at: string, step: string | number): string {
  return typeof step === 'number' ? `${at}[${step}]` : `${at}.${step}`;
}

function counted(items: number): string {
  if (items === 0) return 'it is empty';
  return items === 1 ? '0 is the only one' : `0 to ${items - 1} are there`;
}
