import { array, FieldState, fieldEvaluation, float, integer, struct } from '@azimuth/model';
import { type Customary, customary } from './customary.js';
import { legacyBeams } from './output-range.js';

const { FieldEvaluationResult } = fieldEvaluation.members;

/** What a field was found to be: nothing is known, free, or infringed. */
const Result = { unknown: 0, free: 1, infringed: 2 } as const;

const resultOf: Readonly<Record<number, number>> = {
  [FieldState.FREE]: Result.free,
  [FieldState.DETECTING_INFRINGED]: Result.free,
  [FieldState.INFRINGED]: Result.infringed,
  [FieldState.DETECTING_FREE]: Result.infringed,
};

const fieldResult = struct({
  version: integer('uint16'),
  /** Counts from 0. */
  index: integer('uint8'),
  counter: integer('uint32'),
  distanceScale: float(),
  distanceOffset: float(),
  /** 1/10000 degree, as the next one. */
  angleScale: integer('uint32'),
  angleOffset: integer('int32'),
  result: integer('uint8'),
  reserved: array(integer('uint8'), { minItems: 6, maxItems: 6 }),
  hasTime: integer('uint16'),
});

/** LFErec: what the evaluations have come to that are configured; none on a scanner without fields. */
export const lfeRec: Customary = customary(array(fieldResult, { maxItems: 48 }), {
  from: [FieldEvaluationResult],
  read: (device) => {
    if (!FieldEvaluationResult.isIn(device.edition)) return [];
    const { EvaluationResultList } = device.read(FieldEvaluationResult);
    const { step, start } = legacyBeams(device.parameters);
    const scans = device.measuring.scans % 2 ** 32;
    return EvaluationResultList.flatMap(({ State }, index) => {
      if (State === FieldState.NOT_CONFIGURED) return [];
      return [
        {
          version: 1,
          index,
          counter: scans,
          distanceScale: 1,
          distanceOffset: 0,
          angleScale: step,
          angleOffset: start,
          result: resultOf[State] ?? Result.unknown,
          reserved: [0, 0, 0, 0, 0, 0],
          hasTime: 0,
        },
      ];
    });
  },
});
