/** Azimuths (rad) that differ by less are the same: a hundredth of the finest resolution. */
const tolerance = 1e-5;

/** The directions of the beams of a scan. Scans whose beams have the same azimuths share one of these. */
export interface Directions {
  /** rad, one a beam, counter-clockwise from the axis ahead. */
  readonly azimuth: Float32Array;
  readonly cos: Float32Array;
  readonly sin: Float32Array;
}

export function directionsOf(azimuth: Float32Array): Directions {
  return { azimuth, cos: azimuth.map(Math.cos), sin: azimuth.map(Math.sin) };
}

export function areSame(one: Float32Array, other: Float32Array): boolean {
  if (one.length !== other.length) return false;
  for (let beam = 0; beam < one.length; beam++) {
    if (Math.abs((one[beam] ?? 0) - (other[beam] ?? 0)) > tolerance) return false;
  }
  return true;
}
