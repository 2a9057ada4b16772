import {
  type EvaluationGroupState,
  fieldEvaluation,
  type Point,
  perpendicularDistance,
  type ValueOf,
} from '@azimuth/model';
import { typed } from '../connection/known-value.js';
import type { FieldStateNumber } from '../live/field-words.js';

const { FieldEvaluationResult, FieldEvaluationGroupState } = fieldEvaluation.members;
const { perpendicularDistanceResult } = perpendicularDistance.members;

type GroupStateNumber = (typeof EvaluationGroupState)[keyof typeof EvaluationGroupState];
export type DistanceResult = ValueOf<'perpendicularDistanceResult'>['evaluations'][number];

/** What the scanner says of one field. */
export interface FieldResult {
  readonly state: FieldStateNumber;
  /** Where the nearest object in it is, in mm in the coordinates of the machine. */
  readonly position: Point | undefined;
}

/** The results of all fields by their numbers. @param value of FieldEvaluationResult */
export function fieldResults(value: unknown): ReadonlyMap<number, FieldResult> {
  const result = typed(FieldEvaluationResult, value);
  return new Map(
    result?.EvaluationResultList.map(({ State, Positions: [position] }, index) => [
      index + 1,
      { state: State, position },
    ]),
  );
}

/** The states of all groups by their numbers. @param value of FieldEvaluationGroupState */
export function groupStates(value: unknown): ReadonlyMap<number, GroupStateNumber> {
  return new Map(typed(FieldEvaluationGroupState, value)?.map((state, index) => [index + 1, state]));
}

/** The distances by the numbers of their evaluations. @param value of perpendicularDistanceResult */
export function distanceResults(value: unknown): ReadonlyMap<number, DistanceResult> {
  const result = typed(perpendicularDistanceResult, value);
  return new Map(result?.evaluations.map((evaluation) => [evaluation.evaluationId, evaluation]));
}
