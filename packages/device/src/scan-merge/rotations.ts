/** x, y, z. */
export type Vector = readonly [number, number, number];

/** A rotation as a matrix: its rows one after the other. */
export type Matrix = readonly [number, number, number, number, number, number, number, number, number];

/**
 * A rotation by `roll` about x, then by `pitch` about y, then by `yaw` about z, all axes fixed:
 * Rz(yaw) · Ry(pitch) · Rx(roll), in rad, each counter-clockwise when its axis points at you.
 */
export function rotationBy(yaw: number, pitch: number, roll: number): Matrix {
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

/** A rotated vector. */
export function rotated([a, b, c, d, e, f, g, h, i]: Matrix, [x, y, z]: Vector): Vector {
  return [a * x + b * y + c * z, d * x + e * y + f * z, g * x + h * y + i * z];
}

/** A rotation as a quaternion w, x, y, z. */
export type Quaternion = readonly [number, number, number, number];

/** Above this cosine quaternions are interpolated linearly, because rounding hides the angle between them. */
const nearlyEqual = 1 - 1e-9;

/** Interpolates between two orientations at constant speed by the shorter way: `from` at part 0, `to` at part 1. */
export function interpolated(from: Quaternion, to: Quaternion, part: number): Quaternion {
  const cosine = from[0] * to[0] + from[1] * to[1] + from[2] * to[2] + from[3] * to[3];
  // A quaternion and its negative are the same orientation.
  const sign = cosine < 0 ? -1 : 1;
  if (Math.abs(cosine) > nearlyEqual) return weightedSum(from, 1 - part, to, sign * part);
  const angle = Math.acos(Math.abs(cosine));
  const sine = Math.sin(angle);
  return weightedSum(from, Math.sin((1 - part) * angle) / sine, to, (sign * Math.sin(part * angle)) / sine);
}

/** The rotation from one orientation to another, in the axes of the first orientation. */
export function rotationBetween([w, x, y, z]: Quaternion, [W, X, Y, Z]: Quaternion): Quaternion {
  return [
    w * W + x * X + y * Y + z * Z,
    w * X - x * W - y * Z + z * Y,
    w * Y + x * Z - y * W - z * X,
    w * Z - x * Y + y * X - z * W,
  ];
}

/** The matrix of a quaternion, whose length does not matter. */
export function matrixOf([w, x, y, z]: Quaternion): Matrix {
  const double = 2 / (w * w + x * x + y * y + z * z);
  return [
    1 - double * (y * y + z * z),
    double * (x * y - w * z),
    double * (x * z + w * y),
    double * (x * y + w * z),
    1 - double * (x * x + z * z),
    double * (y * z - w * x),
    double * (x * z - w * y),
    double * (y * z + w * x),
    1 - double * (x * x + y * y),
  ];
}

function weightedSum(one: Quaternion, a: number, other: Quaternion, b: number): Quaternion {
  return [
    a * one[0] + b * other[0],
    a * one[1] + b * other[1],
    a * one[2] + b * other[2],
    a * one[3] + b * other[3],
  ];
}
