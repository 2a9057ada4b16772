import {
  type Evaluation,
  type EvaluationGroup,
  EvaluationGroupType,
  evaluationSlots,
  extensions,
  type FieldDefinitions,
  GroupActivation,
  sameJson,
} from '@azimuth/model';
import { followsText, type Port } from '../ports/port-words.js';
import { movedBy } from './contour.js';

const { fields } = extensions.members;

/** mm by which a copy of a field lies beside the original. */
const copyOffset = 100;
/** Characters that a name may have. */
const longestName = 20;
const copySuffix = ' copy';

/** Fields and the ports that follow them: they are edited together. */
export interface Wired {
  readonly definitions: FieldDefinitions;
  /** Undefined until they are known. */
  readonly ports: readonly Port[] | undefined;
}

export function evaluationOf(definitions: FieldDefinitions, id: number): Evaluation | undefined {
  return definitions.evaluations.find(({ Id }) => Id === id);
}

export function groupOf(definitions: FieldDefinitions, id: number): EvaluationGroup | undefined {
  return definitions.groups.find(({ Id }) => Id === id);
}

/** The groups that switch an evaluation. */
export function groupsOf(definitions: FieldDefinitions, id: number): readonly EvaluationGroup[] {
  return definitions.groups.filter(({ Evaluations }) => Evaluations.includes(id));
}

/** The lowest number that no entry has; undefined if all are taken. */
export function freeId(entries: readonly { readonly Id: number }[]): number | undefined {
  for (let id = 1; id <= evaluationSlots; id++) if (!entries.some(({ Id }) => Id === id)) return id;
  return undefined;
}

/** Definitions with something new, which has this number. */
export interface Added {
  readonly definitions: FieldDefinitions;
  readonly id: number;
}

/** Changes members of an evaluation. If its type changes, it leaves the groups that evaluate the other type. */
export function withEvaluation(
  definitions: FieldDefinitions,
  id: number,
  changed: Partial<Omit<Evaluation, 'Id'>>,
): FieldDefinitions {
  const evaluations = definitions.evaluations.map((evaluation) =>
    evaluation.Id === id ? { ...evaluation, ...changed } : evaluation,
  );
  const before = evaluationOf(definitions, id);
  if (changed.Type === undefined || changed.Type === before?.Type) return { ...definitions, evaluations };
  return inSomeGroup({ ...withoutMember(definitions, id), evaluations }, id);
}

/**
 * Adds an evaluation with this contour and the lowest free number. It joins a group that is always active, so that the
 * scanner evaluates it.
 * @returns undefined if all numbers are in use
 */
export function withNewEvaluation(
  definitions: FieldDefinitions,
  given: Partial<Omit<Evaluation, 'Id'>>,
): Added | undefined {
  const id = freeId(definitions.evaluations);
  if (id === undefined) return undefined;
  const added = { Name: `field ${id}`, ...given, Id: id };
  const [evaluation] = fields.type.fromJson({ evaluations: [added], groups: [] }, fields.name).evaluations;
  if (evaluation === undefined) return undefined;
  const evaluations = [...definitions.evaluations, evaluation].toSorted(byId);
  return { definitions: inSomeGroup({ ...definitions, evaluations }, id), id };
}

/** Adds a copy beside the original, in the same groups. */
export function withCopy(definitions: FieldDefinitions, id: number): Added | undefined {
  const original = evaluationOf(definitions, id);
  const copyId = freeId(definitions.evaluations);
  if (original === undefined || copyId === undefined) return undefined;
  const copy: Evaluation = {
    ...original,
    Id: copyId,
    Name: `${original.Name.slice(0, longestName - copySuffix.length)}${copySuffix}`.trim(),
    Points: movedBy(original.Points, { x: copyOffset, y: copyOffset }),
  };
  return {
    id: copyId,
    definitions: {
      evaluations: [...definitions.evaluations, copy].toSorted(byId),
      groups: definitions.groups.map((group) =>
        group.Evaluations.includes(id) ? { ...group, Evaluations: [...group.Evaluations, copyId] } : group,
      ),
    },
  };
}

/** Removes an evaluation, from its groups too. */
export function withoutEvaluation(definitions: FieldDefinitions, id: number): FieldDefinitions {
  const evaluations = definitions.evaluations.filter(({ Id }) => Id !== id);
  return { ...withoutMember(definitions, id), evaluations };
}

export function withGroup(
  definitions: FieldDefinitions,
  id: number,
  changed: Partial<Omit<EvaluationGroup, 'Id'>>,
): FieldDefinitions {
  const groups = definitions.groups.map((group) => (group.Id === id ? { ...group, ...changed } : group));
  return { ...definitions, groups };
}

/**
 * Adds a group with the lowest free number.
 * @returns undefined if all numbers are in use
 */
export function withNewGroup(
  definitions: FieldDefinitions,
  given: Partial<Omit<EvaluationGroup, 'Id'>>,
): Added | undefined {
  const id = freeId(definitions.groups);
  if (id === undefined) return undefined;
  const added = { Name: `group ${id}`, Evaluations: [], ...given, Id: id };
  const { groups } = fields.type.fromJson({ evaluations: [], groups: [added] }, fields.name);
  return { id, definitions: { ...definitions, groups: [...definitions.groups, ...groups].toSorted(byId) } };
}

export function withoutGroup(definitions: FieldDefinitions, id: number): FieldDefinitions {
  return { ...definitions, groups: definitions.groups.filter(({ Id }) => Id !== id) };
}

export function withMembership(
  definitions: FieldDefinitions,
  group: number,
  evaluation: number,
  isMember: boolean,
): FieldDefinitions {
  const others = groupOf(definitions, group)?.Evaluations.filter((id) => id !== evaluation) ?? [];
  const Evaluations = isMember ? [...others, evaluation].toSorted((one, other) => one - other) : others;
  return withGroup(definitions, group, { Evaluations });
}

/** Type of evaluations that the members of a group have; undefined for an empty group. */
export function typeOfGroup(
  definitions: FieldDefinitions,
  { Evaluations: [first] }: EvaluationGroup,
): Evaluation['Type'] | undefined {
  return first === undefined ? undefined : evaluationOf(definitions, first)?.Type;
}

/** Puts an evaluation into a group that is always active, a new one if there is none for its type. */
function inSomeGroup(definitions: FieldDefinitions, id: number): FieldDefinitions {
  const type = evaluationOf(definitions, id)?.Type ?? EvaluationGroupType.FIELD_EVALUATION;
  const fitting = definitions.groups.find(
    (group) =>
      group.Activation.Type === GroupActivation.ALWAYS && (typeOfGroup(definitions, group) ?? type) === type,
  );
  if (fitting !== undefined) return withMembership(definitions, fitting.Id, id, true);
  return withNewGroup(definitions, { Evaluations: [id] })?.definitions ?? definitions;
}

function withoutMember(definitions: FieldDefinitions, id: number): FieldDefinitions {
  const groups = definitions.groups.map((group) =>
    group.Evaluations.includes(id)
      ? { ...group, Evaluations: group.Evaluations.filter((one) => one !== id) }
      : group,
  );
  return { ...definitions, groups };
}

function byId(one: { readonly Id: number }, other: { readonly Id: number }): number {
  return one.Id - other.Id;
}

type Entry = FieldDefinitions['evaluations'][number] | FieldDefinitions['groups'][number];

/** Change of one evaluation, one group or one port by a draft. */
export interface DraftChange {
  readonly of: 'evaluation' | 'group' | 'port';
  readonly id: number;
  readonly name: string;
  readonly kind: 'new' | 'changed' | 'deleted';
  /** The members that change, if it stays; of a port, what it follows. */
  readonly members: readonly string[];
}

/**
 * Returns the differences between the definitions of the scanner and a draft: evaluations first, then groups, by their
 * numbers.
 */
export function draftChanges(scanners: FieldDefinitions, draft: FieldDefinitions): readonly DraftChange[] {
  return [
    ...changesBetween('evaluation', scanners.evaluations, draft.evaluations),
    ...changesBetween('group', scanners.groups, draft.groups),
  ];
}

/** Returns the ports that a draft changes. Ports have the numbers from 1 on. */
export function portChanges(before: readonly Port[], after: readonly Port[]): readonly DraftChange[] {
  return after.flatMap((port, index): readonly DraftChange[] => {
    const old = before[index];
    if (old === undefined || sameJson(old, port)) return [];
    return [{ of: 'port', id: index + 1, name: port.Name, kind: 'changed', members: [followsText(port)] }];
  });
}

function changesBetween(
  of: 'evaluation' | 'group',
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

interface RefusalSubject {
  readonly of: 'evaluation' | 'group';
  readonly id: number;
  /** The wrong member; empty if the refusal names none. */
  readonly member: string;
}

/**
 * The evaluation or the group that a place names.
 * @param at as the scanner names it: `fields.evaluations[1].Points`
 */
export function subjectOf(definitions: FieldDefinitions, at: string): RefusalSubject | undefined {
  const [, list, index, member = ''] = /\b(evaluations|groups)\[(\d+)\]\.?(\w*)/.exec(at) ?? [];
  if (list !== 'evaluations' && list !== 'groups') return undefined;
  const entry = definitions[list][Number(index)];
  return entry && { of: list === 'groups' ? 'group' : 'evaluation', id: entry.Id, member };
}

/**
 * Returns a problem of a contour in the words of a page that numbers corners from 1.
 * @param reason as the scanner and the model say it: they count corners from 0
 */
export function spokenReason(reason: string): string {
  return reason.replaceAll(/(?:points )?\[(\d+)\]/g, (_, index: string) => `corner ${Number(index) + 1}`);
}
