import type { PlanPoint } from '../plan/plan.js';

/** Position in m, and direction in degrees counter-clockwise. */
export interface Place extends PlanPoint {
  readonly heading: number;
}

/** Returns a point of something that stands at a place and is turned. */
export function placed({ x, y }: PlanPoint, { x: atX, y: atY, heading }: Place): PlanPoint {
  const turn = (heading * Math.PI) / 180;
  return {
    x: atX + x * Math.cos(turn) - y * Math.sin(turn),
    y: atY + x * Math.sin(turn) + y * Math.cos(turn),
  };
}
