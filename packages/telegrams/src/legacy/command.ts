import { bytesOfCharacters, charactersOf, type LegacyTelegram } from './framing.js';

/**
 * The first word of a telegram. Requests: read, write, method, event by name; the same by index (scanners here do not respond
 * to these); responses; the content of an event; error.
 */
export const commandWords = [
  'sRN',
  'sWN',
  'sMN',
  'sEN',
  'sRI',
  'sWI',
  'sMI',
  'sEI',
  'sRA',
  'sWA',
  'sAN',
  'sEA',
  'sSN',
  'sFA',
] as const;
export type CommandWord = (typeof commandWords)[number];

/** The response word of each request by name. */
export const responseWords = { sRN: 'sRA', sWN: 'sWA', sMN: 'sAN', sEN: 'sEA' } as const;

/** A request by name. */
export type RequestWord = keyof typeof responseWords;

export function isRequestWord(word: string): word is RequestWord {
  return Object.hasOwn(responseWords, word);
}

/** The head of a telegram, and its payload. */
export interface LegacyCommand {
  readonly command: CommandWord;
  /** Name of the variable, method or event; its index in a request by index; empty if there is none, as in an error. */
  readonly name: string;
  /** The bytes after the name and one blank; in an error, the bytes after its word. */
  readonly payload: Uint8Array;
}

const blank = 0x20;
const wordBytes = 3;
const nothing = new Uint8Array(0);

/**
 * Reads the head of a telegram. In text, several blanks in front of the name count as one. If several blanks follow the name,
 * all but one are part of the payload, where the reader of values ignores them. In binary there is exactly one blank on each
 * side of the name. Without values the second one may be missing: a write is acknowledged either way.
 * @returns undefined if the first word is unknown.
 */
export function parseCommand({ framing, payload }: LegacyTelegram): LegacyCommand | undefined {
  const word = charactersOf(payload, 0, Math.min(wordBytes, payload.length));
  const command = commandWords.find((other) => other === word);
  if (command === undefined) return undefined;
  if (command === 'sFA') return { command, name: '', payload: payload.slice(wordBytes) };
  if (payload.length > wordBytes && payload[wordBytes] !== blank) return undefined;
  let start = wordBytes + 1;
  while (framing === 'text' && payload[start] === blank) start++;
  const end = payload.indexOf(blank, start);
  if (end === -1) return { command, name: charactersOf(payload, start), payload: nothing };
  // A slice costs less than a subarray of a small array.
  return { command, name: charactersOf(payload, start, end), payload: payload.slice(end + 1) };
}

/** Returns the payload of a text telegram, one character per byte. Without values, no blank follows the name. */
export function commandText(command: CommandWord, name: string, values = ''): string {
  return values === '' ? `${command} ${name}` : `${command} ${name} ${values}`;
}

/**
 * Returns the payload of a binary telegram. If values are empty, a blank follows the name: devices acknowledge a write like
 * this. If values are undefined, there is no blank.
 */
export function commandBinary(command: CommandWord, name: string, values?: Uint8Array): Uint8Array {
  const head = bytesOfCharacters(values === undefined ? `${command} ${name}` : `${command} ${name} `);
  if (values === undefined) return head;
  const payload = new Uint8Array(head.length + values.length);
  payload.set(head);
  payload.set(values, head.length);
  return payload;
}

/** The codes of an error (`sFA`), as sent by devices of this family. */
export const legacyErrors = {
  /** The level does not allow this call. */
  methodAccessDenied: 0x1,
  unknownMethod: 0x2,
  unknownVariable: 0x3,
  /** A condition does not hold, or a value is out of its range. */
  localConditionFailed: 0x4,
  invalidData: 0x5,
  unknownError: 0x6,
  /** More bytes than expected. */
  bufferOverflow: 0x7,
  /** A value is missing. */
  bufferUnderflow: 0x8,
  unknownType: 0x9,
  /** The level does not allow this write. */
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

/** Returns the payload of an error as text: `sFA 3`. */
export function errorText(code: number): string {
  return `sFA ${code.toString(16).toUpperCase()}`;
}

/** Returns the payload of an error in binary: the code as u16 right behind the word. */
export function errorBinary(code: number): Uint8Array {
  return Uint8Array.of(0x73, 0x46, 0x41, code >> 8, code);
}

/**
 * Returns the code of an error, with or without a blank in front of it; the code of an unknown error if it cannot be read.
 * @returns undefined if the telegram is not an error.
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

/** Returns the name of a code; undefined for an unknown code. */
export function errorName(code: number): LegacyErrorName | undefined {
  return errorNames.get(code);
}

const errorNames = new Map<number, LegacyErrorName>();
for (const [name, code] of Object.entries(legacyErrors)) {
  if (isErrorName(name)) errorNames.set(code, name);
}

/** All names. */
export const legacyErrorNames: readonly LegacyErrorName[] = [...errorNames.values()];

function isErrorName(name: string): name is LegacyErrorName {
  return Object.hasOwn(legacyErrors, name);
}
