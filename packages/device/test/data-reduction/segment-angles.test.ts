import { azimuthCodesOf } from '@azimuth/telegrams/encode';
import { expect, test } from 'vitest';
import { anglesOf } from '../../src/data-reduction/segment-angles.js';
import { fan } from '../filter/hand-made-scan.js';

const geometry = fan(6, { firstAngle: -3, frequency: 50 });

test('scanners with the same beams share their angles', () => {
  const beams = Int32Array.of(0, 2, 4);
  const angles = anglesOf(geometry, beams);
  expect(anglesOf({ ...geometry, frequency: 25 }, beams.slice())).toBe(angles);
  expect(anglesOf(geometry, Int32Array.of(0, 2, 5))).not.toBe(angles);
  expect(anglesOf(geometry, Int32Array.of(0, 2))).not.toBe(angles);
  expect(anglesOf({ ...geometry, firstAngle: -2 }, beams)).not.toBe(angles);
  expect(anglesOf({ ...geometry, step: 2 }, beams)).not.toBe(angles);
});

test('angles are right after many other ones', () => {
  for (let firstAngle = 0; firstAngle < 200; firstAngle++)
    anglesOf({ ...geometry, firstAngle }, Int32Array.of(1));
  const { outputBeams, azimuth, azimuthCodes } = anglesOf(geometry, Int32Array.of(1, 3));
  expect([...outputBeams]).toEqual([1, 3]);
  expect([...azimuth]).toEqual([...Float32Array.of((-2 * Math.PI) / 180, 0)]);
  expect(azimuthCodes).toEqual(azimuthCodesOf(azimuth));
});
