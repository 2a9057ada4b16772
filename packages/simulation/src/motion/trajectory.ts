import type { Pose } from './pose.js';

/**
 * A stretch of a motion. Its velocity is the sum of two, and both are constant: one in the axes of the world, one in the
 * axes of the body, which turns at a constant rate. So a straight line, an arc, and a scanner anywhere on a body that turns
 * are stretches.
 */
export interface Stretch {
  /** Time (s of the world) at which the body is at `x`, `y` and `heading`. */
  begin: number;
  /** Up to this time, excluded; may be Infinity. */
  end: number;
  /** m, and radians counter-clockwise. */
  x: number;
  y: number;
  heading: number;
  /** rad/s, counter-clockwise. */
  turn: number;
  /** m/s in the axes of the world. */
  vx: number;
  vy: number;
  /** m/s in the axes of the body: ahead, and to its left. */
  ahead: number;
  left: number;
  /** Changes of `ahead`, `left` and `turn` (m/s² and rad/s²) that an IMU measures, if the steps between stretches stand for them. */
  aheadChange: number;
  leftChange: number;
  turnChange: number;
  /** Distance travelled at `begin` in m, and its change in m/s. */
  travelled: number;
  speed: number;
}

/**
 * The motion of a body, stretch after stretch: a function of the time of the world in s. Results are written into objects of
 * the caller.
 */
export interface Trajectory {
  /**
   * s before and after a change of velocity from one stretch to the next, over which an IMU feels it. 0 if the stretches
   * tell the changes.
   */
  readonly softening: number;
  /** True if it never moves, unless it is put onto a vehicle. */
  readonly isFixed: boolean;
  /** Computes the pose at a time. */
  pose(time: number, into: Pose): void;
  /** Writes the stretch that contains a time: `begin` ≤ `time` < `end`. Times before the first stretch are part of it. */
  stretch(time: number, into: Stretch): void;
  /**
   * Returns the distance travelled up to a time, in m. It decreases while the body moves backwards, and a jump is no
   * distance. Only differences count.
   */
  travelled(time: number): number;
}
