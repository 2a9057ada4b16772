import type { Variable } from '@azimuth/model';
import { attempt, mayNow } from '../connection/acts.js';
import type { ScannerLink } from '../connection/scanner-link.js';
import type { StoredParameters } from '../connection/stored-parameters.js';
import { changesTo } from '../forms/differences.js';
import { confirmed, tellFailure } from '../parts/dialogs.js';

/** Filter of the parameters on the page. The first three words stand in its address. */
export type Kind = 'unsaved' | 'changed' | 'read-only' | 'all';

interface Wanted {
  readonly kind: Kind;
  /** The variable or the group that the address names; empty if it names none. */
  readonly target: string;
}

/** Reads the filter from the part of the address behind the page: `unsaved`, a variable, a group. */
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

type Stored = Pick<StoredParameters, 'state' | 'unsaved'>;

/** Returns the reason why it is not known what is unsaved. */
export function unknownWords({ state }: Pick<Stored, 'state'>): string {
  return state.value === 'unavailable'
    ? 'This scanner does not tell which ones there are.'
    : 'Which ones there are is still being compared.';
}

/** Returns the text in place of an empty list of unsaved parameters. */
export function savedWords(stored: Stored): string {
  if (stored.unsaved.value !== undefined) return 'Everything is saved.';
  return stored.state.value === 'unavailable'
    ? 'This scanner does not tell what is unsaved.'
    : 'Comparing with the stored parameters …';
}

export type Busy = Parameters<typeof attempt>[0];

/** Writes the stored values again. */
export async function discardAll(link: ScannerLink, busy: Busy): Promise<void> {
  if (!(await mayNow('AuthorizedClient'))) return;
  const unsaved = link.stored.unsaved.peek();
  if (unsaved === undefined) {
    tellFailure(`Unsaved changes cannot be discarded now. ${unknownWords(link.stored)}`);
    return;
  }
  const stored = ({ name }: { readonly name: string }) => link.stored.valueOf(name);
  const lines = changesTo(
    link.known
      .peek()
      .parameters.map(({ variable }) => variable)
      .filter(({ name }) => unsaved.includes(name)),
    ({ name }) => link.value(name),
    stored,
  );
  if (!(await confirmed({ title: 'Discard all unsaved changes?', lines, act: 'Discard all' }))) return;
  await attempt(busy, 'AuthorizedClient', async () => {
    for (const name of unsaved) await link.write(name, link.stored.valueOf(name));
  });
}
