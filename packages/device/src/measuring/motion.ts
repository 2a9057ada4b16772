import type { Motion } from '../interfaces/measuring-core.js';

/** The motion of a scanner that stands still and upright: only gravity. */
export const atRest: Motion = {
  acceleration: [0, 0, 9.81],
  angularVelocity: [0, 0, 0],
  orientation: [1, 0, 0, 0],
};

/** The largest number of a motion: telegrams carry single precision. */
const largest = 1e6;

/** The motion that a core reports. @throws TypeError if it is none: a core in plain JavaScript may return anything */
export function checkedMotion(motion: Motion): Motion {
  if (motion instanceof Promise) {
    motion.catch(() => undefined);
    throw new TypeError('expected a motion, got a promise');
  }
  const { acceleration, angularVelocity, orientation } = motion;
  for (const [name, numbers, count] of [
    ['acceleration', acceleration, 3],
    ['angularVelocity', angularVelocity, 3],
    ['orientation', orientation, 4],
  ] as const) {
    const isRight = Array.from({ length: count }, (_, at) => numbers[at]).every(
      (number) => typeof number === 'number' && Math.abs(number) <= largest,
    );
    if (!isRight) throw new TypeError(`${name}: expected ${count} finite numbers`);
  }
  return motion;
}
