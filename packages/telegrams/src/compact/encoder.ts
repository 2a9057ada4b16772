import { crc32 } from '../crc32.js';
import { assertBytes, assertVersion, TelegramError } from '../telegram-error.js';
import {
  assertCrc,
  getU64,
  header,
  outputFor,
  readHeader,
  setU64,
  telegramType,
  writeHeader,
} from '../telegram-header.js';

/** The state of the encoder, as in Compact (type 4). Times in µs, counters of 32 bits. */
export interface EncoderTelegram {
  /** Counts the telegrams of the stream, one by one. */
  readonly sequence: number;
  /** Time at which it was passed to the network. */
  readonly transmitTime: number;
  /** Serial number of the scanner. */
  readonly sender: number;
  readonly frameNumber: number;
  readonly ticks: number;
  /** Ticks at the last signal of each reference, 0 before the first. */
  readonly references: readonly [number, number];
  /** mm/s, a 32-bit float. */
  readonly speed: number;
  /** Time at which the ticks were counted. */
  readonly time: number;
  /** Time of each reference signal, 0 before the first. */
  readonly referenceTimes: readonly [number, number];
}

/**
 * A telegram of the encoder, 88 bytes; the first 32 are the header of telegram-header.ts:
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
const encoderLayout = {
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

/** Bytes between header and CRC. */
export const encoderPayloadBytes = 52;

/**
 * Writes a telegram of the encoder (layout: above).
 * @param target where to write; a new array by default.
 * @returns the part of it that was written, 88 bytes.
 * @throws RangeError if `target` is too small.
 */
export function encodeEncoder(telegram: EncoderTelegram, target?: Uint8Array): Uint8Array {
  const bytes = outputFor(encoderLayout.bytes, target);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const { sequence, transmitTime, references, referenceTimes } = telegram;
  writeHeader(view, telegramType.encoder, {
    sequence,
    transmitTime,
    version: encoderVersion,
    payloadBytes: encoderPayloadBytes,
  });
  view.setUint32(encoderLayout.sender, telegram.sender, true);
  setU64(view, encoderLayout.frameNumber, telegram.frameNumber);
  view.setUint32(encoderLayout.ticks, telegram.ticks, true);
  view.setUint32(encoderLayout.references, references[0], true);
  view.setUint32(encoderLayout.references + 4, references[1], true);
  view.setFloat32(encoderLayout.speed, telegram.speed, true);
  setU64(view, encoderLayout.time, telegram.time);
  setU64(view, encoderLayout.referenceTimes, referenceTimes[0]);
  setU64(view, encoderLayout.referenceTimes + 8, referenceTimes[1]);
  view.setUint32(encoderLayout.crc, crc32(bytes.subarray(0, encoderLayout.crc)), true);
  return bytes;
}

/**
 * Reads a telegram of the encoder (layout: above) whose marker and type have been checked. A payload may be longer than
 * needed; bytes after the CRC are ignored.
 * @throws TelegramError if it is not a complete telegram.
 */
export function decodeEncoder(bytes: Uint8Array): EncoderTelegram {
  assertBytes(bytes, encoderLayout.bytes);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const { sequence, transmitTime, version, payloadBytes } = readHeader(view);
  assertVersion(version, [encoderVersion], header.version);
  if (payloadBytes < encoderPayloadBytes) {
    throw new TelegramError(
      `a payload of ${encoderPayloadBytes} bytes`,
      `${payloadBytes}`,
      header.payloadBytes,
    );
  }
  assertCrc(bytes, header.bytes + payloadBytes);
  const { references, referenceTimes } = encoderLayout;
  return {
    sequence,
    transmitTime,
    sender: view.getUint32(encoderLayout.sender, true),
    frameNumber: getU64(view, encoderLayout.frameNumber),
    ticks: view.getUint32(encoderLayout.ticks, true),
    references: [view.getUint32(references, true), view.getUint32(references + 4, true)],
    speed: view.getFloat32(encoderLayout.speed, true),
    time: getU64(view, encoderLayout.time),
    referenceTimes: [getU64(view, referenceTimes), getU64(view, referenceTimes + 8)],
  };
}
