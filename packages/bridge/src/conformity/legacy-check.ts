import { BinaryReader, type KnownInterface, TextReader } from '@azimuth/model';
import { TelegramError } from '@azimuth/telegrams';
import {
  charactersOf,
  decodeLmdBinary,
  decodeLmdText,
  errorCodeOf,
  errorName,
  isRequestWord,
  type LegacyCommand,
  LegacySplitter,
  type LegacyTelegram,
  lmdName,
  parseCommand,
  responseWords,
} from '@azimuth/telegrams/legacy';
import { largestTelegram } from '../control/limits.js';
import type { LegacyPassed } from '../timeline/timeline-entry.js';
import type { EditionSeen } from './edition-seen.js';
import { type Mismatch, mismatch, refusalIn } from './mismatch.js';

/** Requests of a connection that wait for an answer, and subscriptions, that are remembered. */
const mostRemembered = 1024;

/** Checks the telegrams of one connection of the legacy protocol. */
export class LegacyCheck {
  readonly #edition: EditionSeen;
  /** The answers that are expected: `sRA LocationName`. */
  readonly #expected: string[] = [];
  readonly #subscribed = new Set<string>();

  constructor(edition: EditionSeen) {
    this.#edition = edition;
  }

  /** Returns what of a telegram of the scanner the interface does not have. */
  mismatches({ direction, bytes }: LegacyPassed): readonly Mismatch[] {
    const [telegram] = new LegacySplitter(largestTelegram[direction]).push(bytes);
    if (direction === 'to scanner') {
      if (telegram !== undefined) this.#request(telegram);
      return [];
    }
    if (telegram === undefined)
      return [
        mismatch(
          'frame',
          'a telegram with its frame',
          `${bytes.length} bytes that are none: ${shown(bytes)}`,
        ),
      ];
    const command = parseCommand(telegram);
    if (command === undefined)
      return [mismatch('command', 'sRA, sWA, sAN, sEA, sSN or sFA', shown(telegram.payload))];
    if (command.command === 'sFA') return this.#error(telegram);
    if (command.command === 'sSN') {
      return this.#subscribed.has(command.name)
        ? this.#content(telegram, command)
        : [mismatch('name', 'that of a subscription', command.name)];
    }
    const at = this.#expected.indexOf(`${command.command} ${command.name}`);
    if (at === -1)
      return [mismatch('command', 'the answer to a request', `${command.command} ${command.name}`)];
    this.#expected.splice(at, 1);
    return this.#content(telegram, command);
  }

  #request(telegram: LegacyTelegram): void {
    const command = parseCommand(telegram);
    if (this.#expected.length >= mostRemembered) this.#expected.shift();
    if (command === undefined || !isRequestWord(command.command)) {
      this.#expected.push('sFA');
      return;
    }
    this.#expected.push(`${responseWords[command.command]} ${command.name}`);
    if (command.command === 'sEN' && this.#subscribed.size < mostRemembered)
      this.#subscribed.add(command.name);
  }

  #error(telegram: LegacyTelegram): readonly Mismatch[] {
    const code = errorCodeOf(telegram) ?? 0;
    if (this.#expected.shift() === undefined)
      return [mismatch('command', 'the answer to a request', shown(telegram.payload))];
    return errorName(code) === undefined
      ? [mismatch('error code', 'one of 1 to 1A', code.toString(16).toUpperCase())]
      : [];
  }

  #content(telegram: LegacyTelegram, command: LegacyCommand): readonly Mismatch[] {
    const { name, payload } = command;
    if (name === lmdName && command.command !== 'sEA') return scanMismatches(telegram.framing, payload);
    const type = typeOf(command, this.#edition.known);
    if (type === undefined) return [];
    const wrong = refusalIn(
      () =>
        telegram.framing === 'text'
          ? type.fromText(new TextReader(charactersOf(payload)), name)
          : type.fromBinary(new BinaryReader(payload), name),
      name,
    );
    return wrong === undefined ? [] : [wrong];
  }
}

/** Returns the type of the values of an answer or an event; undefined for a name that the interface does not declare. */
function typeOf({ command, name }: LegacyCommand, known: KnownInterface) {
  if (command === 'sRA' || command === 'sSN') return known.variable(name)?.type;
  const method = command === 'sAN' ? known.method(name) : undefined;
  return method?.hasResponse === true ? method.response : undefined;
}

function scanMismatches(framing: LegacyTelegram['framing'], payload: Uint8Array): readonly Mismatch[] {
  try {
    if (framing === 'text') decodeLmdText(payload);
    else decodeLmdBinary(payload);
    return [];
  } catch (error) {
    if (!(error instanceof TelegramError)) throw error;
    return [mismatch(`${lmdName}, byte ${error.offset}`, error.expected, error.came)];
  }
}

function shown(bytes: Uint8Array): string {
  return charactersOf(bytes.subarray(0, 100)).replaceAll(/[^\x20-\x7e]/g, '.');
}
