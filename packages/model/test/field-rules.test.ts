import { describe, expect, test } from 'vitest';
import { extensions, fieldRefusals, Refusal } from '../src/index.js';

const { fields } = extensions.members;
const line = [
  { x: 0, y: 0 },
  { x: 1000, y: 0 },
];
const inputs = (count: number) => Array.from({ length: count }, () => 2 as const);

const contour = [
  { x: 1000, y: -1000 },
  { x: 3000, y: -1000 },
  { x: 3000, y: 1000 },
  { x: 1000, y: 1000 },
];
const evaluation = (given: Readonly<Record<string, unknown>>) => ({ Points: contour, ...given });
const group = (Id: number, Evaluations: readonly number[], Activation: unknown = { Type: 1 }) => ({
  Id,
  Activation,
  Evaluations,
});

function faultOf(evaluations: readonly unknown[], groups: readonly unknown[] = []) {
  try {
    fields.valueFrom({ evaluations, groups });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return [error.status, error.at, error.reason];
  }
  return undefined;
}

describe('accepted are', () => {
  test.each([
    ['nothing at all', [], []],
    ['a field and its group', [evaluation({ Id: 1 })], [group(1, [1])]],
    ['a group with the number of an evaluation', [evaluation({ Id: 3 })], [group(3, [3])]],
    ['an evaluation without a contour', [{ Id: 1 }], [group(1, [1])]],
    ['no limits of height', [evaluation({ Id: 1, LowerZLimit: 0, UpperZLimit: 0 })], []],
    [
      'the widest limits of height, as older definitions have them',
      [evaluation({ Id: 1, LowerZLimit: -100_000, UpperZLimit: 100_000 })],
      [],
    ],
    ['8 inputs', [], [group(1, [], { Type: 2, Inputs: inputs(8) })]],
    ['a distance from a line', [evaluation({ Id: 1, Type: 1, ReferenceLine: line })], [group(1, [1])]],
    ['half a line of a field, which needs none', [evaluation({ Id: 1, ReferenceLine: line.slice(1) })], []],
  ])('%s', (_, evaluations, groups) => {
    expect(faultOf(evaluations, groups)).toBeUndefined();
  });
});

describe('refused are', () => {
  test.each([
    [
      'two evaluations of one number',
      [evaluation({ Id: 1 }), evaluation({ Id: 2 }), evaluation({ Id: 1 })],
      [],
      ['illegalValue', 'fields.evaluations[2].Id', 'there is already an evaluation 1'],
    ],
    [
      'two groups of one number',
      [],
      [group(4, []), group(4, [])],
      ['illegalValue', 'fields.groups[1].Id', 'there is already a group 4'],
    ],
    [
      'a contour of two points',
      [evaluation({ Id: 1, Points: contour.slice(2) })],
      [],
      ['outOfBounds', 'fields.evaluations[0].Points', 'expected at least 3 points, got 2'],
    ],
    [
      'a contour that crosses itself',
      [
        evaluation({ Id: 1 }),
        evaluation({ Id: 2, Points: [2, 0, 1, 3].map((at) => contour[at] ?? { x: 0, y: 0 }) }),
      ],
      [],
      ['illegalValue', 'fields.evaluations[1].Points', expect.stringContaining('touch or cross')],
    ],
    [
      'a contour without an area',
      [evaluation({ Id: 1, Points: [...line, { x: 500, y: 0 }] })],
      [],
      ['illegalValue', 'fields.evaluations[0].Points', expect.stringContaining('encloses no area')],
    ],
    [
      'a limit of height',
      [evaluation({ Id: 1, LowerZLimit: -7, UpperZLimit: 0 })],
      [],
      [
        'outOfRange',
        'fields.evaluations[0].LowerZLimit',
        'heights cannot be limited: expected 0 and 0, got -7 and 0',
      ],
    ],
    [
      'a distance from no line',
      [evaluation({ Id: 1, Type: 1 })],
      [],
      ['outOfBounds', 'fields.evaluations[0].ReferenceLine', expect.stringContaining('2 points, got 0')],
    ],
    [
      'a distance from half a line',
      [evaluation({ Id: 1, Type: 1, ReferenceLine: line.slice(1) })],
      [],
      ['outOfBounds', 'fields.evaluations[0].ReferenceLine', expect.stringContaining('2 points, got 1')],
    ],
    [
      'a distance from a line without a direction',
      [
        evaluation({
          Id: 1,
          Type: 1,
          ReferenceLine: [
            { x: 5, y: 6 },
            { x: 5, y: 6 },
          ],
        }),
      ],
      [],
      ['illegalValue', 'fields.evaluations[0].ReferenceLine', 'a line needs 2 different points'],
    ],
    [
      'a group of an evaluation that is not there',
      [evaluation({ Id: 1 })],
      [group(1, [1]), group(2, [1, 2])],
      ['illegalValue', 'fields.groups[1].Evaluations[1]', 'there is no evaluation 2'],
    ],
    [
      'a group that has an evaluation twice',
      [evaluation({ Id: 1 })],
      [group(1, [1, 1])],
      ['illegalValue', 'fields.groups[0].Evaluations[1]', 'evaluation 1 is already in this group'],
    ],
    [
      'a group of both types',
      [evaluation({ Id: 1 }), evaluation({ Id: 2, Type: 1, ReferenceLine: line })],
      [group(1, [1, 2])],
      ['illegalValue', 'fields.groups[0].Evaluations[1]', expect.stringContaining('not both')],
    ],
    [
      '7 inputs',
      [],
      [group(1, [], { Type: 2, Inputs: inputs(7) })],
      ['outOfBounds', 'fields.groups[0].Activation.Inputs', 'expected 0 or 8 items, got 7'],
    ],
  ])('%s, with the place', (_, evaluations, groups, fault) => {
    expect(faultOf(evaluations, groups)).toEqual(fault);
  });
});

test('a contour of more than 100 points is refused by its type', () => {
  const points = Array.from({ length: 101 }, (_, index) => ({ x: index, y: index * index }));
  expect(faultOf([evaluation({ Id: 1, Points: points })])?.slice(0, 2)).toEqual([
    'outOfBounds',
    'fields.evaluations[0].Points',
  ]);
});

test('all faults are found, in the order in which a scanner finds them', () => {
  const definitions = fields.type.fromJson(
    {
      evaluations: [evaluation({ Id: 1, LowerZLimit: 8, UpperZLimit: 7, Type: 1 })],
      groups: [group(2, [9])],
    },
    'fields',
  );
  expect([...fieldRefusals(definitions, 'draft')].map(({ at }) => at)).toEqual([
    'draft.evaluations[0].LowerZLimit',
    'draft.evaluations[0].ReferenceLine',
    'draft.groups[0].Evaluations[0]',
  ]);
});
