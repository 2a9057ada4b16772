import { decodeTelegram, type Telegram, TelegramError } from '@azimuth/telegrams';

/** Returns the telegram of these bytes; undefined if it is damaged. */
export function decodedOrNothing(bytes: Uint8Array): Telegram | undefined {
  try {
    return decodeTelegram(bytes);
  } catch (error) {
    if (error instanceof TelegramError) return undefined;
    throw error;
  }
}
