import type { Json } from '../../match/matcher.js';
import type { ConformanceCase } from '../case.js';
import { bowTie, define, distance, field, group, groupState } from './field-steps.js';

/** Definitions that `/x/fields` refuses, with their status. */
const refusals: readonly (readonly [id: string, what: string, Json[], Json[], status: number])[] = [
  ['id-0', 'the number 0', [field(0)], [], 6],
  ['id-49', 'the number 49', [field(49)], [], 6],
  ['id-twice', 'two evaluations with one number', [field(1), field(1)], [], 9],
  ['group-twice', 'two groups with one number', [field()], [group(1, [1]), group(1, [1])], 9],
  ['group-of-nothing', 'a group with an evaluation that is not there', [field()], [group(1, [2])], 9],
  ['mixed-group', 'a group of a field and a distance', [field(1), distance(2)], [group(1, [1, 2])], 9],
  ['in-group-twice', 'an evaluation twice in a group', [field()], [group(1, [1, 1])], 9],
  ['line-missing', 'a distance without a line', [distance(1, { ReferenceLine: [] })], [], 7],
  [
    'line-of-one-point',
    'a distance from a line of two equal points',
    [
      distance(1, {
        ReferenceLine: [
          { x: 0, y: 5 },
          { x: 0, y: 5 },
        ],
      }),
    ],
    [],
    9,
  ],
  ['name-long', 'a name of 21 characters', [field(1, { Name: 'x'.repeat(21) })], [], 7],
  ['size', 'a minimum object size of 5001 mm', [field(1, { MinimumObjectSize: 5001 })], [], 6],
  ['threshold', 'a threshold of 0 beams', [field(1, { InfringementThreshold: 0 })], [], 6],
  ['time', 'a time of 10001 ms', [field(1, { TimeForInfringedState: 10_001 })], [], 6],
  ['free-time', 'a time of 0 ms until FREE', [field(1, { TimeForFreeState: 0 })], [], 6],
  ['height', 'a limit of height', [field(1, { UpperZLimit: 5 })], [], 6],
  ['crossing', 'sides that cross', [field(1, { Points: bowTie })], [], 9],
  [
    'two-corners',
    'two corners',
    [
      field(1, {
        Points: [
          { x: 1, y: 1 },
          { x: 2, y: 2 },
        ],
      }),
    ],
    [],
    7,
  ],
  [
    'seven-inputs',
    'seven inputs of an activation',
    [field()],
    [group(1, [1], { Type: 2, Inputs: [2, 2, 2, 2, 2, 2, 2] })],
    7,
  ],
];

/** Definitions that are refused as a whole. */
export const refusalCases: readonly ConformanceCase[] = refusals.map(
  ([id, what, evaluations, groupsOf, status]): ConformanceCase => ({
    level: 'should',
    stage: 'write',
    id: `field.refused-${id}`,
    clause: `Definitions of fields with ${what} are refused with status ${status}, as a whole.`,
    place: 'Azimuth: fields',
    names: ['FieldEvaluationResult'],
    steps: [define([field(5)], [group(5, [5])]), define(evaluations, groupsOf, status), groupState(5, 1)],
  }),
);
