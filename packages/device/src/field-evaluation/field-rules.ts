import {
  type Evaluation,
  type EvaluationGroup,
  EvaluationGroupType,
  extensions,
  Fault,
  type FieldDefinitions,
  portCount,
} from '@azimuth/model';
import type { Parameters } from '../parameters/parameters.js';
import { contourFault } from './contour-fault.js';

const { fields } = extensions.members;

/** Refuses a change after which the definitions of fields would make no sense. */
export function keepFieldsSound(parameters: Parameters): void {
  parameters.onChanging([fields], (change) => assertSound(change.read(fields)));
}

/**
 * What the types of the members leave open.
 * @throws Fault 6 for limits the wrong way round, 7 for a wrong number of points or inputs, 9 for anything else that
 * cannot be.
 */
function assertSound({ evaluations, groups }: FieldDefinitions): void {
  assertUnique(evaluations, 'fields.evaluations', 'an evaluation');
  assertUnique(groups, 'fields.groups', 'a group');
  for (const [index, evaluation] of evaluations.entries()) {
    assertEvaluation(evaluation, `fields.evaluations[${index}]`);
  }
  for (const [index, group] of groups.entries()) assertGroup(group, evaluations, `fields.groups[${index}]`);
}

function assertUnique(entries: readonly { readonly Id: number }[], at: string, what: string): void {
  const seen = new Set<number>();
  for (const [index, { Id }] of entries.entries()) {
    if (seen.has(Id)) throw new Fault('illegalValue', `${at}[${index}].Id`, `there is ${what} ${Id} already`);
    seen.add(Id);
  }
}

function assertEvaluation(evaluation: Evaluation, at: string): void {
  const { Type, Points, LowerZLimit, UpperZLimit } = evaluation;
  const fault = Points.length === 0 ? undefined : contourFault(Points);
  if (fault !== undefined) {
    throw new Fault(Points.length < 3 ? 'outOfBounds' : 'illegalValue', `${at}.Points`, fault);
  }
  if (LowerZLimit > UpperZLimit) {
    throw new Fault('outOfRange', `${at}.LowerZLimit`, `${LowerZLimit} is above UpperZLimit, ${UpperZLimit}`);
  }
  if (Type === EvaluationGroupType.PERPENDICULAR_DISTANCE) assertLine(evaluation, `${at}.ReferenceLine`);
}

function assertLine({ ReferenceLine }: Evaluation, at: string): void {
  const [from, to] = ReferenceLine;
  if (from === undefined || to === undefined) {
    throw new Fault(
      'outOfBounds',
      at,
      `a perpendicular distance needs a line of 2 points, ${ReferenceLine.length} came`,
    );
  }
  if (from.x === to.x && from.y === to.y)
    throw new Fault('illegalValue', at, 'a line needs 2 different points');
}

function assertGroup(group: EvaluationGroup, evaluations: readonly Evaluation[], at: string): void {
  const { length } = group.Activation.Inputs;
  if (length !== 0 && length !== portCount) {
    throw new Fault(
      'outOfBounds',
      `${at}.Activation.Inputs`,
      `0 or ${portCount} items expected, ${length} came`,
    );
  }
  let type: Evaluation['Type'] | undefined;
  for (const [index, id] of group.Evaluations.entries()) {
    const place = `${at}.Evaluations[${index}]`;
    const evaluation = evaluations.find(({ Id }) => Id === id);
    if (evaluation === undefined) throw new Fault('illegalValue', place, `there is no evaluation ${id}`);
    if (group.Evaluations.indexOf(id) !== index) {
      throw new Fault('illegalValue', place, `evaluation ${id} is in this group already`);
    }
    type ??= evaluation.Type;
    if (evaluation.Type !== type) {
      throw new Fault('illegalValue', place, 'a group evaluates fields or perpendicular distances, not both');
    }
  }
}
