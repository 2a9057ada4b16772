import { device, operatingData, status } from '@azimuth/model';
import { derivedFrom, valueIn } from '../state/derived-values.js';
import type { LastSeen } from '../state/last-parameters.js';
import { type ScannerSnapshot, unseen } from '../state/scanner-snapshot.js';
import { oneLine } from '../text/one-line.js';
import { bundleValidUntil, earliest } from './certificates.js';
import { type ClockOffset, clockOffset } from './clock-offset.js';
import type { Look } from './look.js';
import { type Compared, type Differences, differencesBetween, type Noticed } from './noticed.js';

const { SerialNumber } = device.members;
const { DeviceStatus } = status.members;
const { PowerOnCnt, DailyOpHours, LastParaDate, LastParaTime } = operatingData.members;

const nothing: Differences = { boot: undefined, saved: false, entries: [] };

/** What is known of one scanner, from look to look. */
export class WatchState {
  #snapshot: ScannerSnapshot;
  #compared: Compared;
  #clock: ClockOffset | undefined;
  #servedUntil: number | undefined;
  readonly #malformed = new Set<string>();

  /**
   * @param of its name and address, and the serial number that belongs there
   * @param seen what was known when the monitor last ran
   */
  constructor(
    of: Pick<ScannerSnapshot, 'name' | 'url' | 'expectedSerial'>,
    seen: Partial<Compared> & Pick<Partial<LastSeen>, 'serial' | 'answered'> = {},
  ) {
    const { firmware, deviceStatus, powerOnCount, dailyHours, lastSave, serial, answered = serial } = seen;
    this.#snapshot = { ...unseen({ ...of, expectedSerial: of.expectedSerial ?? serial }), serial: answered };
    this.#compared = { firmware, deviceStatus, powerOnCount, dailyHours, lastSave };
  }

  get snapshot(): ScannerSnapshot {
    return this.#snapshot;
  }

  get compared(): Compared {
    return this.#compared;
  }

  /** True if the scanner answers that belongs to the address. */
  get isRight(): boolean {
    const { reachable, serial, expectedSerial } = this.#snapshot;
    return reachable === true && (serial === expectedSerial || serial === undefined);
  }

  /** Takes members over that others know. */
  update(members: Partial<ScannerSnapshot>): void {
    this.#snapshot = { ...this.#snapshot, ...members };
  }

  /** The scanner did not answer. */
  failed(reason: string): void {
    const { counts } = this.#snapshot;
    this.update({
      reachable: false,
      failure: oneLine(reason),
      counts: { ...counts, looks: counts.looks + 1, failedLooks: counts.failedLooks + 1 },
    });
  }

  /** Takes a look over. Returns what has happened since the last one. */
  looked(look: Look, now: number): Differences {
    const { counts, serial: before } = this.#snapshot;
    const read = valueIn(look.values, SerialNumber);
    const serial = read === undefined ? before : oneLine(read);
    const expectedSerial = this.#snapshot.expectedSerial ?? serial;
    this.update({
      reachable: true,
      failure: undefined,
      answeredAt: now,
      serial,
      expectedSerial,
      counts: { ...counts, looks: counts.looks + 1 },
    });
    const other: readonly Noticed[] =
      before !== undefined && before !== serial
        ? [{ kind: 'value', name: SerialNumber.name, before, after: serial }]
        : [];
    if (!this.isRight) {
      this.#forgetValues();
      return { ...nothing, entries: other };
    }
    const differences = this.#takeOver(look);
    return { ...differences, entries: [...other, ...differences.entries] };
  }

  /** Takes a value over that came as an event. Returns what has happened. */
  event(name: string, value: unknown): Differences {
    const { counts } = this.#snapshot;
    this.update({ counts: { ...counts, events: counts.events + 1 } });
    this.answered([name], []);
    return this.#compareWith(new Map(this.#snapshot.values).set(name, value));
  }

  /** Remembers which variables were answered, and which of them not as the interface allows. */
  answered(names: Iterable<string>, malformed: readonly string[]): void {
    for (const name of names) this.#malformed.delete(name);
    for (const name of malformed) this.#malformed.add(name);
    this.update({ malformed: [...this.#malformed] });
  }

  /** The certificate was seen in a handshake. @param until ms since 1970; undefined if there was none */
  served(until: number | undefined): void {
    this.#servedUntil = until;
    this.update({ certificateUntil: this.#certificateUntil });
  }

  #takeOver(look: Look): Differences {
    const values = new Map(this.#snapshot.values);
    for (const name of [...look.missing, ...look.malformed]) values.delete(name);
    for (const [name, value] of look.values) values.set(name, value);
    this.answered(look.times.keys(), look.malformed);
    this.#clock = clockOffset(look, values, this.#clock);
    const differences = this.#compareWith(values);
    this.update({ clockOffset: this.#clock?.seconds, certificateUntil: this.#certificateUntil });
    const { restarts } = this.#snapshot;
    if (differences.boot !== undefined) this.update({ restarts: restarts + 1 });
    return differences;
  }

  #compareWith(values: ReadonlyMap<string, unknown>): Differences {
    const before = this.#compared;
    this.update({ values, ...derivedFrom(values) });
    const date = valueIn(values, LastParaDate);
    const time = valueIn(values, LastParaTime);
    this.#compared = {
      firmware: this.#snapshot.firmware ?? before.firmware,
      deviceStatus: valueIn(values, DeviceStatus) ?? before.deviceStatus,
      powerOnCount: valueIn(values, PowerOnCnt) ?? before.powerOnCount,
      dailyHours: valueIn(values, DailyOpHours) ?? before.dailyHours,
      lastSave: date === undefined || time === undefined ? before.lastSave : oneLine(`${date} ${time}`),
    };
    return differencesBetween(before, this.#compared);
  }

  get #certificateUntil(): number | undefined {
    return earliest([bundleValidUntil(this.#snapshot.values), this.#servedUntil]);
  }

  /** The values of the scanner that was here say nothing about another one. */
  #forgetValues(): void {
    this.#malformed.clear();
    this.#clock = undefined;
    const values = new Map<string, unknown>();
    this.update({ values, ...derivedFrom(values), malformed: [], clockOffset: undefined });
  }
}
