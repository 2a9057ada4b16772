import { extensions, fieldEvaluation, mountingPosition } from '@azimuth/model';
import type { Parameters } from '../parameters/parameters.js';
import { act, computed, type Room } from '../room.js';
import { contourOf, setContour } from './contours.js';
import type { FieldEvaluation } from './field-evaluation.js';
import type { TeachIn } from './teach-in.js';

const {
  FieldEvaluationResult,
  FieldEvaluationGroupState,
  EvaluationGroupType,
  ActivateEvaluationGroup,
  GetFieldEvaluationContour,
  SetFieldEvaluationContour,
  StartTeachIn,
  StopTeachIn,
} = fieldEvaluation.members;
const { fields } = extensions.members;

/** Fields: what is in them, what switches them, and their contours. */
export function fieldEvaluationRoom(
  evaluation: FieldEvaluation,
  teachIn: () => Promise<TeachIn>,
  parameters: Parameters,
): Room {
  return {
    heeds: [fields, mountingPosition.members.SensorPosition],
    computed: [
      computed(FieldEvaluationResult, () => evaluation.result),
      computed(FieldEvaluationGroupState, () => evaluation.groupStates),
      computed(EvaluationGroupType, () => evaluation.groupTypes, [fields]),
    ],
    acts: [
      act(ActivateEvaluationGroup, ({ List }) => ({ Success: evaluation.activate(List) })),
      act(GetFieldEvaluationContour, ({ EvaluationId }) => ({
        Contour: contourOf(parameters, EvaluationId),
      })),
      act(SetFieldEvaluationContour, (contour) => ({ ErrorCode: setContour(parameters, contour) })),
      act(StartTeachIn, async () => {
        (await teachIn()).start();
        return {};
      }),
      act(StopTeachIn, async () => {
        (await teachIn()).stop();
        return {};
      }),
    ],
  };
}
