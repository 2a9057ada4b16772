import { charactersOf } from './byte-text.js';
import { parseCommand } from './command.js';
import type { LegacyTelegram } from './framing.js';

/** The codes of an error (`sFA`), as devices of this family send them. */
export const legacyErrors = {
  /** The level does not allow to call it. */
  methodAccessDenied: 0x1,
  unknownMethod: 0x2,
  unknownVariable: 0x3,
  /** A condition does not hold, or a value is out of its range. */
  localConditionFailed: 0x4,
  invalidData: 0x5,
  unknownError: 0x6,
  /** Too much came. */
  bufferOverflow: 0x7,
  /** Something is missing. */
  bufferUnderflow: 0x8,
  unknownType: 0x9,
  /** The level does not allow to write it. */
  writeAccessDenied: 0xa,
  unknownNameServerCommand: 0xb,
  unknownCommand: 0xc,
  methodBusy: 0xd,
  /** An array has too many items. */
  arrayOutOfBounds: 0xe,
  unknownEvent: 0xf,
  /** A number of a text telegram does not fit into its type. */
  textValueOverflow: 0x10,
  textInvalidCharacter: 0x11,
  noMessage: 0x12,
  noAnswerMessage: 0x13,
  internal: 0x14,
  hubAddressCorrupted: 0x15,
  hubAddressDecoding: 0x16,
  hubAddressExceeded: 0x17,
  hubBlankExpected: 0x18,
  asyncMethodsSuppressed: 0x19,
  complexArraysUnsupported: 0x1a,
} as const;
export type LegacyErrorName = keyof typeof legacyErrors;

/** The payload of an error as text: `sFA 3`. */
export function errorText(code: number): string {
  return `sFA ${code.toString(16).toUpperCase()}`;
}

/** The payload of an error in binary: the code as u16 right behind the word. */
export function errorBinary(code: number): Uint8Array {
  return Uint8Array.of(0x73, 0x46, 0x41, code >> 8, code);
}

/**
 * The code of an error, with or without a blank in front of it; that of an unknown error where none can be read.
 * @returns undefined where the telegram is no error.
 */
export function errorCodeOf(telegram: LegacyTelegram): number | undefined {
  const command = parseCommand(telegram);
  if (command?.command !== 'sFA') return undefined;
  const { payload } = command;
  if (telegram.framing === 'text') {
    const digits = charactersOf(payload.subarray(0, 32)).trim();
    return /^[0-9a-f]{1,4}$/i.test(digits) ? Number.parseInt(digits, 16) : legacyErrors.unknownError;
  }
  const isShort = payload.length < 2 || payload.length > 3;
  if (isShort || (payload.length === 3 && payload[0] !== 0x20)) return legacyErrors.unknownError;
  return new DataView(payload.buffer, payload.byteOffset + payload.length - 2).getUint16(0);
}

/** The name of a code; undefined for one that is not known. */
export function errorName(code: number): LegacyErrorName | undefined {
  return errorNames.get(code);
}

const errorNames = new Map<number, LegacyErrorName>();
for (const [name, code] of Object.entries(legacyErrors)) {
  if (isErrorName(name)) errorNames.set(code, name);
}

function isErrorName(name: string): name is LegacyErrorName {
  return Object.hasOwn(legacyErrors, name);
}
