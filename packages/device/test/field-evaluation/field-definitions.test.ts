import { extensions, Fault, type RequestOf } from '@azimuth/model';
import { describe, expect, test } from 'vitest';
import { contourOf, setContour } from '../../src/field-evaluation/field-definitions.js';
import { ahead, evaluation, FieldTestDevice, group } from './field-test-device.js';

const triangle = [
  { x: 0, y: 0 },
  { x: 900, y: 0 },
  { x: 0, y: 900 },
];
const contour = { EvaluationId: 2, Points: triangle, LowerZLimit: -5, UpperZLimit: 5 };

function testDevice() {
  const fieldTestDevice = new FieldTestDevice();
  fieldTestDevice.define(
    [evaluation({ Id: 1, LowerZLimit: -1, UpperZLimit: 1 }), evaluation({ Id: 2, Name: 'two' }), { Id: 3 }],
    [group(1, [2])],
  );
  return fieldTestDevice;
}

test('a contour is returned with its limits; an evaluation without one has none', () => {
  const { parameters } = testDevice();
  expect(contourOf(parameters, 1)).toEqual([
    { EvaluationId: 1, Points: ahead, LowerZLimit: -1, UpperZLimit: 1 },
  ]);
  expect(contourOf(parameters, 3)).toEqual([]);
  expect(contourOf(parameters, 4)).toEqual([]);
});

test('a new contour leaves everything else as it was, and is a working value only', () => {
  const { parameters } = testDevice();
  const { evaluations, groups } = parameters.read(extensions.members.fields);
  expect(setContour(parameters, contour)).toBe(0);
  expect(contourOf(parameters, 2)).toEqual([contour]);
  expect(parameters.read(extensions.members.fields)).toEqual({
    groups,
    evaluations: [
      evaluations[0],
      { ...evaluations[1], Points: triangle, LowerZLimit: -5, UpperZLimit: 5 },
      evaluations[2],
    ],
  });
  expect(parameters.stored(extensions.members.fields).evaluations).toEqual([]);
});

test('an evaluation gets its first contour', () => {
  const { parameters } = testDevice();
  expect(setContour(parameters, { ...contour, EvaluationId: 3 })).toBe(0);
  expect(contourOf(parameters, 3)).toEqual([{ ...contour, EvaluationId: 3 }]);
});

describe('refused, with nothing changed,', () => {
  const far = [{ x: 120_001, y: 0 }, ...triangle.slice(1)];
  test.each<[string, Partial<RequestOf<'SetFieldEvaluationContour'>>, number]>([
    ['an evaluation that is not there', { EvaluationId: 4 }, 1],
    ['evaluation 0', { EvaluationId: 0, Points: [], LowerZLimit: 9 }, 1],
    ['no points', { Points: [], LowerZLimit: 9 }, 2],
    ['two points', { Points: triangle.slice(1) }, 2],
    ['points of one line', { Points: [...triangle.slice(0, 2), { x: 450, y: 0 }] }, 2],
    ['sides that cross', { Points: [...triangle, { x: 900, y: 900 }] }, 2],
    ['a corner too far away', { Points: far }, 2],
    ['limits the wrong way round', { LowerZLimit: 6 }, 3],
  ])('%s: %j', (_, given, code) => {
    const { parameters } = testDevice();
    const before = parameters.read(extensions.members.fields);
    expect(setContour(parameters, { ...contour, ...given })).toBe(code);
    expect(parameters.read(extensions.members.fields)).toBe(before);
  });

  test('limits that are the same are not the wrong way round', () => {
    expect(setContour(testDevice().parameters, { ...contour, LowerZLimit: 5 })).toBe(0);
  });
});

const { fields } = extensions.members;
const line = [
  { x: 0, y: 0 },
  { x: 1000, y: 0 },
];
const inputs = (count: number) => Array.from({ length: count }, () => 2 as const);

function faultOf(evaluations: readonly unknown[], groups: readonly unknown[] = []) {
  const testDevice = new FieldTestDevice();
  testDevice.define([evaluation({ Id: 5 })], []);
  try {
    testDevice.define(evaluations, groups);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    expect(testDevice.definitions.evaluations.map(({ Id }) => Id)).toEqual([5]);
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
    ['limits of the same height', [evaluation({ Id: 1, LowerZLimit: 7, UpperZLimit: 7 })], []],
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
      [evaluation({ Id: 1, Points: ahead.slice(2) })],
      [],
      ['outOfBounds', 'fields.evaluations[0].Points', 'expected at least 3 points, got 2'],
    ],
    [
      'a contour that crosses itself',
      [
        evaluation({ Id: 1 }),
        evaluation({ Id: 2, Points: [2, 0, 1, 3].map((at) => ahead[at] ?? { x: 0, y: 0 }) }),
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
      'limits the wrong way round',
      [evaluation({ Id: 1, LowerZLimit: 8, UpperZLimit: 7 })],
      [],
      ['outOfRange', 'fields.evaluations[0].LowerZLimit', '8 is above UpperZLimit, 7'],
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

test('a restore is asked by the same rules', () => {
  const testDevice = new FieldTestDevice();
  const value = fields.type.fromJson({ evaluations: [], groups: [group(1, [9])] }, 'fields');
  expect(() => testDevice.parameters.assertAllowed({ fields: value })).toThrow('there is no evaluation 9');
});
