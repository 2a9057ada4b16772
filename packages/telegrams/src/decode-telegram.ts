import { decodeCompactScan } from './compact/decode-scan.js';
import { decodeEncoder, type EncoderTelegram } from './compact/encoder.js';
import { decodeImu, type ImuTelegram } from './compact/imu.js';
import { decodeMsgpackScan } from './msgpack/decode-scan.js';
import type { ScanTelegram } from './scan-telegram.js';
import { startMarker, telegramType, typeAt, typeOf } from './telegram-header.js';

/** The content of a telegram. */
export type Telegram =
  | {
      readonly kind: 'scan';
      readonly format: 'Compact' | 'MSGPACK';
      readonly telegram: ScanTelegram;
    }
  | { readonly kind: 'imu'; readonly telegram: ImuTelegram }
  | { readonly kind: 'encoder'; readonly telegram: EncoderTelegram };

/**
 * Reads a telegram of any kind. In Compact, bytes after the CRC of a scan or of an encoder are ignored. The memory is
 * proportional to the received bytes, no matter what they declare.
 * @throws TelegramError for bytes that are not a complete telegram.
 */
export function decodeTelegram(bytes: Uint8Array): Telegram {
  switch (typeOf(bytes)) {
    case telegramType.scan:
      return { kind: 'scan', format: 'Compact', telegram: decodeCompactScan(bytes) };
    case telegramType.imu:
      return { kind: 'imu', telegram: decodeImu(bytes) };
    case telegramType.encoder:
      return { kind: 'encoder', telegram: decodeEncoder(bytes) };
    default:
      // The type field of Compact is the length of the payload in MSGPACK. No payload is that short.
      return { kind: 'scan', format: 'MSGPACK', telegram: decodeMsgpackScan(bytes) };
  }
}

/** Returns the stream to which a telegram belongs, by its first eight bytes; undefined if it does not begin like one. */
export function streamOf(bytes: Uint8Array): Telegram['kind'] | undefined {
  if (bytes.length < 8) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (view.getUint32(0, true) !== startMarker) return undefined;
  const type = view.getUint32(typeAt, true);
  if (type === telegramType.imu) return 'imu';
  return type === telegramType.encoder ? 'encoder' : 'scan';
}
