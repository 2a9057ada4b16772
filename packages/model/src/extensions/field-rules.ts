import { contourProblem, fewestCorners } from '../contour.js';
import { isObject, Refusal } from '../envelope.js';
import { EvaluationGroupType } from '../groups/field-evaluation.js';
import { portCount } from '../groups/inputs-and-outputs.js';
import { furthestOffset } from '../groups/shared-types.js';
import type { Evaluation, EvaluationGroup, FieldDefinitions } from './field-definitions.js';

/**
 * Finds all mistakes in definitions of fields that the types of the members do not check, in the order in which a
 * scanner finds them: status 6 for limits of height, 7 for a wrong number of points or inputs, 9 for anything else.
 * @param at name of the definitions in the refusals
 */
export function* fieldRefusals(
  { evaluations, groups }: FieldDefinitions,
  at: string,
): Generator<Refusal, undefined> {
  yield* repeated(evaluations, `${at}.evaluations`, 'an evaluation');
  yield* repeated(groups, `${at}.groups`, 'a group');
  for (const [index, evaluation] of evaluations.entries()) {
    yield* evaluationRefusals(evaluation, `${at}.evaluations[${index}]`);
  }
  for (const [index, group] of groups.entries())
    yield* groupRefusals(group, evaluations, `${at}.groups[${index}]`);
  return undefined;
}

function* repeated(
  entries: readonly { readonly Id: number }[],
  at: string,
  what: string,
): Generator<Refusal> {
  const seen = new Set<number>();
  for (const [index, { Id }] of entries.entries()) {
    if (seen.has(Id))
      yield new Refusal('illegalValue', `${at}[${index}].Id`, `there is already ${what} ${Id}`);
    seen.add(Id);
  }
}

function* evaluationRefusals(evaluation: Evaluation, at: string): Generator<Refusal> {
  const { Type, Points, LowerZLimit, UpperZLimit } = evaluation;
  const problem = Points.length === 0 ? undefined : contourProblem(Points);
  if (problem !== undefined) {
    yield new Refusal(
      Points.length < fewestCorners ? 'outOfBounds' : 'illegalValue',
      `${at}.Points`,
      problem,
    );
  }
  if (!limitsNothing(LowerZLimit, UpperZLimit)) {
    const reason = `heights cannot be limited: expected 0 and 0, got ${LowerZLimit} and ${UpperZLimit}`;
    yield new Refusal('outOfRange', `${at}.LowerZLimit`, reason);
  }
  if (Type === EvaluationGroupType.PERPENDICULAR_DISTANCE)
    yield* lineRefusals(evaluation, `${at}.ReferenceLine`);
}

/**
 * Returns true if there is no limit: 0 and 0, or the widest limits, as in definitions that were made when heights still
 * had limits.
 */
function limitsNothing(lower: number, upper: number): boolean {
  return (lower === 0 && upper === 0) || (lower === -furthestOffset && upper === furthestOffset);
}

/** Removes the heights of definitions that were stored when heights had limits. Heights have no effect any more. */
export function withoutHeights(json: unknown): unknown {
  if (!isObject(json) || !Array.isArray(json.evaluations)) return json;
  const evaluations = json.evaluations.map((evaluation: unknown) =>
    isObject(evaluation) ? { ...evaluation, LowerZLimit: 0, UpperZLimit: 0 } : evaluation,
  );
  return { ...json, evaluations };
}

function* lineRefusals({ ReferenceLine }: Evaluation, at: string): Generator<Refusal> {
  const [from, to] = ReferenceLine;
  if (from === undefined || to === undefined) {
    yield new Refusal(
      'outOfBounds',
      at,
      `a perpendicular distance needs a line of 2 points, got ${ReferenceLine.length}`,
    );
  } else if (from.x === to.x && from.y === to.y) {
    yield new Refusal('illegalValue', at, 'a line needs 2 different points');
  }
}

function* groupRefusals(
  group: EvaluationGroup,
  evaluations: readonly Evaluation[],
  at: string,
): Generator<Refusal> {
  const { length } = group.Activation.Inputs;
  if (length !== 0 && length !== portCount) {
    yield new Refusal(
      'outOfBounds',
      `${at}.Activation.Inputs`,
      `expected 0 or ${portCount} items, got ${length}`,
    );
  }
  let type: Evaluation['Type'] | undefined;
  for (const [index, id] of group.Evaluations.entries()) {
    const place = `${at}.Evaluations[${index}]`;
    const evaluation = evaluations.find(({ Id }) => Id === id);
    if (evaluation === undefined) {
      yield new Refusal('illegalValue', place, `there is no evaluation ${id}`);
      continue;
    }
    if (group.Evaluations.indexOf(id) !== index) {
      yield new Refusal('illegalValue', place, `evaluation ${id} is already in this group`);
    }
    type ??= evaluation.Type;
    if (evaluation.Type !== type) {
      yield new Refusal(
        'illegalValue',
        place,
        'a group evaluates fields or perpendicular distances, not both',
      );
    }
  }
}
