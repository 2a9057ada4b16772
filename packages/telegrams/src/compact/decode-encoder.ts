import type { EncoderTelegram } from '../encoder-telegram.js';
import { TelegramError } from '../telegram-error.js';
import { getU64 } from '../u64.js';
import { hasBytes, hasCrc, hasVersion } from './checks.js';
import { encoderLayout, encoderPayloadBytes, encoderVersion } from './encoder-layout.js';
import { header, readHeader } from './header.js';

/**
 * Reads a telegram of the encoder (layout: encoder-layout.ts) of which marker and type have been looked at. A payload may
 * be longer than it has to be; what comes after the CRC is passed over.
 * @throws TelegramError where it is none, or not a whole one.
 */
export function decodeEncoder(bytes: Uint8Array): EncoderTelegram {
  hasBytes(bytes, encoderLayout.bytes);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const { sequence, transmitTime, version, payloadBytes } = readHeader(view);
  hasVersion(version, [encoderVersion], header.version);
  if (payloadBytes < encoderPayloadBytes) {
    throw new TelegramError(
      `a payload of ${encoderPayloadBytes} bytes`,
      `${payloadBytes}`,
      header.payloadBytes,
    );
  }
  hasCrc(bytes, header.bytes + payloadBytes);
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
