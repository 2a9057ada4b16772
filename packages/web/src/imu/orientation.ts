/** A point or a direction: x ahead, y to the left, z up. */
export type Vector = readonly [x: number, y: number, z: number];

/** A rotation as a unit quaternion. */
export type Quaternion = readonly [w: number, x: number, y: number, z: number];

/** Angles in degrees: first roll about x, then pitch about y, then yaw about z. With a positive pitch, x points down. */
export interface Angles {
  readonly yaw: number;
  readonly pitch: number;
  readonly roll: number;
}

const degreesPerRad = 180 / Math.PI;

/** A list of numbers as a unit quaternion w, x, y, z; undefined if it is none. */
export function unitQuaternion(values: readonly number[]): Quaternion | undefined {
  const [w = 0, x = 0, y = 0, z = 0] = values;
  const length = Math.hypot(w, x, y, z);
  if (values.length !== 4 || !Number.isFinite(length) || length < 1e-6) return undefined;
  return [w / length, x / length, y / length, z / length];
}

export function anglesOf([w, x, y, z]: Quaternion): Angles {
  const sine = Math.min(1, Math.max(-1, 2 * (w * y - z * x)));
  return {
    yaw: degreesPerRad * Math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z)),
    pitch: degreesPerRad * Math.asin(sine),
    roll: degreesPerRad * Math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y)),
  };
}

/** The direction that a direction of the scanner has in the room. */
export function turned([w, x, y, z]: Quaternion, [a, b, c]: Vector): Vector {
  // The cross product of the vector part and the direction, twice.
  const [p, q, r] = [2 * (y * c - z * b), 2 * (z * a - x * c), 2 * (x * b - y * a)];
  return [a + w * p + y * r - z * q, b + w * q + z * p - x * r, c + w * r + x * q - y * p];
}

/** The position in words, for people who do not see the picture: `turned left by 12°, tilted down by 3°, level sideways`. */
export function positionText({ yaw, pitch, roll }: Angles): string {
  return [
    partText(yaw, 'turned left', 'turned right', 'not turned'),
    partText(pitch, 'tilted down', 'tilted up', 'not tilted'),
    // With a positive roll, the left side goes up.
    partText(roll, 'leaning right', 'leaning left', 'level sideways'),
  ].join(', ');
}

function partText(degrees: number, positive: string, negative: string, none: string): string {
  const rounded = Math.round(degrees);
  if (rounded === 0) return none;
  return `${rounded > 0 ? positive : negative} by ${Math.abs(rounded)}°`;
}
