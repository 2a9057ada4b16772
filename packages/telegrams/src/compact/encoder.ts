import { crc32 } from '../crc32.js';
import { offsetsOf } from '../layout.js';
import { assertBytes, assertVersion, TelegramError } from '../telegram-error.js';
import {
  assertCrc,
  crcLayout,
  getU64,
  header,
  headerLayout,
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

const bothReferences = ['1', '2'] as const;

const payloadLayout = {
  sender: { type: 'u32', text: 'serial number of the sender' },
  frameNumber: { type: 'u64', text: 'number of the reading' },
  ticks: { type: 'u32', text: 'ticks' },
  references: { type: 'u32', of: bothReferences, text: 'ticks at the last signal of reference' },
  speed: { type: 'f32', unit: 'mm/s', text: 'speed' },
  time: { type: 'u64', unit: 'µs', text: 'time of the ticks' },
  referenceTimes: {
    type: 'u64',
    of: bothReferences,
    unit: 'µs',
    text: 'time of the last signal of reference',
  },
} as const;

/** A telegram of the encoder, 88 bytes. */
export const encoderLayout = { ...headerLayout, ...payloadLayout, ...crcLayout } as const;

const encoderAt = offsetsOf(encoderLayout);

export const encoderVersion = 1;

/** Bytes between header and CRC. */
export const encoderPayloadBytes: number = offsetsOf(payloadLayout).bytes;

/**
 * Writes a telegram of the encoder (`encoderLayout`).
 * @param target where to write; a new array by default.
 * @returns the part of it that was written, 88 bytes.
 * @throws RangeError if `target` is too small.
 */
export function encodeEncoder(telegram: EncoderTelegram, target?: Uint8Array): Uint8Array {
  const bytes = outputFor(encoderAt.bytes, target);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const { sequence, transmitTime, references, referenceTimes } = telegram;
  writeHeader(view, telegramType.encoder, {
    sequence,
    transmitTime,
    version: encoderVersion,
    payloadBytes: encoderPayloadBytes,
  });
  view.setUint32(encoderAt.sender, telegram.sender, true);
  setU64(view, encoderAt.frameNumber, telegram.frameNumber);
  view.setUint32(encoderAt.ticks, telegram.ticks, true);
  view.setUint32(encoderAt.references, references[0], true);
  view.setUint32(encoderAt.references + 4, references[1], true);
  view.setFloat32(encoderAt.speed, telegram.speed, true);
  setU64(view, encoderAt.time, telegram.time);
  setU64(view, encoderAt.referenceTimes, referenceTimes[0]);
  setU64(view, encoderAt.referenceTimes + 8, referenceTimes[1]);
  view.setUint32(encoderAt.crc, crc32(bytes.subarray(0, encoderAt.crc)), true);
  return bytes;
}

/**
 * Reads a telegram of the encoder (`encoderLayout`) whose marker and type have been checked. A payload may be longer than
 * needed; bytes after the CRC are ignored.
 * @throws TelegramError if it is not a complete telegram.
 */
export function decodeEncoder(bytes: Uint8Array): EncoderTelegram {
  assertBytes(bytes, encoderAt.bytes);
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
  const { references, referenceTimes } = encoderAt;
  return {
    sequence,
    transmitTime,
    sender: view.getUint32(encoderAt.sender, true),
    frameNumber: getU64(view, encoderAt.frameNumber),
    ticks: view.getUint32(encoderAt.ticks, true),
    references: [view.getUint32(references, true), view.getUint32(references + 4, true)],
    speed: view.getFloat32(encoderAt.speed, true),
    time: getU64(view, encoderAt.time),
    referenceTimes: [getU64(view, referenceTimes), getU64(view, referenceTimes + 8)],
  };
}
