import {
  EvaluationGroupState,
  extensions,
  FieldState,
  fieldEvaluation,
  mostActiveEvaluations,
} from '@azimuth/model';
import { type Check, problem, type Verdict, verdictOf } from '../check.js';
import type { Observation } from '../observation.js';

const { FieldEvaluationResult, FieldEvaluationGroupState } = fieldEvaluation.members;
const { fields } = extensions.members;

const { count: most, from } = mostActiveEvaluations;

export const fieldsCheck: Check = {
  name: 'fields',
  about: `whether more than ${most} fields are active`,
  reads: [FieldEvaluationResult, FieldEvaluationGroupState, fields],
  look,
};

function look(seen: Observation): Verdict {
  if (seen.lacks(FieldEvaluationResult)) return { absent: 'this scanner has no fields' };
  const result = seen.value(FieldEvaluationResult);
  if (result === undefined) return { unseen: seen.whyUnknown(FieldEvaluationResult) };
  const evaluated = result.EvaluationResultList.filter(
    ({ State }) => State !== FieldState.NOT_CONFIGURED && State !== FieldState.INACTIVE,
  ).length;
  const active = Math.max(evaluated, switchedOn(seen));
  return verdictOf(
    active > most && seen.isFrom(from)
      ? [
          problem(
            `${active} fields are active, and more than ${most} stop the detection of objects`,
            `switch groups of fields off, until ${most} or fewer are active: docs/fields.md`,
          ),
        ]
      : [],
    `${active} active`,
  );
}

/**
 * How many evaluations with a contour are in active groups; 0 if the scanner does not tell. Of a scanner whose detection has
 * stopped, the results do not say so: all are inactive.
 */
function switchedOn(seen: Observation): number {
  const definitions = seen.value(fields);
  const states = seen.value(FieldEvaluationGroupState);
  if (definitions === undefined || states === undefined) return 0;
  const active = new Set(
    definitions.groups
      .filter(({ Id }) => states[Id - 1] === EvaluationGroupState.ACTIVE)
      .flatMap(({ Evaluations }) => Evaluations),
  );
  return definitions.evaluations.filter(({ Id, Points }) => active.has(Id) && Points.length > 0).length;
}
