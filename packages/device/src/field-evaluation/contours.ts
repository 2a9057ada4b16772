import { ContourError, extensions, type RequestOf, type ResponseOf } from '@azimuth/model';
import type { Parameters } from '../parameters/parameters.js';
import { contourFault } from './contour-fault.js';

const { fields } = extensions.members;

type Contour = RequestOf<'SetFieldEvaluationContour'>;

/** The contour of an evaluation; none where it has none, or there is no such evaluation. */
export function contourOf(
  parameters: Parameters,
  id: number,
): ResponseOf<'GetFieldEvaluationContour'>['Contour'] {
  const found = parameters.read(fields).evaluations.find(({ Id }) => Id === id);
  if (found === undefined || found.Points.length === 0) return [];
  const { Points, LowerZLimit, UpperZLimit } = found;
  return [{ EvaluationId: id, Points, LowerZLimit, UpperZLimit }];
}

/** Gives an evaluation another contour, or says why not. What else it has stays. */
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
