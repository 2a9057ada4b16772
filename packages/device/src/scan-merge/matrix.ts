/** x, y, z. */
export type Vector = readonly [number, number, number];

/** A rotation in space: the rows of its matrix one after the other. */
export type Matrix = readonly [number, number, number, number, number, number, number, number, number];

/**
 * A turn by `roll` about x, then by `pitch` about y, then by `yaw` about z, of axes that stand still:
 * Rz(yaw) · Ry(pitch) · Rx(roll), in rad, each counter-clockwise when its axis points at you.
 */
export function turnBy(yaw: number, pitch: number, roll: number): Matrix {
  const [cosYaw, sinYaw] = [Math.cos(yaw), Math.sin(yaw)];
  const [cosPitch, sinPitch] = [Math.cos(pitch), Math.sin(pitch)];
  const [cosRoll, sinRoll] = [Math.cos(roll), Math.sin(roll)];
  return [
    cosYaw * cosPitch,
    cosYaw * sinPitch * sinRoll - sinYaw * cosRoll,
    cosYaw * sinPitch * cosRoll + sinYaw * sinRoll,
    sinYaw * cosPitch,
    sinYaw * sinPitch * sinRoll + cosYaw * cosRoll,
    sinYaw * sinPitch * cosRoll - cosYaw * sinRoll,
    -sinPitch,
    cosPitch * sinRoll,
    cosPitch * cosRoll,
  ];
}

/** What turns by `first`, then by `then`. */
export function product(then: Matrix, first: Matrix): Matrix {
  const entry = (row: number, column: number): number =>
    (then[3 * row] ?? 0) * (first[column] ?? 0) +
    (then[3 * row + 1] ?? 0) * (first[column + 3] ?? 0) +
    (then[3 * row + 2] ?? 0) * (first[column + 6] ?? 0);
  return [
    ...([entry(0, 0), entry(0, 1), entry(0, 2)] as const),
    ...([entry(1, 0), entry(1, 1), entry(1, 2)] as const),
    ...([entry(2, 0), entry(2, 1), entry(2, 2)] as const),
  ];
}

/** The turn back. */
export function inverse([a, b, c, d, e, f, g, h, i]: Matrix): Matrix {
  return [a, d, g, b, e, h, c, f, i];
}

export function turned([a, b, c, d, e, f, g, h, i]: Matrix, [x, y, z]: Vector): Vector {
  return [a * x + b * y + c * z, d * x + e * y + f * z, g * x + h * y + i * z];
}
