import { Fault, jsonOfWords, type Shape, type ValueType } from '@azimuth/model';
import { CommandFailure } from './command-failure.js';
import { nearest } from './nearest.js';

const change = /^(?<member>\w+)=(?<value>.*)$/s;

/** Do the words change members of a struct (`Port=2116`), where the whole value would be JSON? */
export function areChanges(shape: Shape, words: readonly string[]): boolean {
  return shape.kind === 'struct' && words.length > 0 && words.every((word) => change.test(word));
}

/**
 * The value that words mean, in JSON or in its natural form, checked.
 * @throws Fault, as the scanner would refuse it.
 */
export function valueOfWords<T>(type: ValueType<T>, name: string, words: string): T {
  return type.fromJson(
    placed(name, () => jsonOfWords(type.shape, words)),
    name,
  );
}

/**
 * The members that words change, as JSON; the struct itself is to check them.
 * @throws CommandFailure for a member that the struct does not have, Fault for words that mean nothing.
 */
export function changesOfWords(
  shape: Shape,
  name: string,
  words: readonly string[],
): Record<string, unknown> {
  const members = shape.kind === 'struct' ? shape.members : {};
  const changes: Record<string, unknown> = {};
  for (const word of words) {
    const { member = '', value = '' } = change.exec(word)?.groups ?? {};
    const known = Object.hasOwn(members, member) ? members[member] : undefined;
    if (known === undefined) throw unknownMember(name, member, Object.keys(members));
    changes[member] = placed(`${name}.${member}`, () => jsonOfWords(known.shape, value));
  }
  return changes;
}

/** Words alone do not know where they stand: the place is put before what is wrong with them. */
function placed<T>(at: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (error instanceof Fault && error.at === '') throw new Fault(error.status, at, error.reason);
    throw error;
  }
}

function unknownMember(name: string, member: string, members: readonly string[]): CommandFailure {
  const meant = nearest(member, members);
  const question = meant === undefined ? '' : `; did you mean ${meant}?`;
  return new CommandFailure(`${name} has no member "${member}"${question}`);
}
