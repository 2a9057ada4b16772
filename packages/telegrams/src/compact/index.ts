/** @packageDocumentation @experimental */

import type { ScanTelegram } from '../scan-telegram.js';
import { TelegramError } from '../telegram-error.js';
import { telegramType, typeAt, typeOf } from '../telegram-header.js';
import { decodeCompactScan } from './decode-scan.js';

export { TelegramError } from '../telegram-error.js';

/**
 * Reads a scan in Compact, for programs that get nothing else and shall not load the decoder of MSGPACK.
 * @throws TelegramError for bytes that are not a whole telegram of this kind
 */
export function decodeScan(bytes: Uint8Array): ScanTelegram {
  const type = typeOf(bytes);
  if (type !== telegramType.scan) throw new TelegramError('type 1', String(type), typeAt);
  return decodeCompactScan(bytes);
}
