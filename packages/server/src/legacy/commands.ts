import type { Device } from '@azimuth/device';
import { type LegacyAccess, LegacyNames } from '@azimuth/device/legacy';
import { GoingDown } from '@azimuth/device/network-interface';
import {
  type Framing,
  isRequestWord,
  type LegacyCommand,
  type LegacyErrorName,
  type LegacyTelegram,
  lmdName,
  parseCommand,
  type RequestWord,
} from '@azimuth/telegrams/legacy';
import { Calls } from './calls.js';
import { Reading } from './readings.js';
import type { ScanData } from './scan-data/scan-data.js';
import { type RequestingSession, Subscriptions } from './subscriptions.js';
import type { Outcome } from './values.js';
import {
  bareTelegram,
  errorOf,
  errorTelegram,
  expectEnd,
  LegacyRefusal,
  telegramOf,
  type Values,
  valuesOf,
} from './values.js';

interface Options {
  readonly device: Device;
  readonly access: LegacyAccess;
  readonly scanData: ScanData;
}

/** Executes the requests of the legacy protocol, for any session and framing. */
export class Commands {
  readonly #access: LegacyAccess;
  readonly #scanData: ScanData;
  readonly #names: LegacyNames;
  readonly #reading: Reading;
  readonly #calls: Calls;
  readonly #subscriptions: Subscriptions;

  constructor({ device, access, scanData }: Options) {
    this.#access = access;
    this.#scanData = scanData;
    this.#names = new LegacyNames(device);
    this.#reading = new Reading(device, this.#names);
    this.#calls = new Calls(this.#names, access);
    this.#subscriptions = new Subscriptions({ device, names: this.#names, reading: this.#reading, scanData });
  }

  /** Returns the response to a request: at once, unless it waits for something. Errors have a response, too. */
  handle(telegram: LegacyTelegram, session: RequestingSession): Outcome | Promise<Outcome> {
    const { framing } = telegram;
    const command = parseCommand(telegram);
    const word = requestWord(command);
    if (command === undefined || word === undefined) return refused(framing, wordError(command));
    const failed = (error: unknown) => this.#failed(error, word, framing, session);
    try {
      const outcome = this.#do(word, command, framing, session);
      return outcome instanceof Promise ? outcome.catch(failed) : outcome;
    } catch (error) {
      return failed(error);
    }
  }

  /** Returns true if telegrams with this name may hold secrets. A name that nobody knows may be a misspelt one. */
  mayHoldSecrets(name: string): boolean {
    if (this.#calls.isOfSession(name)) return true;
    const named = this.#names.find(name);
    if (named === undefined) return true;
    if (named.kind !== 'endpoint') return false;
    const { endpoint } = named;
    return endpoint.kind === 'method' ? endpoint.holdsSecrets : endpoint.facts.secret === true;
  }

  #do(
    word: RequestWord,
    { name, payload }: LegacyCommand,
    framing: Framing,
    session: RequestingSession,
  ): Outcome | Promise<Outcome> {
    session.level = this.#access.rights(session.level, session.password);
    const values = valuesOf(framing, payload);
    switch (word) {
      case 'sRN':
        expectEnd(values);
        return name === lmdName ? this.#poll(framing) : { frame: this.#reading.responseTo(name, framing) };
      case 'sWN':
        return this.#write(name, values, framing, session);
      case 'sMN':
        return this.#calls.call(name, values, framing, session);
      case 'sEN':
        return this.#subscriptions.follow(name, values, framing, session);
    }
  }

  async #poll(framing: Framing): Promise<Outcome> {
    const frame = await this.#scanData.poll(framing);
    if (frame === undefined) throw new LegacyRefusal('internal');
    return { frame };
  }

  /** Acknowledges a write when it has taken effect, usually at once. */
  #write(
    name: string,
    values: Values,
    framing: Framing,
    { level }: RequestingSession,
  ): Outcome | Promise<Outcome> {
    const { hasBlank, effect } = this.#names.write(name, { level }, (type) => {
      const value = values.read(type, '');
      expectEnd(values);
      return value;
    });
    const frame = hasBlank ? telegramOf(framing, 'sWA', name) : bareTelegram(framing, 'sWA', name);
    return effect === undefined ? { frame } : effect.then(() => ({ frame }));
  }

  #failed(error: unknown, word: RequestWord, framing: Framing, session: RequestingSession): Outcome {
    if (error instanceof GoingDown) {
      // A change that comes too late to be saved gets no response.
      session.close();
      return refused(framing, 'internal');
    }
    const known = errorOf(error, word);
    if (known === undefined) {
      session.log.error('A legacy request failed inside the scanner', {
        reason: error instanceof Error ? (error.stack ?? error.message) : String(error),
      });
    }
    return refused(framing, known ?? 'internal');
  }
}

function refused(framing: Framing, error: LegacyErrorName): Outcome {
  return { frame: errorTelegram(framing, error), error };
}

function requestWord(command: LegacyCommand | undefined): RequestWord | undefined {
  const word = command?.command;
  return word !== undefined && isRequestWord(word) ? word : undefined;
}

/** Refuses requests by index, which are not supported, and unknown commands. */
function wordError(command: LegacyCommand | undefined): LegacyErrorName {
  const byIndex = ['sRI', 'sWI', 'sMI', 'sEI'];
  return command !== undefined && byIndex.includes(command.command)
    ? 'unknownNameServerCommand'
    : 'unknownCommand';
}
