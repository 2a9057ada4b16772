import {
  type Evaluation,
  type FieldDefinitions,
  GroupActivation,
  isFrom,
  mostActiveEvaluations,
  type Release,
  sameJson,
} from '@azimuth/model';
import {
  evaluationOf,
  freeId,
  groupsOf,
  typeOfGroup,
  withEvaluation,
  withMembership,
  withNewGroup,
  withoutEvaluation,
} from './draft.js';
import type { Definable } from './scanner-fields.js';

/** Fate of a field of the target that has the number of a copied one. */
export type Conflict = 'replace' | 'add';

/** Changes on a scanner by a copy. */
export interface CopyPlan {
  readonly definitions: FieldDefinitions;
  /** Fields with the numbers that they get. */
  readonly added: readonly string[];
  /** Fields of the target that are replaced, with the names that they have there. */
  readonly replaced: readonly string[];
  /** Fields that have no place. */
  readonly left: readonly string[];
  readonly newGroups: number;
}

/** Copies fields with everything that is set for them, and the way in which they are switched on. */
export function copyPlan(
  source: FieldDefinitions,
  target: FieldDefinitions,
  ids: readonly number[],
  conflict: Conflict,
): CopyPlan {
  let definitions = target;
  const [added, replaced, left]: [string[], string[], string[]] = [[], [], []];
  for (const id of ids) {
    const copied = evaluationOf(source, id);
    if (copied === undefined) continue;
    const known = evaluationOf(definitions, id);
    const place = known === undefined || conflict === 'replace' ? id : freeId(definitions.evaluations);
    if (place === undefined) {
      left.push(textOf(copied, id));
      continue;
    }
    if (place === id && known !== undefined) replaced.push(textOf(known, id));
    else added.push(textOf(copied, place));
    definitions = withCopied(definitions, { ...copied, Id: place });
    definitions = inGroupsLike(definitions, place, source, id);
  }
  const newGroups = definitions.groups.length - target.groups.length;
  return { definitions, added, replaced, left, newGroups };
}

/** Returns why fields cannot be copied between two scanners; undefined if they can. */
export function whyNoCopy(
  source: Definable,
  target: Definable,
  nameOf: (side: 'source' | 'target') => string,
): string | undefined {
  if (source === 'unknown' || target === 'unknown') {
    return `Reading the fields of ${nameOf(source === 'unknown' ? 'source' : 'target')} …`;
  }
  if (source !== 'all') return `${nameOf('source')} tells no client what its fields are.`;
  if (target === 'all') return undefined;
  return `${nameOf('target')} lets no client make fields. At most, contours of fields that are there already can be replaced.`;
}

/** Says what a scanner does with so many fields; undefined if nothing speaks against it. */
export function tooManyActive(
  definitions: FieldDefinitions,
  release: Release | undefined,
): string | undefined {
  const { count, from } = mostActiveEvaluations;
  if (release === undefined || !isFrom(release, from)) return undefined;
  const always = definitions.groups.filter(({ Activation }) => Activation.Type === GroupActivation.ALWAYS);
  const active = definitions.evaluations.filter(
    ({ Id, Points }) => Points.length > 0 && always.some(({ Evaluations }) => Evaluations.includes(Id)),
  );
  if (active.length <= count) return undefined;
  return `${active.length} fields would be active at the same time. From release ${from} on, a scanner evaluates none of them if there are more than ${count}.`;
}

function textOf({ Name }: Evaluation, id: number): string {
  return `${id} ${Name}`.trim();
}

function withCopied(definitions: FieldDefinitions, copied: Evaluation): FieldDefinitions {
  const { Id, ...members } = copied;
  // Groups of the evaluation that it replaces do not switch it any more.
  const others = withoutEvaluation(definitions, Id);
  const evaluations = [...others.evaluations, copied].toSorted((one, other) => one.Id - other.Id);
  return withEvaluation({ ...others, evaluations }, Id, members);
}

/** Puts an evaluation into groups that are switched like those of the original. Such a group is made if there is none. */
function inGroupsLike(
  definitions: FieldDefinitions,
  id: number,
  source: FieldDefinitions,
  original: number,
): FieldDefinitions {
  const type = evaluationOf(definitions, id)?.Type;
  return groupsOf(source, original).reduce((now, { Name, Activation }) => {
    const fitting = now.groups.find(
      (group) => sameJson(group.Activation, Activation) && (typeOfGroup(now, group) ?? type) === type,
    );
    if (fitting !== undefined) return withMembership(now, fitting.Id, id, true);
    return withNewGroup(now, { Name, Activation, Evaluations: [id] })?.definitions ?? now;
  }, definitions);
}
