import { builtInInterface, legacyOnlyNames } from '@azimuth/model';
import { type LegacyCommand, type LegacyTelegram, parseCommand } from '@azimuth/telegrams/legacy';
import type { Direction } from '../timeline/timeline-entry.js';
import { framed, type LegacyPiece } from './legacy-pieces.js';
import { withToken } from './without-secrets.js';

/** Methods of the protocol itself that take the hash of a password. */
const logins: ReadonlySet<string> = new Set(['SetAccessMode', 'CheckPassword']);
const others: ReadonlySet<string> = new Set(legacyOnlyNames.filter((name) => !logins.has(name)));

const zeroDigit = 0x30;
const blank = 0x20;

/**
 * Returns the bytes as the timeline has them. Values of a request that may hold a password or its hash are zeros: so are
 * those of a method that is not known, and bytes that belong to no telegram. Of the scanner, the answer with a token is.
 */
export function legacyWithoutSecrets({ bytes, telegram }: LegacyPiece, direction: Direction): Uint8Array {
  if (telegram === undefined) return direction === 'from scanner' ? bytes : new Uint8Array(bytes.length);
  const command = parseCommand(telegram);
  if (command === undefined) return direction === 'from scanner' ? bytes : framed(withZeros(telegram, 0));
  return isOpen(command, direction)
    ? bytes
    : framed(withZeros(telegram, telegram.payload.length - command.payload.length));
}

function isOpen({ command, name }: LegacyCommand, direction: Direction): boolean {
  if (direction === 'from scanner') return command !== 'sAN' || name !== withToken;
  if (command === 'sMN') return isOpenMethod(name);
  return command !== 'sWN' || isOpenVariable(name);
}

function isOpenMethod(name: string): boolean {
  const method = builtInInterface.method(name);
  return method === undefined ? others.has(name) : !method.holdsSecrets;
}

function isOpenVariable(name: string): boolean {
  return builtInInterface.variable(name)?.facts.secret !== true;
}

function withZeros(telegram: LegacyTelegram, from: number): LegacyTelegram {
  const zero = telegram.framing === 'text' ? zeroDigit : 0;
  const payload = telegram.payload.map((byte, index) =>
    index < from || (telegram.framing === 'text' && byte === blank) ? byte : zero,
  );
  return { framing: telegram.framing, payload };
}
