import { angleOf, radPerDegree, type ScanGeometry } from './scan.js';

/**
 * The directions of the beams of a scan in the coordinates of the scanner: unit vectors, x ahead and y to the left. An echo at
 * distance d is at d times the direction. Another geometry makes a new object.
 */
export interface BeamFan {
  readonly geometry: ScanGeometry;
  /** One number for each beam. */
  readonly x: Float64Array;
  readonly y: Float64Array;
}

export function beamFan(geometry: ScanGeometry): BeamFan {
  const x = new Float64Array(geometry.beams);
  const y = new Float64Array(geometry.beams);
  for (let beam = 0; beam < geometry.beams; beam++) {
    const angle = angleOf(geometry, beam) * radPerDegree;
    x[beam] = Math.cos(angle);
    y[beam] = Math.sin(angle);
  }
  return { geometry, x, y };
}
