import {
  checkedFault,
  expectationOf,
  type FaultKind,
  FaultPlanError,
  type Member,
  membersOf,
} from '@azimuth/model/faults';
import { Option } from 'commander';
import { CommandFailure } from '../command-failure.js';
import { millisecondsIn } from './durations.js';

/** The options of a kind of fault, one for each member. */
export function faultOptions(kind: FaultKind): readonly Option[] {
  return Object.entries(membersOf(kind)).map(([name, member]) => {
    const flag = `--${flagOf(name)}`;
    const usual = member.usual === undefined ? '' : ` (default: ${member.usual})`;
    const text = `${member.text.replaceAll('`', '')}: ${expectationOf(member)}${usual}`;
    return new Option(member.type === 'switch' ? flag : `${flag} <${placeholderOf(member)}>`, text);
  });
}

function flagOf(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function placeholderOf(member: Member): string {
  if (member.type === 'number') return member.unit === 'ms' ? 'time' : 'number';
  return member.type === 'choice' ? 'choice' : 'text';
}

/**
 * The fault that options mean, checked.
 * @param options as commander hands them over
 * @throws CommandFailure
 */
export function givenFault(kind: FaultKind, options: Readonly<Record<string, unknown>>): object {
  const members = Object.entries(membersOf(kind)).flatMap(([name, member]) => {
    const typed = options[name];
    return typed === undefined ? [] : [[name, parsed(member, typed)] as const];
  });
  try {
    return checkedFault({ kind, ...Object.fromEntries(members) });
  } catch (error) {
    if (error instanceof FaultPlanError) throw new CommandFailure(`--${error.message}`);
    throw error;
  }
}

/** The value that was typed; as it is if it is no value of the member: the check says what is expected. */
function parsed(member: Member, typed: unknown): unknown {
  if (typeof typed !== 'string') return typed;
  if (member.type === 'number' && member.unit === 'ms') return millisecondsIn(typed) ?? typed;
  if (member.type === 'number' && /^[+-]?(\d+\.?\d*|\.\d+)$/.test(typed)) return Number(typed);
  if (member.type === 'choice') return member.choices.find((choice) => String(choice) === typed) ?? typed;
  return typed;
}
