import { array, FieldState, fieldEvaluation, float, integer, struct } from '@azimuth/model';
import { type LegacyName, legacyVariable, type Scanner } from './legacy-name.js';
import { legacyBeams } from './output-range.js';

const { FieldEvaluationResult } = fieldEvaluation.members;

/** The results of LFErec. */
const ResultCode = { unknown: 0, free: 1, infringed: 2 } as const;

const resultOf: Readonly<Record<number, number>> = {
  [FieldState.FREE]: ResultCode.free,
  [FieldState.DETECTING_INFRINGED]: ResultCode.free,
  [FieldState.INFRINGED]: ResultCode.infringed,
  [FieldState.DETECTING_FREE]: ResultCode.infringed,
};

const fieldResult = struct({
  version: integer('uint16'),
  /** Counts from 1, as evaluations do; drivers subtract 1. */
  index: integer('uint8'),
  /** µs since the scanner came up, modulo 2^32. */
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

/** At least so many results are sent: drivers take an empty list for an error. */
const fewest = 3;

interface Result {
  /** The number of the evaluation. */
  readonly index: number;
  readonly result: number;
}

/** The results of the evaluations that are configured, and of the first three, configured or not. */
function resultsOf(device: Scanner): readonly Result[] {
  const states = FieldEvaluationResult.isIn(device.edition)
    ? device.read(FieldEvaluationResult).EvaluationResultList.map(({ State }) => State)
    : [];
  return Array.from({ length: Math.max(states.length, fewest) }, (_, at) => ({
    index: at + 1,
    state: states[at] ?? FieldState.NOT_CONFIGURED,
  }))
    .filter(({ index, state }) => index <= fewest || state !== FieldState.NOT_CONFIGURED)
    .map(({ index, state }) => ({ index, result: resultOf[state] ?? ResultCode.unknown }));
}

/**
 * LFErec: the results of the evaluations. There is an event when a result has changed; counters, which change with every
 * scan, are no event.
 */
export const lfeRec: LegacyName = legacyVariable(array(fieldResult, { maxItems: 48 }), {
  from: [FieldEvaluationResult],
  eventPart: (device) =>
    resultsOf(device)
      .map(({ index, result }) => `${index}:${result}`)
      .join(),
  read: (device) => {
    const { step, start } = legacyBeams(device.parameters);
    const counter = Math.floor(device.features.measuring.microseconds()) % 2 ** 32;
    return resultsOf(device).map(({ index, result }) => ({
      version: 1,
      index,
      counter,
      distanceScale: 1,
      distanceOffset: 0,
      angleScale: step,
      angleOffset: start,
      result,
      reserved: [0, 0, 0, 0, 0, 0],
      hasTime: 0,
    }));
  },
});
