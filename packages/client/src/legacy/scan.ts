import { TelegramError } from '@azimuth/telegrams';
import { decodeLmdBinary, decodeLmdText, type LmdScan } from '@azimuth/telegrams/legacy';
import type { Body } from './link.js';

/** The scan of a telegram; undefined where it is damaged. */
export function scanIn({ framing, payload }: Body): LmdScan | undefined {
  try {
    return framing === 'text' ? decodeLmdText(payload) : decodeLmdBinary(payload);
  } catch (error) {
    if (error instanceof TelegramError) return undefined;
    throw error;
  }
}
