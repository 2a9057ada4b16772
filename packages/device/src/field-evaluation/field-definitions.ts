import {
  ContourError,
  contourProblem,
  extensions,
  fieldEvaluation,
  type RequestOf,
  type ResponseOf,
} from '@azimuth/model';
import { type Feature, method, Underway } from '../feature.js';
import type { Clock } from '../interfaces/environment.js';
import type { Measuring } from '../measuring/measuring.js';
import type { Parameters } from '../parameters/parameters.js';
import { TeachIn } from './teach-in.js';

const { GetFieldEvaluationContour, SetFieldEvaluationContour, StartTeachIn, StopTeachIn } =
  fieldEvaluation.members;

const { fields } = extensions.members;

/** Methods that read and change the contours of fields, and teach-in. */
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
    method(StopTeachIn, () => this.#teachIn.firstScan()?.then(() => this.#stop()) ?? this.#stop()),
  ];
  readonly #parameters: Parameters;
  readonly #teachIn: TeachIn;

  constructor(parameters: Parameters, measuring: Measuring, clock: Clock) {
    this.#parameters = parameters;
    this.#teachIn = new TeachIn(parameters, measuring, clock);
  }

  /** @throws Underway during a teach-in */
  remember(): () => void {
    if (this.#teachIn.isRunning) throw new Underway('a teach-in runs');
    return () => this.down();
  }

  /** Aborts a teach-in. */
  down(): void {
    this.#teachIn.end();
  }

  #stop(): ResponseOf<'StopTeachIn'> {
    this.#teachIn.stop();
    return {};
  }
}

type Contour = RequestOf<'SetFieldEvaluationContour'>;

/** The contour of an evaluation, in an array. The array is empty if the evaluation has no contour or does not exist. */
export function contourOf(
  parameters: Parameters,
  id: number,
): ResponseOf<'GetFieldEvaluationContour'>['Contour'] {
  const found = parameters.read(fields).evaluations.find(({ Id }) => Id === id);
  if (found === undefined || found.Points.length === 0) return [];
  return [{ EvaluationId: id, Points: found.Points, LowerZLimit: 0, UpperZLimit: 0 }];
}

/** Changes the contour of an evaluation. Returns the error code of SetFieldEvaluationContour. */
export function setContour(
  parameters: Parameters,
  { EvaluationId, Points, LowerZLimit, UpperZLimit }: Contour,
): ResponseOf<'SetFieldEvaluationContour'>['ErrorCode'] {
  const { evaluations, groups } = parameters.read(fields);
  if (!evaluations.some(({ Id }) => Id === EvaluationId)) return ContourError.SOPAS_ERR_INVALID_EVALUATION_ID;
  if (contourProblem(Points) !== undefined) return ContourError.SOPAS_ERR_INVALID_POLYGON;
  if (LowerZLimit !== 0 || UpperZLimit !== 0) return ContourError.SOPAS_ERR_INVALID_ZLIM;
  parameters.change((change) =>
    change.set(fields, {
      groups,
      evaluations: evaluations.map((evaluation) =>
        evaluation.Id === EvaluationId ? { ...evaluation, Points } : evaluation,
      ),
    }),
  );
  return ContourError.SOPAS_ERR_NO_ERR;
}
