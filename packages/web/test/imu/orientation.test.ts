import { expect, test } from 'vitest';
import {
  anglesOf,
  positionText,
  type Quaternion,
  turned,
  unitQuaternion,
} from '../../src/imu/orientation.js';
import { facesOf } from '../../src/imu/scanner-shape.js';

const half = Math.SQRT1_2;

/** A rotation by some degrees about one axis. */
function about(axis: 'x' | 'y' | 'z', degrees: number): Quaternion {
  const angle = (degrees * Math.PI) / 360;
  const sine = Math.sin(angle);
  return [Math.cos(angle), axis === 'x' ? sine : 0, axis === 'y' ? sine : 0, axis === 'z' ? sine : 0];
}

test.each([
  ['z', 'yaw', 30],
  ['y', 'pitch', -12],
  ['x', 'roll', 170],
] as const)('a rotation about %s is %s', (axis, name, degrees) => {
  const angles = anglesOf(about(axis, degrees));
  for (const other of ['yaw', 'pitch', 'roll'] as const) {
    expect(angles[other]).toBeCloseTo(other === name ? degrees : 0, 9);
  }
});

test('a scanner that looks straight down has a pitch of 90°, and no angle that is no number', () => {
  const angles = anglesOf([half, 0, half, 0]);
  expect(angles.pitch).toBeCloseTo(90, 5);
  expect(Object.values(angles).every(Number.isFinite)).toBe(true);
});

test('a positive pitch lets the front go down, a positive yaw turns it to the left', () => {
  expect(turned(about('y', 90), [1, 0, 0])[2]).toBeCloseTo(-1, 9);
  expect(turned(about('z', 90), [1, 0, 0])[1]).toBeCloseTo(1, 9);
  // With a positive roll, the left side goes up.
  expect(turned(about('x', 90), [0, 1, 0])[2]).toBeCloseTo(1, 9);
});

test('what is no rotation is none', () => {
  expect(unitQuaternion([])).toBeUndefined();
  expect(unitQuaternion([0, 0, 0, 0])).toBeUndefined();
  expect(unitQuaternion([1, 0, 0])).toBeUndefined();
  expect(unitQuaternion([Number.NaN, 0, 0, 0])).toBeUndefined();
  expect(unitQuaternion([2, 0, 0, 0])).toEqual([1, 0, 0, 0]);
});

test('the position is said in words', () => {
  expect(positionText({ yaw: 12.4, pitch: 0.2, roll: -3 })).toBe(
    'turned left by 12°, not tilted, leaning left by 3°',
  );
});

test('of the two ends of the scanner, the one towards the person is seen', () => {
  const caps = (orientation: Quaternion) =>
    facesOf(orientation)
      .filter(({ part }) => part === 'cap')
      .map(({ points }) => points);
  const [upright, onItsHead] = [caps([1, 0, 0, 0]), caps(about('x', 180))];
  expect(upright).toHaveLength(3);
  expect(onItsHead).toHaveLength(3);
  expect(upright).not.toEqual(onItsHead);
});
