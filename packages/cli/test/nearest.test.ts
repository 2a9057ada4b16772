import { expect, test } from 'vitest';
import { editDistance, nearest } from '../src/nearest.js';

test.each([
  ['', '', 0],
  ['abc', '', 3],
  ['', 'abc', 3],
  ['kitten', 'sitting', 3],
  ['flaw', 'lawn', 2],
  ['same', 'same', 0],
])('from "%s" to "%s" it is %i', (one, other, changes) => {
  expect(editDistance(one, other)).toBe(changes);
});

const names = ['LocationName', 'DeviceStatus', 'OpHours'];

test('the nearest name is the one with the fewest letters changed, upper and lower case aside', () => {
  expect(nearest('locationname', names)).toBe('LocationName');
  expect(nearest('DeviceStats', names)).toBe('DeviceStatus');
  expect(nearest('ophour', names)).toBe('OpHours');
});

test('what is like none has no nearest', () => {
  expect(nearest('Frequency', names)).toBeUndefined();
  expect(nearest('x', names)).toBeUndefined();
});
