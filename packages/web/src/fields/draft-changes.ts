import { type FieldDefinitions, sameJson } from '@azimuth/model';

type Entry = FieldDefinitions['evaluations'][number] | FieldDefinitions['groups'][number];

/** What sending a draft does to one evaluation or one group. */
export interface DraftChange {
  readonly of: 'evaluation' | 'group';
  readonly id: number;
  readonly name: string;
  readonly kind: 'new' | 'changed' | 'deleted';
  /** The members that change, of one that stays. */
  readonly members: readonly string[];
}

/** What differs between the definitions of the scanner and a draft: evaluations first, then groups, by their numbers. */
export function draftChanges(scanners: FieldDefinitions, draft: FieldDefinitions): readonly DraftChange[] {
  return [
    ...changesBetween('evaluation', scanners.evaluations, draft.evaluations),
    ...changesBetween('group', scanners.groups, draft.groups),
  ];
}

function changesBetween(
  of: DraftChange['of'],
  before: readonly Entry[],
  after: readonly Entry[],
): readonly DraftChange[] {
  const ids = [...new Set([...before, ...after].map(({ Id }) => Id))].toSorted((one, other) => one - other);
  return ids.flatMap((id): readonly DraftChange[] => {
    const old = before.find(({ Id }) => Id === id);
    const now = after.find(({ Id }) => Id === id);
    if (old === undefined) return [{ of, id, name: now?.Name ?? '', kind: 'new', members: [] }];
    if (now === undefined) return [{ of, id, name: old.Name, kind: 'deleted', members: [] }];
    const members = differingMembers(old, now);
    return members.length === 0 ? [] : [{ of, id, name: now.Name, kind: 'changed', members }];
  });
}

function differingMembers(old: Entry, now: Entry): readonly string[] {
  const before: Readonly<Record<string, unknown>> = { ...old };
  const after: Readonly<Record<string, unknown>> = { ...now };
  return Object.keys(after).filter((name) => !sameJson(before[name], after[name]));
}
