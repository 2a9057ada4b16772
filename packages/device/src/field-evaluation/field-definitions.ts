import { fieldEvaluation } from '@azimuth/model';
import { type Feature, method } from '../feature.js';
import { Later } from '../later.js';
import type { Measuring } from '../measuring/measuring.js';
import type { Parameters } from '../parameters/parameters.js';
import { contourOf, setContour } from './contours.js';
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
