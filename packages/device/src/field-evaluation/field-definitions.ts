import { ContourError, extensions, fieldEvaluation, type RequestOf, type ResponseOf } from '@azimuth/model';
import { type Feature, method } from '../feature.js';
import { Later } from '../later.js';
import type { Measuring } from '../measuring/measuring.js';
import type { Parameters } from '../parameters/parameters.js';
import { contourFault } from './contour-fault.js';
import { keepFieldsSound } from './field-rules.js';
import type { TeachIn } from './teach-in.js';

const { GetFieldEvaluationContour, SetFieldEvaluationContour, StartTeachIn, StopTeachIn } =
  fieldEvaluation.members;

/** Loaded when somebody teaches fields in, so that a scanner starts without it. */
const teachIn = new Later(async () => (await import('./teach-in.js')).TeachIn);

/** What changes the definitions of fields: their contours, sent or taught in. */
export class FieldDefinitions implements Feature {
  readonly methods = [
    method(GetFieldEvaluationContour, ({ EvaluationId }) => ({
      Contour: contourOf(this.#parameters, EvaluationId),
    })),
    method(SetFieldEvaluationContour, (contour) => ({ ErrorCode: setContour(this.#parameters, contour) })),
    method(StartTeachIn, async () => {
      (await this.#teaching()).start();
      return {};
    }),
    method(StopTeachIn, async () => {
      (await this.#teaching()).stop();
      return {};
    }),
  ];
  readonly #parameters: Parameters;
  readonly #measuring: Measuring;
  #teachIn: TeachIn | undefined;

  constructor(parameters: Parameters, measuring: Measuring) {
    this.#parameters = parameters;
    this.#measuring = measuring;
    keepFieldsSound(parameters);
  }

  /** Forgets what is being taught in. */
  down(): void {
    this.#teachIn?.end();
  }

  async #teaching(): Promise<TeachIn> {
    const Teaching = await teachIn.loaded();
    this.#teachIn ??= new Teaching(this.#parameters, this.#measuring);
    return this.#teachIn;
  }
}

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
