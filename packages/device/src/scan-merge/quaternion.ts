import type { Matrix } from './matrix.js';

/** A rotation as w, x, y, z. */
export type Quaternion = readonly [number, number, number, number];

/** Quaternions this close to each other are mixed in a straight line: an angle between them is lost in rounding. */
const straight = 1 - 1e-9;

/** What lies between two orientations: from one (0) to the other (1), evenly, by the shorter way. */
export function between(from: Quaternion, to: Quaternion, part: number): Quaternion {
  const cosine = from[0] * to[0] + from[1] * to[1] + from[2] * to[2] + from[3] * to[3];
  // A quaternion and its opposite are the same orientation.
  const sign = cosine < 0 ? -1 : 1;
  if (Math.abs(cosine) > straight) return mixed(from, 1 - part, to, sign * part);
  const angle = Math.acos(Math.abs(cosine));
  const sine = Math.sin(angle);
  return mixed(from, Math.sin((1 - part) * angle) / sine, to, (sign * Math.sin(part * angle)) / sine);
}

/** The turn from one orientation to another, in the axes of what is turned as they are at first. */
export function turnBetween([w, x, y, z]: Quaternion, [W, X, Y, Z]: Quaternion): Quaternion {
  return [
    w * W + x * X + y * Y + z * Z,
    w * X - x * W - y * Z + z * Y,
    w * Y + x * Z - y * W - z * X,
    w * Z - x * Y + y * X - z * W,
  ];
}

/** The matrix of a rotation; its length does not matter. */
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

function mixed(one: Quaternion, a: number, other: Quaternion, b: number): Quaternion {
  return [
    a * one[0] + b * other[0],
    a * one[1] + b * other[1],
    a * one[2] + b * other[2],
    a * one[3] + b * other[3],
  ];
}
