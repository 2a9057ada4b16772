import {
  EvaluationGroupType,
  evaluationSlots,
  extensions,
  Fault,
  type FieldDefinitions,
  GroupActivation,
  mountingPosition,
} from '@azimuth/model';
import type { Measuring } from '../measuring/measuring.js';
import type { Parameters } from '../parameters/parameters.js';
import type { Point } from '../sight/point.js';
import { viewOf } from '../sight/view.js';
import { contourFault } from './contour-fault.js';
import { Surroundings } from './surroundings.js';
import { taughtContour } from './taught-contour.js';

const { fields } = extensions.members;
const { SensorPosition } = mountingPosition.members;

const name = 'TeachIn';

/** Makes fields of what the scanner sees between StartTeachIn and StopTeachIn. */
export class TeachIn {
  readonly #parameters: Parameters;
  readonly #surroundings: Surroundings;

  constructor(parameters: Parameters, measuring: Measuring) {
    this.#parameters = parameters;
    this.#surroundings = new Surroundings(measuring);
  }

  start(): void {
    this.#surroundings.start();
  }

  /**
   * Gives what was seen, less a margin, to every field that has no contour. Where there is none, it makes a field, in a
   * group that is always active. Does nothing where it was not learning.
   * @throws Fault 2 where nothing was seen, or nothing that makes a contour, or there is no number left for another field; then nothing has changed.
   */
  stop(): void {
    if (!this.#surroundings.learning) return;
    const contour = this.#contour();
    if (contour === undefined) throw nothing('nothing was seen since StartTeachIn: no field was made');
    // Whoever mounted the scanner on its side sent no contour that could be wrong.
    const fault = contourFault(contour);
    if (fault !== undefined) {
      throw nothing(
        `nothing usable was seen since StartTeachIn: no field was made. Seen from above, ${fault}`,
      );
    }
    const definitions = this.#parameters.read(fields);
    const filled = filledIn(definitions, contour) ?? withField(definitions, contour);
    // As one that came over a wire.
    const checked = fields.type.fromJson(filled, fields.name);
    this.#parameters.change((change) => change.set(fields, checked));
  }

  /** Forgets what it has learnt. */
  end(): void {
    this.#surroundings.stop();
  }

  #contour(): readonly Point[] | undefined {
    const seen = this.#surroundings.stop();
    if (seen === undefined) return undefined;
    const position = this.#parameters.has(SensorPosition)
      ? this.#parameters.read(SensorPosition)
      : SensorPosition.type.initial;
    return taughtContour(seen, viewOf(seen.geometry, position));
  }
}

/** Undefined where no field waits for a contour. */
function filledIn(definitions: FieldDefinitions, contour: readonly Point[]): unknown {
  const waits = ({ Type, Points }: FieldDefinitions['evaluations'][number]) =>
    Type === EvaluationGroupType.FIELD_EVALUATION && Points.length === 0;
  if (!definitions.evaluations.some(waits)) return undefined;
  return {
    ...definitions,
    evaluations: definitions.evaluations.map((evaluation) =>
      waits(evaluation) ? { ...evaluation, Points: contour } : evaluation,
    ),
  };
}

function withField({ evaluations, groups }: FieldDefinitions, contour: readonly Point[]): unknown {
  const id = freeId(evaluations);
  const group = freeId(groups);
  if (id === undefined || group === undefined) {
    throw nothing(
      `all ${evaluationSlots} evaluations or groups are in use, and no field is without a contour`,
    );
  }
  return {
    evaluations: [...evaluations, { Id: id, Name: name, Points: contour }],
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

function nothing(reason: string): Fault {
  return new Fault('invalidData', '', reason);
}
