import { bytesOfCharacters, charactersOf } from './byte-text.js';
import type { LegacyTelegram } from './framing.js';

/**
 * The first word of a telegram. Requests: read, write, method, event by name; the same by index, which nobody answers
 * here; answers; what an event brings; error.
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

/** The answer that belongs to each request by name. */
export const answerWords = { sRN: 'sRA', sWN: 'sWA', sMN: 'sAN', sEN: 'sEA' } as const;

/** The head of a telegram, and what follows it. */
export interface LegacyCommand {
  readonly command: CommandWord;
  /** Of the variable, method or event, or its index in a request by index; empty where there is none, as in an error. */
  readonly name: string;
  /** What follows the name and one blank; of an error what follows its word. */
  readonly payload: Uint8Array;
}

const blank = 0x20;
const wordBytes = 3;
const nothing = new Uint8Array(0);

/**
 * Reads the head of a telegram. Of text, several blanks in front of the name are as good as one, and more than one behind
 * it come with the payload, where the reader of values passes over them; in binary exactly one blank stands on each side
 * of the name. Without values the second one may be missing: a write is acknowledged either way.
 * @returns undefined where the first word is none that is known.
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
  // A slice, which costs less than a part of a small array.
  return { command, name: charactersOf(payload, start, end), payload: payload.slice(end + 1) };
}

/** The payload of a text telegram, one character a byte; no blank behind the name where there are no values. */
export function commandText(command: CommandWord, name: string, values = ''): string {
  return values === '' ? `${command} ${name}` : `${command} ${name} ${values}`;
}

/**
 * The payload of a binary telegram. Values that are empty leave the blank behind the name, as devices acknowledge a
 * write; without values there is none.
 */
export function commandBinary(command: CommandWord, name: string, values?: Uint8Array): Uint8Array {
  const head = bytesOfCharacters(values === undefined ? `${command} ${name}` : `${command} ${name} `);
  if (values === undefined) return head;
  const payload = new Uint8Array(head.length + values.length);
  payload.set(head);
  payload.set(values, head.length);
  return payload;
}
