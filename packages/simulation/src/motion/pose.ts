/** A position (m) and a heading (radians counter-clockwise). The object is reused, so its members change. */
export interface Pose {
  x: number;
  y: number;
  heading: number;
}
