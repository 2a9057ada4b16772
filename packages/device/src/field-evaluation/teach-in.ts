import {
  contourProblem,
  type Evaluation,
  EvaluationGroupType,
  evaluationSlots,
  extensions,
  type FieldDefinitions,
  GroupActivation,
  type Point,
  Refusal,
  type TeachInSettings,
} from '@azimuth/model';
import type { Clock } from '../interfaces/environment.js';
import type { Measuring } from '../measuring/measuring.js';
import type { Parameters } from '../parameters/parameters.js';
import { type NearestByBeam, NearestEchoes } from './nearest-echoes.js';
import { referenceContour, taughtContour } from './taught-contours.js';

const { fields, teachIn } = extensions.members;

/** Name of a field and a group that teach-in creates. */
const name = 'TeachIn';

/** Creates fields from the measurements between StartTeachIn and StopTeachIn. */
export class TeachIn {
  readonly #parameters: Parameters;
  readonly #nearest: NearestEchoes;
  /** Settings at the start of the running teach-in. */
  #settings: TeachInSettings = teachIn.type.initial;

  constructor(parameters: Parameters, measuring: Measuring, clock: Clock) {
    this.#parameters = parameters;
    this.#nearest = new NearestEchoes(measuring, clock);
  }

  start(): void {
    this.#settings = this.#parameters.read(teachIn);
    this.#nearest.start(this.#settings.MinimumTime);
  }

  /** Resolves when the first echoes have come, for a stop right after the start. Undefined if none are expected. */
  firstScan(): Promise<void> | undefined {
    return this.#nearest.firstScan();
  }

  /**
   * Gives the measured contour to every field without a contour. The contour is the free area up to the echoes. If the
   * contour is a reference, it is a band around the echoes. If there is no such field, creates one in a group that is
   * always active. Does nothing if no teach-in was started.
   * @throws Refusal 2 if no echo lasted for long enough, a beam had no valid values, no valid contour is possible, or
   * no number is left for another field; then nothing has changed
   */
  stop(): void {
    if (!this.#nearest.running) return;
    const found = this.#nearestEchoes();
    const definitions = this.#parameters.read(fields);
    const contourOf = (evaluation: Pick<Evaluation, 'ContourAsReference'>) =>
      this.#contour(found, evaluation);
    const filled = withContours(definitions, contourOf) ?? withField(definitions, contourOf);
    // Same checks as for definitions from a client.
    const checked = fields.valueFrom(filled);
    this.#parameters.change((change) => change.set(fields, checked));
  }

  get isRunning(): boolean {
    return this.#nearest.running;
  }

  /** Discards the measurements. */
  end(): void {
    this.#nearest.stop();
  }

  #nearestEchoes(): NearestByBeam {
    const found = this.#nearest.stop();
    if (found === undefined) throw noField('nothing was seen since StartTeachIn: no field was made');
    const { MinimumTime } = this.#settings;
    if (found.duration < MinimumTime) {
      throw noField(`teach-in has to last for MinimumTime, ${MinimumTime} ms: no field was made`);
    }
    const unknown = found.nearest.filter((distance) => Number.isNaN(distance)).length;
    if (unknown > 0) {
      throw noField(`${unknown} beams had no valid values since StartTeachIn: no field was made`);
    }
    return found;
  }

  #contour(
    found: NearestByBeam,
    { ContourAsReference }: Pick<Evaluation, 'ContourAsReference'>,
  ): readonly Point[] {
    const contour = ContourAsReference
      ? referenceContour(found, this.#settings)
      : taughtContour(found, this.#settings.DistanceInFront);
    if (contour === undefined) throw noField('nothing was seen since StartTeachIn: no field was made');
    // Echoes can lie beyond the largest distance of a contour.
    const problem = contourProblem(contour);
    if (problem !== undefined) {
      throw noField(`nothing usable was seen since StartTeachIn: no field was made, because ${problem}`);
    }
    return contour;
  }
}

/** Creates the contour for a field. */
type ContourOf = (evaluation: Pick<Evaluation, 'ContourAsReference'>) => readonly Point[];

/** The definitions, with a contour for every field without one. Undefined if there is no such field. */
function withContours(definitions: FieldDefinitions, contourOf: ContourOf): unknown {
  const isEmpty = ({ Type, Points }: FieldDefinitions['evaluations'][number]) =>
    Type === EvaluationGroupType.FIELD_EVALUATION && Points.length === 0;
  if (!definitions.evaluations.some(isEmpty)) return undefined;
  return {
    ...definitions,
    evaluations: definitions.evaluations.map((evaluation) =>
      isEmpty(evaluation) ? { ...evaluation, Points: contourOf(evaluation) } : evaluation,
    ),
  };
}

/** The definitions with a new field in a group that is always active. */
function withField({ evaluations, groups }: FieldDefinitions, contourOf: ContourOf): unknown {
  const id = freeId(evaluations);
  const group = freeId(groups);
  if (id === undefined || group === undefined) {
    throw noField(
      `all ${evaluationSlots} evaluations or groups are in use, and no field is without a contour`,
    );
  }
  return {
    evaluations: [...evaluations, { Id: id, Name: name, Points: contourOf({ ContourAsReference: false }) }],
    groups: [
      ...groups,
      { Id: group, Name: name, Activation: { Type: GroupActivation.ALWAYS }, Evaluations: [id] },
    ],
  };
}

function freeId(entries: readonly { readonly Id: number }[]): number | undefined {
  for (let id = 1; id <= evaluationSlots; id++) if (!entries.some(({ Id }) => Id === id)) return id;
  return undefined;
}

function noField(reason: string): Refusal {
  return new Refusal('invalidData', '', reason);
}
