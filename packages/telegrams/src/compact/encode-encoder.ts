import { crc32 } from '../crc32.js';
import type { EncoderTelegram } from '../encoder-telegram.js';
import { placeFor } from '../place.js';
import { setU64 } from '../u64.js';
import { encoderLayout, encoderPayloadBytes, encoderVersion } from './encoder-layout.js';
import { telegramType, writeHeader } from './header.js';

/**
 * Writes a telegram of the encoder (layout: encoder-layout.ts).
 * @param target where to write; a new array where it is left out.
 * @returns the part of it that was written, 88 bytes.
 * @throws RangeError where `target` is too small.
 */
export function encodeEncoder(telegram: EncoderTelegram, target?: Uint8Array): Uint8Array {
  const bytes = placeFor(encoderLayout.bytes, target);
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
