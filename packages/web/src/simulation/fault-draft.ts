import { isObject } from '@azimuth/model';
import {
  checkedFault,
  expectationOf,
  type FaultKind,
  FaultPlanError,
  type Member,
  membersOf,
} from '@azimuth/model/faults';

/** Texts that were typed for the members of a fault, by name. */
export type FaultDraft = Readonly<Record<string, string>>;

/** Returns the planned fault, or the problem of what was typed. An empty text stands for the default. */
export function faultOf(
  kind: FaultKind,
  draft: FaultDraft,
): { readonly fault: object } | { readonly wrong: string } {
  const members = Object.entries(membersOf(kind)).flatMap(([name, member]) => {
    const typed = draft[name]?.trim() ?? '';
    return typed === '' ? [] : [[name, valueIn(member, typed)] as const];
  });
  const fault = { kind, ...Object.fromEntries(members) };
  try {
    checkedFault(fault);
    return { fault };
  } catch (error) {
    if (error instanceof FaultPlanError) return { wrong: error.message };
    throw error;
  }
}

/** Returns the value that was typed. If the text is not a value, it stays a text, and the check says what is expected. */
function valueIn(member: Member, typed: string): unknown {
  switch (member.type) {
    case 'number':
      return Number.isNaN(Number(typed)) ? typed : Number(typed);
    case 'choice':
      return member.choices.find((choice) => String(choice) === typed) ?? typed;
    case 'switch':
      return typed === 'true';
    case 'text':
      return typed;
  }
}

/** Placeholder of an input: the range, then the default. */
export function hintOf(member: Member): string {
  const usual = member.default === undefined ? '' : `; ${member.default} if it is empty`;
  return `${member.text.replaceAll('`', '')}: ${expectationOf(member)}${usual}`;
}

export interface FaultRow {
  readonly id: number;
  readonly kind: string;
  readonly state: string;
  readonly occasions: number;
  readonly times: number;
  /** Its members, except defaults. */
  readonly members: string;
}

/** Returns the planned faults in a response of the control port. */
export function faultRowsIn({ faults }: Readonly<Record<string, unknown>>): readonly FaultRow[] {
  if (!Array.isArray(faults)) return [];
  return faults.filter(isObject).map(({ id, state, occasions, times, fault }) => {
    const { kind, ...members } = isObject(fault) ? fault : {};
    return {
      id: Number(id),
      kind: String(kind),
      state: String(state),
      occasions: Number(occasions),
      times: Number(times),
      members: Object.entries(members)
        .map(([name, value]) => `${name} ${value}`)
        .join(', '),
    };
  });
}
