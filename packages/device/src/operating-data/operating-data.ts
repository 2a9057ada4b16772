import { operatingData, shortestFloat32 } from '@azimuth/model';
import { Timeout } from '../clock/timeout.js';
import { computed, type Feature } from '../feature.js';
import type { ContainedHardware } from '../hardware/contained-hardware.js';
import type { Clock, Log } from '../interfaces/environment.js';
import type { Conditions } from '../lifecycle/conditions.js';
import type { StoredState } from '../parameters/stored-state.js';
import { countersDocument, UnreadableDocument } from '../storage/document.js';
import type { Documents, Found } from '../storage/documents.js';
import { reasonOf } from '../storage/storage-failure.js';

const { CurrentTempDev, DailyOpHours, OpHours, PowerOnCnt, LastParaDate, LastParaTime } =
  operatingData.members;

interface Options {
  readonly documents: Documents;
  readonly clock: Clock;
  readonly log: Log;
  readonly conditions: Conditions;
  readonly hardware: Pick<ContainedHardware, 'temperature'>;
  readonly state: StoredState;
}

/** Operating hours, power-ons, temperature, and the time of the last save. */
export class OperatingData implements Feature {
  readonly computed = [
    computed(CurrentTempDev, () => shortestFloat32(this.#options.hardware.temperature())),
    computed(DailyOpHours, () => shortestFloat32(this.counters.dailyHours)),
    computed(OpHours, () => this.counters.tenthsOfHours),
    computed(PowerOnCnt, () => this.counters.powerOnCount),
    computed(LastParaDate, () => this.#options.state.lastSave.date),
    computed(LastParaTime, () => this.#options.state.lastSave.time),
  ];
  readonly counters: OperatingCounters;
  readonly #options: Options;

  private constructor(options: Options, counters: OperatingCounters) {
    this.#options = options;
    this.counters = counters;
  }

  /** @param missed number of power-ons that are not in the storage yet, without the present one */
  static async load(options: Options, missed = 0): Promise<OperatingData> {
    const { documents, clock, log, conditions, state } = options;
    const { counters, found } = await OperatingCounters.load(documents, clock, log, missed);
    conditions.setLost('lost operating counters', found === 'lost');
    if (found === 'missing' && state.found === 'whole') {
      log.warn('The operating counters are missing and start at zero');
    }
    return new OperatingData(options, counters);
  }

  /** Counts the power-on. */
  powerOn(): Promise<void> {
    return this.counters.powerOn();
  }

  remember(): () => void {
    return this.counters.remember();
  }

  end(): void {
    this.counters.end();
  }
}

const loss = 'The operating counters are lost and start at zero';
/** A tenth of an hour: the resolution of OpHours. A power cut loses less than this. */
const saveEvery = 360_000;

/** Operating time as plain values, in ms. */
export interface KeptOperatingTime {
  /** Operating time before the last power-on. */
  readonly before: number;
  /** Time of that power-on, by the monotonic clock. */
  readonly poweredOnAt: number;
}

/** Power cycles and operating time over the life of the scanner, on disk every tenth of an hour. */
export class OperatingCounters {
  readonly #documents: Documents;
  readonly #clock: Clock;
  readonly #log: Log;
  #powerOnCount: number;
  /** Operating time before the last power-on, in ms. */
  #before: number;
  #poweredOnAt: number;
  readonly #next: Timeout;
  #saving = false;
  #due = false;

  private constructor(documents: Documents, clock: Clock, log: Log, powerOnCount: number, before: number) {
    this.#documents = documents;
    this.#clock = clock;
    this.#next = new Timeout(clock);
    this.#log = log;
    this.#powerOnCount = powerOnCount;
    this.#before = before;
    this.#poweredOnAt = clock.monotonic();
  }

  /**
   * Reads the counters. If they are missing or lost, they start at zero. `powerOn` writes them for the first time; a
   * first start writes them last.
   * @param missed power-ons that were not written
   */
  static async load(
    documents: Documents,
    clock: Clock,
    log: Log,
    missed = 0,
  ): Promise<{ counters: OperatingCounters; found: Found<unknown>['state'] }> {
    const found = await documents.find(countersDocument, loss, contentOf);
    const { powerOnCount, operatingMilliseconds } =
      found.state === 'whole' ? found.content : { powerOnCount: 0, operatingMilliseconds: 0 };
    const count = powerOnCount + missed;
    const counters = new OperatingCounters(documents, clock, log, count, operatingMilliseconds);
    return { counters, found: found.state };
  }

  /** Counts a power-on. On disk when the promise resolves. */
  async powerOn(): Promise<void> {
    this.#before += this.#sincePowerOn;
    this.#poweredOnAt = this.#clock.monotonic();
    await this.#write(this.#powerOnCount + 1);
    this.#powerOnCount++;
    this.#schedule();
  }

  get powerOnCount(): number {
    return this.#powerOnCount;
  }

  /** Hours since the last power-on. */
  get dailyHours(): number {
    return this.#sincePowerOn / 3_600_000;
  }

  /** Tenths of an hour over the life of the scanner. */
  get tenthsOfHours(): number {
    return Math.floor((this.#before + this.#sincePowerOn) / saveEvery);
  }

  /** The operating time. What is on disk contains a part of the time since the power-on. */
  get kept(): KeptOperatingTime {
    return { before: this.#before, poweredOnAt: this.#poweredOnAt };
  }

  /** Goes on from the power-on of an earlier start, so that no time counts twice. */
  takeUp({ before, poweredOnAt }: KeptOperatingTime): void {
    this.#before = before;
    this.#poweredOnAt = poweredOnAt;
  }

  /** Remembers the power-ons. The operating time goes on. */
  remember(): () => void {
    const [powerOnCount, before, poweredOnAt] = [this.#powerOnCount, this.#before, this.#poweredOnAt];
    return () => {
      this.#powerOnCount = powerOnCount;
      this.#before = before;
      this.#poweredOnAt = poweredOnAt;
    };
  }

  /** Stops saving. */
  end(): void {
    this.#next.stop();
  }

  get #sincePowerOn(): number {
    return this.#clock.monotonic() - this.#poweredOnAt;
  }

  #schedule(): void {
    this.#next.set(saveEvery, () => {
      this.#schedule();
      void this.#save();
    });
  }

  /** Saves one after the other. All saves that become due meanwhile (a clock that jumps) become one. */
  async #save(): Promise<void> {
    this.#due = true;
    if (this.#saving) return;
    this.#saving = true;
    while (this.#due) {
      this.#due = false;
      await this.#write().catch((error: unknown) =>
        this.#log.error('The operating counters could not be stored', { reason: reasonOf(error) }),
      );
    }
    this.#saving = false;
  }

  async #write(powerOnCount = this.#powerOnCount): Promise<void> {
    // Unreadable counts are worth more than the counts since then.
    if (this.#documents.isUnreadable(countersDocument)) return;
    const operatingMilliseconds = Math.floor(this.#before + this.#sincePowerOn);
    await this.#documents.write(countersDocument, { powerOnCount, operatingMilliseconds });
  }
}

function contentOf({ powerOnCount, operatingMilliseconds }: Record<string, unknown>) {
  if (isCount(powerOnCount) && isCount(operatingMilliseconds)) return { powerOnCount, operatingMilliseconds };
  throw new UnreadableDocument('expected counts');
}

function isCount(json: unknown): json is number {
  return typeof json === 'number' && Number.isSafeInteger(json) && json >= 0;
}
