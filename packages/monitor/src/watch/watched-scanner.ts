import { ClientError, type ParameterValues } from '@azimuth/client';
import { device, Refusal, releaseOf } from '@azimuth/model';
import type { MonitorClock } from '../clock.js';
import type { ConditionKind } from '../conditions/condition-kind.js';
import { ConditionWatch } from '../conditions/condition-watch.js';
import type { Limits } from '../conditions/limits.js';
import type { LastParameters, LastSeen } from '../state/last-parameters.js';
import type { ActiveCondition, ScannerSnapshot } from '../state/scanner-snapshot.js';
import { ArrivedEvents } from './arrived-events.js';
import { servedValidUntil } from './certificates.js';
import { EventWatch } from './event-watch.js';
import { Looks } from './look.js';
import type { Differences, Noticed } from './noticed.js';
import { ParameterWatch } from './parameter-watch.js';
import { isSilence, readVariable, type WatchedClient } from './reading.js';
import type { ScanSource } from './scan-source.js';
import { Timing } from './timing.js';
import { WatchState } from './watch-state.js';

const { SerialNumber } = device.members;

/** Time (ms) for which logins count as locked after somebody was refused. Scanners lock them for half of it. */
const lockTime = 60_000;

/** Time (ms) between two handshakes that show the certificate, and after which what was seen is written at the latest. */
const hour = 3_600_000;

/** A scanner that is to be watched. */
export interface ScannerToWatch {
  /** Its name in the log, in metrics and in topics. */
  readonly name: string;
  readonly scanner: WatchedClient;
  readonly limits: Limits;
  /** The serial number that belongs to its address. By default, the one that answered first. */
  readonly serial?: string | undefined;
  /** Returns the parameters that it should have, by their names in requests, as its site file states them now. */
  readonly expected?: (() => ParameterValues | undefined) | undefined;
  /** Returns `archivedAt` of its snapshot. */
  readonly archivedAt?: (() => number) | undefined;
  /** Receives its scan data. */
  readonly scans?: ScanSource | undefined;
}

export interface WatchOptions {
  readonly clock: MonitorClock;
  readonly kinds: readonly ConditionKind[];
  /** Seconds between two looks. */
  readonly interval: number;
  /** Seconds in which all parameters are read once. */
  readonly parameters: number;
  /** Milliseconds until the first look. */
  readonly first: number;
  /** Milliseconds until its first fixed time: no two scanners are asked at the same moment. */
  readonly phase: number;
  /** A number from 0 to 1. */
  readonly random: () => number;
  /** What was seen when the monitor last ran. */
  readonly seen: LastSeen | undefined;
  readonly lastParameters: Pick<LastParameters, 'write'>;
  /** Conditions that an earlier run of the monitor has logged as begun, and not as ended. */
  readonly active: readonly ActiveCondition[];
  /** Accepts what happened, and when. It resolves when the entry is on disk. */
  readonly log: (noticed: Noticed, serial: string | undefined, at: number) => Promise<void>;
  /** Called when everything was compared once with what was last seen. */
  readonly onCompared: () => void;
  /** Gets the state after each look. */
  readonly onLook: (snapshot: ScannerSnapshot) => void;
  readonly reportError: (error: unknown) => void;
}

/** Looks at one scanner again and again, until it is closed. */
export class WatchedScanner {
  readonly #of: ScannerToWatch;
  readonly #options: WatchOptions;
  readonly #conditions: ConditionWatch;
  readonly #looks: Looks;
  readonly #parameters: ParameterWatch;
  readonly #state: WatchState;
  readonly #events: EventWatch;
  readonly #arrived: ArrivedEvents;
  readonly #timing: Timing;
  /** The last time that the clock has shown. */
  #latest = Number.NEGATIVE_INFINITY;
  #judgedAt = Number.NEGATIVE_INFINITY;
  #lockedUntil = 0;
  #handshakeAt = Number.NEGATIVE_INFINITY;
  #writtenAt = Number.NEGATIVE_INFINITY;
  #writtenVersion = 0;

  constructor(of: ScannerToWatch, options: WatchOptions) {
    const { name, scanner, serial, limits, expected } = of;
    const { clock, kinds, active, seen, interval, first, phase, random } = options;
    this.#of = of;
    this.#options = options;
    this.#conditions = new ConditionWatch(kinds, limits, active);
    this.#looks = new Looks(scanner, of.scans?.settings ?? []);
    // What was seen of another scanner than the one that belongs here says nothing.
    const known = serial === undefined || seen?.serial === serial ? seen : undefined;
    this.#state = new WatchState({ name, url: scanner.url, expectedSerial: serial }, known);
    this.#state.update({ conditions: active });
    this.#parameters = new ParameterWatch(scanner, {
      seconds: options.parameters,
      also: [...(expected?.()?.keys() ?? [])],
      known: known ?? { parameters: new Map(), stored: new Map(), unsavedSince: undefined },
      knownAt: known?.at,
    });
    this.#timing = new Timing({ clock, interval, first, phase, random });
    this.#arrived = new ArrivedEvents(clock, () => this.#timing.endPause());
    this.#events = new EventWatch(scanner, {
      clock,
      accept: (event, json) => this.#arrived.accept(event, json),
      onLost: () => this.#timing.lookNow(),
      reportError: options.reportError,
    });
  }

  get snapshot(): ScannerSnapshot {
    return this.#state.snapshot;
  }

  /** Runs until `close` is called. */
  async run(): Promise<void> {
    await this.#timing.sleep([]);
    while (!this.#timing.isOver) {
      await this.#turn();
      await this.#timing.sleep(this.#dues);
    }
    await this.#events.close();
    await this.#of.scans?.close();
  }

  close(): void {
    this.#timing.end();
  }

  /** Somebody was refused because logins are locked. */
  loginsLocked(): void {
    this.#lockedUntil = this.#now() + lockTime;
    this.#timing.lookNow();
  }

  /**
   * The time on the clock: milliseconds since 1970-01-01 UTC. If somebody has set the clock back, everything that is
   * planned moves with it: otherwise, nobody would look at the scanner until the clock is where it was.
   */
  #now(): number {
    const now = this.#options.clock.now();
    const by = this.#latest - now;
    this.#latest = now;
    if (by > 0 && by !== Number.POSITIVE_INFINITY) this.#setBack(by);
    return now;
  }

  #setBack(by: number): void {
    for (const part of [
      this.#timing,
      this.#looks,
      this.#arrived,
      this.#events,
      this.#parameters,
      this.#conditions,
    ])
      part.setBack(by);
    this.#judgedAt -= by;
    this.#lockedUntil -= by;
    this.#handshakeAt -= by;
    this.#writtenAt -= by;
  }

  get #dues(): readonly number[] {
    const { isRight } = this.#state;
    return [this.#conditionDue, this.#arrived.due, ...(isRight ? [this.#parameters.due] : [])];
  }

  get #conditionDue(): number {
    return this.#conditions.dueAfter(this.#judgedAt);
  }

  async #turn(): Promise<void> {
    const now = this.#now();
    if (now >= this.#arrived.due) await this.#takeEvents();
    // A condition that would begin or end now is checked by a look that asks for everything.
    if (now >= this.#conditionDue) return this.#look(false);
    if (now >= this.#timing.nextLook) return this.#look(this.#events.isConnected);
    if (this.#state.isRight && now >= this.#parameters.due) await this.#readParameters(now);
  }

  /** @param hasEvents true if what comes as events need not be asked for */
  async #look(hasEvents: boolean): Promise<void> {
    const { clock } = this.#options;
    const from = this.#now();
    try {
      const look = await this.#looks.look({
        clock,
        isRight: (serial) => this.#belongs(serial),
        hasEvents,
      });
      this.#timing.answered(this.#now());
      await this.#notice(this.#state.looked(look, this.#now()));
      this.#arrived.dropOlderThan(look.times);
      await this.#afterLook();
    } catch (error) {
      if (!(error instanceof ClientError || error instanceof Refusal)) throw error;
      this.#looks.forget();
      this.#state.failed(error.message);
      this.#timing.failed(this.#now());
    }
    this.#state.update({ lookSeconds: (this.#now() - from) / 1000 });
    await this.#judge();
  }

  /** What needs a scanner that answers. */
  async #afterLook(): Promise<void> {
    const now = this.#now();
    const { firmware, values, serial } = this.#state.snapshot;
    if (!this.#state.isRight) {
      this.#looks.forget();
      await this.#events.close();
      return;
    }
    if (firmware !== undefined) this.#events.follow(releaseOf(firmware));
    if (now - this.#handshakeAt >= hour) {
      this.#handshakeAt = now;
      this.#state.served(await servedValidUntil(this.#of.scanner.url));
    }
    await this.#of.scans?.follow(values, serial);
    if (now - this.#writtenAt >= hour) await this.#remember();
  }

  async #takeEvents(): Promise<void> {
    for (const { name, value } of this.#arrived.take()) {
      if (this.#state.isRight) await this.#notice(this.#state.event(name, value));
    }
    await this.#judge();
  }

  async #readParameters(now: number): Promise<void> {
    if (!(await this.#isStillHere())) return this.#timing.lookNow();
    const { changes, answered, malformed, failure } = await this.#parameters.read(now);
    const { counts } = this.#state.snapshot;
    this.#state.answered(answered, malformed);
    const parameterChanges = counts.parameterChanges + changes.length;
    this.#state.update({ counts: { ...counts, parameterChanges } });
    // All of them were noticed now: the author of each is looked for together.
    const at = this.#now();
    for (const change of changes) await this.#log({ kind: 'parameter', ...change }, at);
    const isNew = this.#parameters.version !== this.#writtenVersion;
    if (this.#parameters.isRoundOver) this.#options.onCompared();
    if (changes.length > 0 || (isNew && this.#parameters.isRoundOver)) await this.#remember();
    if (failure !== undefined) this.#timing.lookNow();
    await this.#judge();
  }

  /** The parameters of another scanner at the address are not those of this one. */
  async #isStillHere(): Promise<boolean> {
    try {
      const reading = await readVariable(this.#of.scanner, {
        name: SerialNumber.name,
        variable: SerialNumber,
      });
      return reading.is !== 'value' || this.#belongs(reading.value);
    } catch (error) {
      if (isSilence(error)) return false;
      throw error;
    }
  }

  #belongs(serial: unknown): boolean {
    const { expectedSerial } = this.#state.snapshot;
    return serial === undefined || expectedSerial === undefined || serial === expectedSerial;
  }

  async #notice({ boot, saved, entries }: Differences): Promise<void> {
    const now = this.#now();
    if (boot !== undefined) {
      this.#parameters.booted(now);
      this.#looks.forget();
    }
    if (saved) this.#parameters.saved(now);
    for (const entry of entries) await this.#log(entry);
    if (entries.length > 0) await this.#remember();
  }

  /** Judges what is known now, and logs what has begun or ended. */
  async #judge(): Promise<void> {
    const { onLook } = this.#options;
    const now = this.#now();
    const expected = this.#of.expected?.();
    const { known } = this.#parameters;
    this.#state.update({
      events: this.#events.state,
      unsaved: this.#parameters.unsaved,
      unsavedSince: known.unsavedSince,
      drift: expected && this.#parameters.drift(expected),
      scans: this.#of.scans?.received(now),
      loginsLocked: now < this.#lockedUntil,
      archivedAt: this.#of.archivedAt?.(),
    });
    this.#judgedAt = now;
    const changes = this.#conditions.judge(this.#state.snapshot, now);
    this.#state.update({ conditions: this.#conditions.active });
    onLook(this.#state.snapshot);
    for (const change of changes) await this.#log({ kind: 'condition', ...change });
  }

  #log(noticed: Noticed, at = this.#now()): Promise<void> {
    return this.#options.log(noticed, this.#state.snapshot.serial, at);
  }

  async #remember(): Promise<void> {
    const { lastParameters, reportError } = this.#options;
    const { name, expectedSerial, serial: answered } = this.#state.snapshot;
    this.#writtenAt = this.#now();
    this.#writtenVersion = this.#parameters.version;
    const seen = { ...this.#state.compared, ...this.#parameters.known };
    try {
      await lastParameters.write(name, { ...seen, at: this.#writtenAt, serial: expectedSerial, answered });
    } catch (error) {
      // The log has what happened. After a restart, some of it may be logged again.
      reportError(error);
    }
  }
}
