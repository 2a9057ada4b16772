import { extensions } from '@azimuth/model';
import { expect, test } from 'vitest';
import { areaAt } from '../../src/fields/contour.js';
import { subjectOf } from '../../src/fields/draft.js';

const square = (size: number) => [
  { x: 0, y: 0 },
  { x: size, y: 0 },
  { x: size, y: size },
  { x: 0, y: size },
];
const definitions = extensions.members.fields.type.fromJson(
  {
    evaluations: [
      { Id: 7, Points: square(1000) },
      { Id: 9, Points: square(500) },
      { Id: 11, Points: square(2000) },
    ],
    groups: [{ Id: 4, Evaluations: [7] }],
  },
  'fields',
);

test('a fault is about the evaluation or the group that its place names, and a member of it', () => {
  expect(subjectOf(definitions, 'fields.evaluations[1].Points')).toEqual({
    ...{ of: 'evaluation', id: 9, member: 'Points' },
  });
  expect(subjectOf(definitions, 'fields.groups[0]')).toEqual({ of: 'group', id: 4, member: '' });
  expect(subjectOf(definitions, 'fields.evaluations[3].Points')).toBeUndefined();
  expect(subjectOf(definitions, 'fields')).toBeUndefined();
});

test('a press chooses the smallest area there, and the next larger one each time, around', () => {
  const inside = { x: 100, y: 100 };
  const at = (selected?: number) => areaAt(definitions.evaluations, inside, selected)?.Id;
  expect([at(), at(9), at(7), at(11), at(99)]).toEqual([9, 7, 11, 9, 9]);
  expect(areaAt(definitions.evaluations, { x: 1500, y: 100 }, 9)?.Id).toBe(11);
  expect(areaAt(definitions.evaluations, { x: -5, y: 100 }, 9)).toBeUndefined();
});
