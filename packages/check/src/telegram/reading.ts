import { readCompactScan } from './compact-scan.js';
import { readEncoder, readImu } from './motion.js';
import { readMsgpackScan } from './msgpack-scan.js';
import type { SegmentReading } from './segment-reading.js';
import { hex, TelegramBytes } from './telegram-bytes.js';

/** What a telegram says, and where it differs from the format, by names that steps refer to. */
export type Reading = SegmentReading | MotionReading | Unreadable;

/** A telegram of the IMU or of the encoder. */
export interface MotionReading {
  readonly kind: 'imu' | 'encoder';
  readonly time: number;
  readonly sequence?: number;
  readonly [detail: string]: unknown;
}

/** What is no telegram of a known form. */
export interface Unreadable {
  readonly kind: 'unreadable';
  readonly bytes: number;
  /** Why it cannot be read. */
  readonly problem: string;
  /** Its first bytes. */
  readonly begins: string;
}

/** Reads a datagram as a telegram. It never throws for what a scanner sends. */
export function readTelegram(datagram: Uint8Array): Reading {
  const telegram = new TelegramBytes(datagram);
  try {
    return readMarked(telegram);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const begins = Buffer.from(datagram.subarray(0, 16)).toString('hex');
    return { kind: 'unreadable', bytes: datagram.length, problem: error.message, begins };
  }
}

function readMarked(telegram: TelegramBytes): Reading {
  const marker = telegram.u32(0);
  if (marker !== 0x02020202) throw new RangeError(`begins with ${hex(marker)}, not 0x02020202`);
  switch (telegram.u32(4)) {
    case 1:
      return readCompactScan(telegram);
    case 2:
      return readImu(telegram);
    case 4:
      return readEncoder(telegram);
    default:
      // In MSGPACK, the length of the payload is there. It is never that short.
      return readMsgpackScan(telegram);
  }
}
