import { expect, test } from 'vitest';
import { editDistance, nearestName } from '../src/nearest-name.js';

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
  expect(nearestName('locationname', names)).toBe('LocationName');
  expect(nearestName('DeviceStats', names)).toBe('DeviceStatus');
  expect(nearestName('ophour', names)).toBe('OpHours');
});

test('a name that resembles no other has no nearest name', () => {
  expect(nearestName('Frequency', names)).toBeUndefined();
  expect(nearestName('x', names)).toBeUndefined();
  expect(nearestName('x', ['t', 'y'])).toBeUndefined();
  expect(nearestName('a'.repeat(1_000_000), names)).toBeUndefined();
});
