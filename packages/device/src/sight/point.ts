/** A point of the ground plane of the machine, in mm. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Above 0 where `point` is to the left of the way from `from` to `to`, 0 on the line through them. */
export function crossOf(from: Point, to: Point, point: Point): number {
  return (to.x - from.x) * (point.y - from.y) - (to.y - from.y) * (point.x - from.x);
}
