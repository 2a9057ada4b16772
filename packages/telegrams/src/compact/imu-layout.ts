/**
 * A telegram of the inertial measurement unit, 64 bytes with a short header of its own:
 *
 * | offset | type | what |
 * |---|---|---|
 * | 0 | u32 | start marker 0x02020202 |
 * | 4 | u32 | type 2 |
 * | 8 | u32 | version 1 |
 * | 12 | f32 × 3 | acceleration x, y, z, m/s² |
 * | 24 | f32 × 3 | angular velocity about x, y, z, rad/s |
 * | 36 | f32 × 4 | orientation, a quaternion w, x, y, z |
 * | 52 | u64 | time in µs |
 * | 60 | u32 | CRC of everything in front of it |
 */
export const imuLayout = {
  version: 8,
  acceleration: 12,
  angularVelocity: 24,
  orientation: 36,
  time: 52,
  crc: 60,
  bytes: 64,
} as const;

export const imuVersion = 1;
