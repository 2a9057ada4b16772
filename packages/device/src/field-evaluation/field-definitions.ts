import {
  ContourError,
  type Evaluation,
  type EvaluationGroup,
  EvaluationGroupType,
  extensions,
  Fault,
  type FieldDefinitions,
  fieldEvaluation,
  portCount,
  type RequestOf,
  type ResponseOf,
} from '@azimuth/model';
import { contourFault } from '../contours/contour.js';
import { type Feature, method } from '../feature.js';
import type { Measuring } from '../measuring/measuring.js';
import type { Parameters } from '../parameters/parameters.js';
import { TeachIn } from './teach-in.js';

const { GetFieldEvaluationContour, SetFieldEvaluationContour, StartTeachIn, StopTeachIn } =
  fieldEvaluation.members;

const { fields } = extensions.members;

/** The methods that read and change the contours of fields, and teach-in. */
export class FieldContours implements Feature {
  readonly methods = [
    method(GetFieldEvaluationContour, ({ EvaluationId }) => ({
      Contour: contourOf(this.#parameters, EvaluationId),
    })),
    method(SetFieldEvaluationContour, (contour) => ({ ErrorCode: setContour(this.#parameters, contour) })),
    method(StartTeachIn, () => {
      this.#teachIn.start();
      return {};
    }),
    method(StopTeachIn, () => {
      this.#teachIn.stop();
      return {};
    }),
  ];
  readonly #parameters: Parameters;
  readonly #teachIn: TeachIn;

  constructor(parameters: Parameters, measuring: Measuring) {
    this.#parameters = parameters;
    this.#teachIn = new TeachIn(parameters, measuring);
    validateFields(parameters);
  }

  /** Aborts a teach-in. */
  down(): void {
    this.#teachIn.end();
  }
}

type Contour = RequestOf<'SetFieldEvaluationContour'>;

/** The contour of an evaluation, in an array; empty if it has none, or if there is no such evaluation. */
export function contourOf(
  parameters: Parameters,
  id: number,
): ResponseOf<'GetFieldEvaluationContour'>['Contour'] {
  const found = parameters.read(fields).evaluations.find(({ Id }) => Id === id);
  if (found === undefined || found.Points.length === 0) return [];
  const { Points, LowerZLimit, UpperZLimit } = found;
  return [{ EvaluationId: id, Points, LowerZLimit, UpperZLimit }];
}

/** Changes the contour of an evaluation. Returns the error code of SetFieldEvaluationContour. */
export function setContour(
  parameters: Parameters,
  { EvaluationId, Points, LowerZLimit, UpperZLimit }: Contour,
): ResponseOf<'SetFieldEvaluationContour'>['ErrorCode'] {
  const { evaluations, groups } = parameters.read(fields);
  if (!evaluations.some(({ Id }) => Id === EvaluationId)) return ContourError.SOPAS_ERR_INVALID_EVALUATION_ID;
  if (contourFault(Points) !== undefined) return ContourError.SOPAS_ERR_INVALID_POLYGON;
  if (LowerZLimit > UpperZLimit) return ContourError.SOPAS_ERR_INVALID_ZLIM;
  parameters.change((change) =>
    change.set(fields, {
      groups,
      evaluations: evaluations.map((evaluation) =>
        evaluation.Id === EvaluationId ? { ...evaluation, Points, LowerZLimit, UpperZLimit } : evaluation,
      ),
    }),
  );
  return ContourError.SOPAS_ERR_NO_ERR;
}

/** Refuses changes after which the definitions of fields would be invalid. */
export function validateFields(parameters: Parameters): void {
  parameters.onChanging([fields], (change) => assertValid(change.read(fields)));
}

/**
 * Checks what the types of the members cannot.
 * @throws Fault 6 for a lower limit above the upper one, 7 for a wrong number of points or inputs, 9 for anything else
 * that is invalid
 */
function assertValid({ evaluations, groups }: FieldDefinitions): void {
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
    if (seen.has(Id)) throw new Fault('illegalValue', `${at}[${index}].Id`, `there is already ${what} ${Id}`);
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
      `a perpendicular distance needs a line of 2 points, got ${ReferenceLine.length}`,
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
      `expected 0 or ${portCount} items, got ${length}`,
    );
  }
  let type: Evaluation['Type'] | undefined;
  for (const [index, id] of group.Evaluations.entries()) {
    const place = `${at}.Evaluations[${index}]`;
    const evaluation = evaluations.find(({ Id }) => Id === id);
    if (evaluation === undefined) throw new Fault('illegalValue', place, `there is no evaluation ${id}`);
    if (group.Evaluations.indexOf(id) !== index) {
      throw new Fault('illegalValue', place, `evaluation ${id} is already in this group`);
    }
    type ??= evaluation.Type;
    if (evaluation.Type !== type) {
      throw new Fault('illegalValue', place, 'a group evaluates fields or perpendicular distances, not both');
    }
  }
}
