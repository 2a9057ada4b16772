import type { FieldDefinitions } from '@azimuth/model';

/** What a fault is about. */
export interface FaultSubject {
  readonly of: 'evaluation' | 'group';
  readonly id: number;
  /** The member that is wrong; empty if it is no single one. */
  readonly member: string;
}

/**
 * The evaluation or the group that a place names.
 * @param at as the scanner names it: `fields.evaluations[1].Points`
 */
export function subjectOf(definitions: FieldDefinitions, at: string): FaultSubject | undefined {
  const [, list, index, member = ''] = /\b(evaluations|groups)\[(\d+)\]\.?(\w*)/.exec(at) ?? [];
  if (list !== 'evaluations' && list !== 'groups') return undefined;
  const entry = definitions[list][Number(index)];
  return entry && { of: list === 'groups' ? 'group' : 'evaluation', id: entry.Id, member };
}
