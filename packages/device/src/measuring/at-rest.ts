import type { Motion } from '../ports/measuring-core.js';

/** A scanner that does not move and stands upright: what it feels is gravity. */
export const atRest: Motion = {
  acceleration: [0, 0, 9.81],
  angularVelocity: [0, 0, 0],
  orientation: [1, 0, 0, 0],
};
