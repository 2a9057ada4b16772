/** @packageDocumentation @internal */

import type { ScanTelegram } from '../scan-telegram.js';
import { TelegramError } from '../telegram-error.js';
import { telegramType, typeAt, typeOf } from '../telegram-header.js';
import { decodeCompactScan } from './decode-scan.js';

export { TelegramError } from '../telegram-error.js';

/**
 * Reads a scan in Compact, for programs that need no decoder of MSGPACK.
 * @throws TelegramError for bytes that are not a complete telegram of this kind
 */
export function decodeScan(bytes: Uint8Array): ScanTelegram {
  const type = typeOf(bytes);
  if (type !== telegramType.scan) throw new TelegramError('type 1', String(type), typeAt);
  return decodeCompactScan(bytes);
}
