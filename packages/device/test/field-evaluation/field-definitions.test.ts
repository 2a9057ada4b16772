import { extensions, type RequestOf } from '@azimuth/model';
import { describe, expect, test } from 'vitest';
import { contourOf, setContour } from '../../src/field-evaluation/field-definitions.js';
import { ahead, evaluation, FieldTestDevice, group } from './field-test-device.js';

const triangle = [
  { x: 0, y: 0 },
  { x: 900, y: 0 },
  { x: 0, y: 900 },
];
const contour = { EvaluationId: 2, Points: triangle, LowerZLimit: 0, UpperZLimit: 0 };

function testDevice() {
  const fieldTestDevice = new FieldTestDevice();
  fieldTestDevice.define(
    [evaluation({ Id: 1 }), evaluation({ Id: 2, Name: 'two' }), { Id: 3 }],
    [group(1, [2])],
  );
  return fieldTestDevice;
}

test('a contour is returned without limits of height; an evaluation without one has none', () => {
  const { parameters } = testDevice();
  expect(contourOf(parameters, 1)).toEqual([
    { EvaluationId: 1, Points: ahead, LowerZLimit: 0, UpperZLimit: 0 },
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
    evaluations: [evaluations[0], { ...evaluations[1], Points: triangle }, evaluations[2]],
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
    ['a lower limit of height', { LowerZLimit: -1 }, 3],
    ['an upper limit of height', { UpperZLimit: 1 }, 3],
    ['limits as wide as they can be', { LowerZLimit: -100_000, UpperZLimit: 100_000 }, 3],
  ])('%s: %j', (_, given, code) => {
    const { parameters } = testDevice();
    const before = parameters.read(extensions.members.fields);
    expect(setContour(parameters, { ...contour, ...given })).toBe(code);
    expect(parameters.read(extensions.members.fields)).toBe(before);
  });
});
