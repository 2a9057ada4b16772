/**
 * A telegram of the encoder, 88 bytes; the first 32 are the header of header.ts:
 *
 * | offset | type | what |
 * |---|---|---|
 * | 32 | u32 | serial number of the sender |
 * | 36 | u64 | number of the frame |
 * | 44 | u32 | ticks |
 * | 48 | u32 × 2 | ticks at each reference signal |
 * | 56 | f32 | speed |
 * | 60 | u64 | time of the ticks, µs |
 * | 68 | u64 × 2 | time of each reference signal, µs |
 * | 84 | u32 | CRC of everything in front of it |
 */
export const encoderLayout = {
  sender: 32,
  frameNumber: 36,
  ticks: 44,
  references: 48,
  speed: 56,
  time: 60,
  referenceTimes: 68,
  crc: 84,
  bytes: 88,
} as const;

export const encoderVersion = 1;

/** What stands between header and CRC. */
export const encoderPayloadBytes = 52;
