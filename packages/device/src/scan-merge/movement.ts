import { type Matrix, turned, type Vector } from './matrix.js';

/** How a machine has moved: what was at p is at `turn` · p + `shift` now, in mm and the axes of its first position. */
export interface Movement {
  readonly turn: Matrix;
  readonly shift: Vector;
}

const noTurn: Matrix = [1, 0, 0, 0, 1, 0, 0, 0, 1];

export function shifted(shift: Vector): Movement {
  return { turn: noTurn, shift };
}

/** A turn about a point that stays where it is. */
export function turnedAbout(turn: Matrix, point: Vector): Movement {
  const [x, y, z] = turned(turn, point);
  return { turn, shift: [point[0] - x, point[1] - y, point[2] - z] };
}

/** Tells how the machine moves during a recording. */
export interface MotionSource {
  /** Takes note of where the machine is now. The first time is what `at` counts from. */
  sample(): void;
  /** The movement up to a time (µs of the scanner's clock); undefined where nothing is known of that time. */
  at(time: number): Movement | undefined;
}
