/** How the scanner moves, as Compact (type 2) carries it: 32-bit floats. */
export interface ImuTelegram {
  /** x, y, z in m/s². */
  readonly acceleration: readonly [number, number, number];
  /** About x, y, z in rad/s. */
  readonly angularVelocity: readonly [number, number, number];
  /** A unit quaternion w, x, y, z. */
  readonly orientation: readonly [number, number, number, number];
  /** µs. */
  readonly time: number;
}
