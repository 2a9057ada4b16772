import { hex, rounded, type TelegramBytes } from './telegram-bytes.js';

/** Reads a telegram of the inertial measurement unit: Compact, type 2. @throws RangeError if it is too short */
export function readImu(telegram: TelegramBytes) {
  const acceleration = telegram.f32s(12, 3);
  const orientation = telegram.f32s(36, 4);
  return {
    kind: 'imu',
    bytes: telegram.length,
    marker: hex(telegram.u32(0)),
    type: telegram.u32(4),
    version: telegram.u32(8),
    acceleration,
    angularVelocity: telegram.f32s(24, 3),
    orientation,
    time: telegram.u64(52),
    checksum: telegram.checksum(0, 60),
    /** m/s². */
    magnitude: rounded(Math.hypot(...acceleration), 3),
    /** Length of the quaternion. */
    norm: rounded(Math.hypot(...orientation), 4),
  } as const;
}

/** Reads a telegram of the encoder: Compact, type 4 version 1. @throws RangeError if it is too short */
export function readEncoder(telegram: TelegramBytes) {
  return {
    kind: 'encoder',
    bytes: telegram.length,
    marker: hex(telegram.u32(0)),
    type: telegram.u32(4),
    sequence: telegram.u64(8),
    transmitTime: telegram.u64(16),
    version: telegram.u32(24),
    payloadBytes: telegram.u32(28),
    sender: String(telegram.u32(32)),
    frame: telegram.u64(36),
    ticks: telegram.u32(44),
    references: [telegram.u32(48), telegram.u32(52)],
    speed: rounded(telegram.f32(56), 3),
    time: telegram.u64(60),
    referenceTimes: [telegram.u64(68), telegram.u64(76)],
    checksum: telegram.checksum(0, 84),
  } as const;
}
