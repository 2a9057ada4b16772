import type { Variable } from '@azimuth/model';

/** Which parameters the page lists. The first three words stand in its address. */
export type Kind = 'unsaved' | 'changed' | 'read-only' | 'all';

export interface Wanted {
  readonly kind: Kind;
  /** The variable or the group that the address names; empty if it names none. */
  readonly target: string;
}

/** What is asked for by the part of the address behind the page: `unsaved`, a variable, a group. */
export function wantedBy(rest: string, variables: readonly Variable<unknown>[]): Wanted {
  if (rest === 'unsaved' || rest === 'changed' || rest === 'read-only') return { kind: rest, target: '' };
  const named = variables.find(({ name }) => name === rest);
  return { kind: named?.stored === false ? 'read-only' : 'all', target: rest };
}

export interface Group {
  readonly name: string;
  readonly variables: readonly Variable<unknown>[];
}

/** The variables group by group, in their order. */
export function grouped(variables: readonly Variable<unknown>[]): readonly Group[] {
  const groups = new Map<string, Variable<unknown>[]>();
  for (const variable of variables) {
    const group = groups.get(variable.group);
    if (group === undefined) groups.set(variable.group, [variable]);
    else group.push(variable);
  }
  return [...groups].map(([name, members]) => ({ name, variables: members }));
}
