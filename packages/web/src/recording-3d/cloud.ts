import { PcdError, readPcd } from '@azimuth/client';

/** Points in metres: x ahead, y to the left, z up. */
export interface Cloud {
  readonly count: number;
  /** x, y and z of each point, one after the other. */
  readonly places: Float32Array;
  /** The signal strength (RSSI) of each point; undefined if the file has none. */
  readonly strengths: Float32Array | undefined;
}

/**
 * Reads a point cloud with the fields x, y, z and, if it is there, intensity (m, RSSI). Points without a place (NaN) are left
 * out.
 * @throws PcdError
 */
export function parsePcd(file: Uint8Array): Cloud {
  const pcd = readPcd(file);
  if (!['x', 'y', 'z'].every((name) => pcd.fields.includes(name)))
    throw new PcdError('The point cloud has no x, y and z.');
  const places = new Float32Array(3 * pcd.count);
  const strengths = pcd.fields.includes('intensity') ? new Float32Array(pcd.count) : undefined;
  let count = 0;
  for (const point of pcd.points(['x', 'y', 'z', 'intensity'])) {
    const [x = Number.NaN, y = Number.NaN, z = Number.NaN, strength = 0] = point;
    if (!Number.isFinite(x + y + z)) continue;
    places[3 * count] = x;
    places[3 * count + 1] = y;
    places[3 * count + 2] = z;
    if (strengths !== undefined) strengths[count] = Number.isFinite(strength) ? strength : 0;
    count++;
  }
  return { count, places: places.subarray(0, 3 * count), strengths: strengths?.subarray(0, count) };
}
