import { expect, test } from 'vitest';
import { MotionCurves, motionOf, shownTime } from '../../src/imu/motion.js';

const atRest = {
  Acceleration: [0, 0, 9.81],
  AngularVelocity: [0, 0, 0],
  Orientation: [1, 0, 0, 0],
  TimeStamp: 1_000_000,
};

/** A motion with this yaw in degrees. */
function withYaw(degrees: number) {
  const angle = (degrees * Math.PI) / 360;
  const motion = motionOf({ ...atRest, Orientation: [Math.cos(angle), 0, 0, Math.sin(angle)] });
  if (motion === undefined) throw new Error('expected a motion');
  return motion;
}

test('a value of the IMU has acceleration, turning, angles and a time', () => {
  expect(motionOf(atRest)).toMatchObject({
    acceleration: [0, 0, 9.81],
    angularVelocity: [0, 0, 0],
    angles: { yaw: 0, pitch: 0, roll: 0 },
    time: 1_000_000,
  });
});

test.each([
  ['nothing', undefined],
  ['empty lists, as a scanner without a motion has them', { ...atRest, Orientation: [] }],
  ['too few numbers', { ...atRest, Acceleration: [1, 2] }],
  ['another value', 'motion'],
])('no motion is made of %s', (_, json) => {
  expect(motionOf(json)).toBeUndefined();
});

test('the curves have the last minute', () => {
  const curves = new MotionCurves();
  for (let at = 0; at <= 3 * shownTime; at += 1) curves.add(at, withYaw(at % 90));
  const [times, yaw] = curves.angles;
  expect([times.at(0), times.at(-1)]).toEqual([2 * shownTime, 3 * shownTime]);
  expect(yaw).toHaveLength(times.length);
  expect(curves.acceleration[3]?.at(-1)).toBe(9.81);
});

test('values that come too fast are left out', () => {
  const curves = new MotionCurves();
  for (let index = 0; index <= 100; index++) curves.add(index / 100, withYaw(0));
  expect(curves.angles[0].length).toBeLessThan(25);
});

test('no line leads from one end of the scale of angles to the other', () => {
  const curves = new MotionCurves();
  for (const [at, yaw] of [179, -179, -178].entries()) curves.add(at, withYaw(yaw));
  const [, yaw] = curves.angles;
  expect(yaw?.map((angle) => angle && Math.round(angle))).toEqual([179, null, -178]);
});
