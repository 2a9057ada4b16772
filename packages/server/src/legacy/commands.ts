import { type Answer, type Device, GoingDown } from '@azimuth/device';
import type { CustomaryMethod, LegacyAccess } from '@azimuth/device/legacy';
import {
  boolean,
  type Method,
  measurementDataOutput,
  reaches,
  ScanDataFormat,
  type Variable,
} from '@azimuth/model';
import {
  type Framing,
  type LegacyCommand,
  type LegacyErrorName,
  type LegacyTelegram,
  lmdName,
  parseCommand,
} from '@azimuth/telegrams/legacy';
import { granted, type LoginSession, type SessionMethod, sessionMethods } from './login-methods.js';
import { type Named, Names, Reading } from './readings.js';
import type { ScanData, ScanSink } from './scan-data/scan-data.js';
import {
  errorOf,
  errorTelegram,
  expectEnd,
  LegacyRefusal,
  type RequestWord,
  telegramOf,
  type Values,
  valuesOf,
} from './values.js';

/** The session that sends the request. */
export interface RequestingSession extends LoginSession {
  /** Follows an event in this framing. It replaces an earlier subscription to the same name. */
  follow(
    name: string,
    follow: (changed: () => void) => () => void,
    event: () => Uint8Array | undefined,
  ): void;
  unfollow(name: string): void;
  /** The sink for its scan telegrams. */
  scanSink(framing: Framing): ScanSink;
  followScans(begin: () => () => void): void;
  /** Closes it at once, even if answers wait. */
  close(): void;
  /** Has the log stated why no scan data is sent? */
  hasFormatWarning: boolean;
}

/** The answer, and what follows it. */
export interface Outcome {
  readonly frame: Uint8Array;
  readonly error?: LegacyErrorName;
  /** Once the answer has been sent, in front of everything else. */
  readonly next?: () => void;
  /** Once the answer is out. */
  readonly afterwards?: () => void;
}

/** These belong to the login over REST: legacy clients must not disturb it, or guess passwords through it. */
const restOnlyMethods: readonly string[] = ['getChallenge', 'changePassword'];

const onOrOff = boolean();
const { ScanDataFormat: scanDataFormat } = measurementDataOutput.members;

interface Options {
  readonly device: Device;
  readonly access: LegacyAccess;
  readonly scanData: ScanData;
}

/** Executes the requests of the legacy protocol, for any session and framing. */
export class Commands {
  readonly #device: Device;
  readonly #access: LegacyAccess;
  readonly #scanData: ScanData;
  readonly #names: Names;
  readonly #reading: Reading;
  readonly #sessionMethods: ReadonlyMap<string, SessionMethod>;

  constructor({ device, access, scanData }: Options) {
    this.#device = device;
    this.#access = access;
    this.#scanData = scanData;
    this.#names = new Names(device);
    this.#reading = new Reading(device, this.#names);
    this.#sessionMethods = sessionMethods(access);
  }

  /** The answer to a request: at once, unless it waits for something. Errors are answered, too. */
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

  #do(
    word: RequestWord,
    { name, payload }: LegacyCommand,
    framing: Framing,
    session: RequestingSession,
  ): Outcome | Promise<Outcome> {
    session.level = this.#access.rights(session.level);
    const values = valuesOf(framing, payload);
    switch (word) {
      case 'sRN':
        expectEnd(values);
        return name === lmdName ? this.#poll(framing) : { frame: this.#reading.answer(name, framing) };
      case 'sWN':
        this.#write(name, values, session);
        return this.#inEffect({ frame: telegramOf(framing, 'sWA', name) });
      case 'sMN':
        return this.#call(name, values, framing, session);
      case 'sEN':
        return this.#follow(name, values, framing, session);
    }
  }

  /** A write is answered when it has taken effect, usually at once. */
  #inEffect(outcome: Outcome): Outcome | Promise<Outcome> {
    return this.#device.announcements.underWay?.then(() => outcome) ?? outcome;
  }

  async #poll(framing: Framing): Promise<Outcome> {
    const frame = await this.#scanData.poll(framing);
    if (frame === undefined) throw new LegacyRefusal('internal');
    return { frame };
  }

  #write(name: string, values: Values, { level }: RequestingSession): void {
    if (name === lmdName) throw new LegacyRefusal('writeAccessDenied');
    const named = this.#names.find(name);
    if (named?.kind === 'variable') {
      this.#writeCustomary(named, values, level);
      return;
    }
    if (named?.kind !== 'endpoint' || named.endpoint.kind !== 'variable') {
      throw new LegacyRefusal('unknownVariable');
    }
    const variable: Variable<unknown> = named.endpoint;
    admitted('writeAccessDenied', () => this.#device.admitWrite(variable, { level }));
    const value = values.read(variable.type, '');
    expectEnd(values);
    this.#device.write(variable, value, { level }, name);
  }

  #writeCustomary(
    { type, level, write, isWritable }: Named & { kind: 'variable' },
    values: Values,
    held: RequestingSession['level'],
  ): void {
    const isOpen = write !== undefined && (isWritable?.(this.#device.edition) ?? true);
    if (!isOpen || level === undefined || !reaches(held, level)) throw new LegacyRefusal('writeAccessDenied');
    const value = values.read(type, '');
    expectEnd(values);
    write(this.#device, value);
  }

  #call(
    name: string,
    values: Values,
    framing: Framing,
    session: RequestingSession,
  ): Outcome | Promise<Outcome> {
    const ofSession = this.#sessionMethods.get(name);
    if (ofSession !== undefined) {
      return { frame: telegramOf(framing, 'sAN', name, granted, ofSession(values, session)) };
    }
    const named = this.#names.find(name);
    if (named?.kind === 'method') {
      const response = this.#callCustomary(named, values, session.level);
      return { frame: telegramOf(framing, 'sAN', name, named.response, response) };
    }
    if (named?.kind !== 'endpoint' || named.endpoint.kind !== 'method') {
      throw new LegacyRefusal('unknownMethod');
    }
    const { endpoint: method, withoutValues } = named;
    if (restOnlyMethods.includes(method.name)) throw new LegacyRefusal('methodAccessDenied');
    admitted('methodAccessDenied', () => this.#device.admitCall(method, { level: session.level }));
    const request = withoutValues !== undefined && values.atEnd ? withoutValues : requestOf(method, values);
    const { level, log } = session;
    const answered = ({ response, afterwards }: Answer): Outcome => ({
      frame: telegramOf(framing, 'sAN', name, method.response, response),
      ...(afterwards === undefined ? {} : { afterwards }),
    });
    const answer = this.#device.call(method, request, { level }, log);
    return answer instanceof Promise ? answer.then(answered) : answered(answer);
  }

  #callCustomary(
    { request, level, call }: CustomaryMethod,
    values: Values,
    held: RequestingSession['level'],
  ): unknown {
    if (level !== undefined && !reaches(held, level)) throw new LegacyRefusal('methodAccessDenied');
    const given = request === undefined ? undefined : values.read(request, '');
    expectEnd(values);
    return call(this.#device, given);
  }

  #follow(name: string, values: Values, framing: Framing, session: RequestingSession): Outcome {
    const isScanData = name === lmdName;
    // An unknown event is refused before a wrong switch.
    if (!isScanData) this.#reading.follow(name, () => undefined)();
    const on = values.read(onOrOff, '');
    expectEnd(values);
    const frame = telegramOf(framing, 'sEA', name, onOrOff, on);
    if (!on) session.unfollow(name);
    else if (isScanData) {
      this.#warnOfFormat(session);
      const sink = session.scanSink(framing);
      return { frame, next: () => session.followScans(() => this.#scanData.subscribe(sink)) };
    } else {
      session.follow(
        name,
        (changed) => this.#reading.follow(name, changed),
        () => this.#event(name, framing, session),
      );
    }
    return { frame };
  }

  /** A session that asks for scan data in another format waits in vain, and nothing else says so. */
  #warnOfFormat(session: RequestingSession): void {
    const format = this.#device.read(scanDataFormat);
    if (session.hasFormatWarning || format === ScanDataFormat.LMDscandata) return;
    session.hasFormatWarning = true;
    session.log.warn(
      `sEN LMDscandata gets no scan data: ScanDataFormat is ${format} but must be ${ScanDataFormat.LMDscandata} (LMDscandata)`,
    );
  }

  /** The telegram of an event; if it cannot be made, undefined and a line in the log. */
  #event(name: string, framing: Framing, { log }: RequestingSession): Uint8Array | undefined {
    try {
      return this.#reading.event(name, framing);
    } catch (error) {
      log.error('An event could not be sent over the legacy protocol', {
        event: name,
        reason: String(error),
      });
      return undefined;
    }
  }

  #failed(error: unknown, word: RequestWord, framing: Framing, session: RequestingSession): Outcome {
    if (error instanceof GoingDown) {
      // A change that comes too late to be saved gets no answer.
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
  return word === 'sRN' || word === 'sWN' || word === 'sMN' || word === 'sEN' ? word : undefined;
}

/** Requests by index are not supported; anything else that is not a request is an unknown command. */
function wordError(command: LegacyCommand | undefined): LegacyErrorName {
  const byIndex = ['sRI', 'sWI', 'sMI', 'sEI'];
  return command !== undefined && byIndex.includes(command.command)
    ? 'unknownNameServerCommand'
    : 'unknownCommand';
}

/**
 * Reads the arguments of a method: its members in order, without separators. Optional members at the end may be
 * missing.
 */
function requestOf(method: Method<unknown, unknown>, values: Values): object {
  const { request = {}, optional = [] } = method.facts;
  const given: Record<string, unknown> = {};
  for (const [member, type] of Object.entries(request)) {
    if (values.atEnd && optional.includes(member)) continue;
    given[member] = values.read(type, member);
  }
  expectEnd(values);
  return given;
}

/** A missing right is reported first, whatever else is wrong with the request. */
function admitted(refusal: LegacyErrorName, ask: () => void): void {
  try {
    ask();
  } catch {
    throw new LegacyRefusal(refusal);
  }
}
