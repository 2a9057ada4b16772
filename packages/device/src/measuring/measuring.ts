import { basicSettings, type Variable } from '@azimuth/model';
import type { Announcements } from '../announcements.js';
import { GatheredSegment, type OutputSegment, rightStamps } from '../data-reduction/output-segments.js';
import type { Feature } from '../feature.js';
import type { Clock, Log } from '../interfaces/environment.js';
import type { CoreFaults, ScanBeams, ScanFaults } from '../interfaces/faults.js';
import type { MeasuringCore, MeasuringOrder, Motion } from '../interfaces/measuring-core.js';
import type { Conditions } from '../lifecycle/conditions.js';
import { errorMessage } from '../lifecycle/unexpected-errors.js';
import type { Parameters } from '../parameters/parameters.js';
import {
  beamInterval,
  geometryOf,
  roundStrengths,
  type Scan,
  type ScanGeometry,
  sameGeometry,
} from '../scan/scan.js';
import type { CoreSource } from './core-source.js';
import { type Emission, EmissionQueue } from './emission-queue.js';
import { type MeasuringState, MeasuringSwitch } from './measuring-state.js';
import {
  type CarriedBeams,
  type PresentScan,
  Processing,
  type ProcessingSettings,
  processingSettings,
  processingVariables,
} from './processing.js';
import { RevolutionCount } from './revolutions.js';
import { invalidateBeams } from './scan-check.js';
import { SupervisedCore } from './supervised-core.js';
import type { TelegramTime, Uptime } from './telegram-time.js';
import { isVouchedFor } from './vouched-scans.js';

const { AutoStartMeasure, PerformanceProfileNumber, SensitivityMode, EnableLongRangeMode } =
  basicSettings.members;
/** Variables of the order for the core. */
const orderVariables: readonly Variable<unknown>[] = [
  PerformanceProfileNumber,
  SensitivityMode,
  EnableLongRangeMode,
];

/** A receiver of scans and segments. Both are reused, so a listener copies what it stores. */
export interface ScanListener {
  /** Called with every segment of the output, when its last beam was measured: see also `presentScan`. */
  readonly segment?: (segment: OutputSegment) => void;
  /** Called with every filtered scan when its last beam was measured. The interval filter does not apply. */
  readonly scan?: (scan: Scan) => void;
  /** Called when measurements are no longer reliable, until the next scan: see Measuring.isReliable. */
  readonly unreliable?: () => void;
}

interface Options {
  readonly core: CoreSource;
  readonly parameters: Parameters;
  readonly announcements: Announcements;
  readonly conditions: Conditions;
  readonly clock: Clock;
  readonly uptime: Uptime;
  readonly telegramTime: TelegramTime;
  readonly log: Log;
  /** The effective settings, if they differ from the written ones. */
  readonly acting?: (settings: ProcessingSettings) => ProcessingSettings;
  /** True if the release marks echoes of reflectors by their strength. Read at each boot. True by default. */
  readonly marksReflectors?: () => boolean;
  /** Called when a listener throws. By default, the error is logged. */
  readonly listenerFailed?: (error: unknown) => void;
}

/** A complete scan, handed out when its last beam was measured. */
interface CompleteScan extends Emission {
  readonly scan: Scan;
}

/**
 * Measures while measuring is on and there are listeners. It runs the core, filters each scan, and hands out its
 * segments when they are due. Without listeners it stops the core and computes nothing. A core that has failed goes on until it
 * works again: nothing else would end DeviceStatus 7.
 */
export class Measuring implements Feature {
  readonly readAtBoot = [AutoStartMeasure];
  /** Number of scans since the process started. */
  scans = 0;
  /** Number of revolutions that are missing: the scanner was late, or the core did not complete them. */
  skipped = 0;
  readonly #options: Options;
  readonly #core: SupervisedCore;
  readonly #switch: MeasuringSwitch;
  readonly #listeners = new Set<ScanListener>();
  readonly #emissions: EmissionQueue<GatheredSegment | CompleteScan>;
  #processing: Processing | undefined;
  readonly #revolutions = new RevolutionCount();
  /** Number of the last scan, while the core runs. */
  #last: number | undefined;
  #lastScan: Scan | undefined;
  /** The scan whose rest is expected. */
  #open: PresentScan | undefined;
  #presentScan: Scan | undefined;
  #paused = false;
  #isWanted = false;
  #marksReflectors = true;
  /** Planned faults of scans, from the next scan on. */
  #planned: ScanFaults | undefined;
  /** Those of the present scan. */
  #faults: ScanFaults | undefined;
  /** Planned faults of the core. */
  #coreFaults: CoreFaults | undefined;

  constructor(options: Options) {
    this.#options = options;
    this.#core = new SupervisedCore({
      ...options,
      now: () => this.microseconds(),
      nextScan: () => this.nextScan,
      measured: (scan, beams) => this.#received({ scan, beams }),
      unreliable: () => this.#reportUnreliable(),
      faults: () => this.#coreFaults,
    });
    this.#switch = new MeasuringSwitch(options.conditions);
    this.#emissions = new EmissionQueue(options.clock, options.uptime, (data) => this.#emit(data));
    options.conditions.onChange(() => this.#startOrStop());
    options.announcements.subscribeTo(orderVariables, () => this.#orderChanged());
    options.announcements.subscribeTo(processingVariables, () => this.configure());
  }

  /** Disturbs scans of the core from the next one on, for tests. Undefined: they are right again. */
  disturb(faults: ScanFaults | undefined): void {
    this.#planned = faults;
  }

  /** Disturbs what the core passes, for tests. Undefined: it works again. */
  disturbCore(faults: CoreFaults | undefined): void {
    this.#coreFaults = faults;
  }

  /** Applies the present settings of the processing. */
  configure(): void {
    this.#processing?.configure(this.#settings);
  }

  get #settings(): ProcessingSettings {
    const settings = processingSettings(this.#options.parameters);
    return this.#options.acting?.(settings) ?? settings;
  }

  /** µs since the scanner came up, the time of measured data. */
  microseconds(): number {
    return this.#options.uptime.microseconds;
  }

  /** The time of the last boot (ms of the monotonic clock): 0 of `microseconds`. */
  get bootedAt(): number {
    return this.#options.uptime.bootedAt;
  }

  /** Start (µs) of the next scan, even without listeners. Now, if nothing is measured. */
  get nextScan(): number {
    const now = this.microseconds();
    return this.#switch.on ? this.#revolutions.nextAfter(now) : now;
  }

  /** The core. Undefined before its first use. */
  get core(): MeasuringCore | undefined {
    return this.#core.core;
  }

  /** Maximum error in ms of the times of the core's scans. Undefined for a core with the clock of the scanner. */
  get timeError(): number | undefined {
    return this.#core.timeError;
  }

  /** The distance travelled up to a time (µs) in m; undefined if the core does not tell it. */
  travelled(time: number): number | undefined {
    return this.#core.travelled(time, this.bootedAt);
  }

  /** What the telegrams of the newest scan carry; undefined before the first scan. */
  get carried(): CarriedBeams | undefined {
    return this.#processing?.carried;
  }

  /** The motion of the scanner at a time (µs). */
  motion(time: number): Motion {
    return this.#core.motion(time, this.bootedAt);
  }

  /** True if the core works. While it measures, its last scan must be at most three revolutions old. */
  get isReliable(): boolean {
    return this.#core.isReliable;
  }

  get state(): MeasuringState {
    return this.#switch.state;
  }

  /**
   * The last complete filtered scan. It is reused for the next scan. Undefined before the first scan since the start, or
   * while the moving average has too few scans.
   */
  get lastScan(): Scan | undefined {
    return this.#lastScan;
  }

  /** The filtered scan of the segments that are handed out. Its beams are known up to the end of the segment. */
  get presentScan(): Scan | undefined {
    return this.#presentScan;
  }

  /** Requests a state. Returns false if the device does not permit it. */
  request(state: MeasuringState): boolean {
    if (state === 'measuring' && this.state !== 'measuring')
      this.#revolutions.start(this.microseconds(), this.#geometry.frequency);
    const permitted = this.#switch.request(state);
    this.#startOrStop();
    return permitted;
  }

  /** Adds a listener. Returns a function that removes it. */
  watch(listener: ScanListener): () => void {
    // Copies the listener, so that the same one can be added twice.
    const entry = { ...listener };
    this.#listeners.add(entry);
    this.#startOrStop();
    return () => {
      this.#listeners.delete(entry);
      this.#startOrStop();
    };
  }

  /** The core. It is created if it does not exist yet. Undefined if that fails. */
  async coreMade(): Promise<MeasuringCore | undefined> {
    const core = await this.#core.made();
    this.#startOrStop();
    return core;
  }

  /** Resolves when the core is created. Undefined if it exists already. */
  get preparing(): Promise<unknown> | undefined {
    return this.core === undefined ? this.coreMade() : undefined;
  }

  /** Measures nothing until `resume`. The count of revolutions continues. */
  pause(): void {
    this.#paused = true;
    this.#startOrStop();
  }

  resume(): void {
    this.#paused = false;
    this.#startOrStop();
  }

  /** Called at a boot: counts from the first scan. */
  boot(): void {
    this.#core.boot();
    this.#lastScan = undefined;
    this.#presentScan = undefined;
    this.#marksReflectors = this.#options.marksReflectors?.() ?? true;
    this.#revolutions.restart(this.#geometry.frequency);
    this.#switch.boot(this.#options.parameters.read(AutoStartMeasure) ? 'measuring' : 'stopped');
    this.#startOrStop();
  }

  /** Remembers whether it measures. Numbers and times of scans go on. */
  remember(): () => void {
    const { state } = this;
    return () => {
      // A scanner in standby stays there if it is stopped.
      if (state === 'stopped' && this.state === 'standby') this.request('measuring');
      if (state !== this.state) this.request(state);
    };
  }

  /** Called when the scanner goes down, for a reboot or for good. */
  down(): void {
    this.#switch.down();
    this.#startOrStop();
  }

  get #geometry(): ScanGeometry {
    return geometryOf(this.#options.parameters.profile);
  }

  /** The current revolution ends with the old order. The new order applies from the next one on. */
  #orderChanged(): void {
    this.#revolutions.changeFrequency(this.microseconds(), this.#geometry.frequency);
    if (!this.#core.isRunning) return;
    this.#core.halt();
    this.#startOrStop();
  }

  #startOrStop(): void {
    if (!this.#switch.on) this.#options.telegramTime.noScan(this.microseconds());
    const isUsed = this.#listeners.size > 0 || this.#core.isRecovering;
    const wanted = this.#switch.on && !this.#paused && isUsed;
    if (wanted === this.#isWanted) {
      if (wanted && !this.#core.isRunning && this.core !== undefined) this.#begin();
      return;
    }
    this.#isWanted = wanted;
    if (wanted) this.#begin();
    else this.#end();
  }

  #begin(): void {
    this.#last = undefined;
    this.#open = undefined;
    this.#core.start(
      () => this.#order,
      this.#geometry.frequency,
      () => this.#startOrStop(),
    );
  }

  #end(): void {
    this.#core.stop();
    this.#emissions.clear();
  }

  #reportUnreliable(): void {
    for (const { unreliable } of [...this.#listeners]) {
      try {
        unreliable?.();
      } catch (error) {
        this.#listenerFailed(error);
      }
    }
  }

  get #order(): MeasuringOrder {
    const { parameters } = this.#options;
    return {
      geometry: this.#geometry,
      sensitivity: parameters.read(SensitivityMode),
      longRange: parameters.read(EnableLongRangeMode),
      origin: this.#revolutions.known,
      now: () => this.microseconds(),
      bootedAt: this.bootedAt,
      clock: this.#core.clock,
    };
  }

  #received(measured: ScanBeams): void {
    if (measured.beams.first === 0) this.#faults = this.#planned;
    const shown =
      this.#faults?.disturbed(measured, this.#processingOf(measured.scan.geometry).furthest) ?? measured;
    if (shown.beams.end > shown.beams.first) this.#measured(shown);
  }

  #measured({ scan, beams: { first, end } }: ScanBeams): void {
    const present = first === 0 ? this.#beginScan(scan, end) : this.#open;
    if (present === undefined) return;
    const { processing } = present;
    const before = present.known;
    present.known = processing.add(scan, first, end, (copy) => {
      if (!isVouchedFor(scan)) {
        const invalid = invalidateBeams(copy, scan, processing.furthest, first, end);
        present.invalid ??= invalid;
      }
      roundStrengths(copy, this.#marksReflectors, first, end);
    });
    const isComplete = end === scan.geometry.beams;
    if (isComplete) this.#completed(present);
    const data = this.#dataOf(present, before, isComplete);
    if (present.isInParts) this.#emissions.addDue(data);
    else this.#emissions.add(data, scan.time);
  }

  /** @param end of the beams that have come */
  #beginScan(scan: Scan, end: number): PresentScan {
    this.#revolutions.began(scan, scan.geometry.frequency);
    this.#emissions.flush();
    if (this.#open !== undefined) this.skipped += 1;
    if (this.#last !== undefined && scan.number > this.#last + 1)
      this.skipped += scan.number - this.#last - 1;
    this.#last = scan.number;
    const processing = this.#processingOf(scan.geometry);
    const isInParts = end < scan.geometry.beams;
    const filtered = isInParts ? processing.beginParts(scan) : processing.begin(scan);
    const isOutput =
      filtered !== undefined && this.#hasListener('segment') && processing.isOutput(filtered.number);
    const stamps = isOutput ? this.#options.telegramTime.stampsOf(filtered) : rightStamps;
    this.#presentScan = filtered;
    const present = { processing, filtered, isInParts, isOutput, stamps, known: 0, invalid: undefined };
    this.#open = present;
    return present;
  }

  #completed({ filtered, invalid }: PresentScan): void {
    this.#open = undefined;
    this.#lastScan = filtered;
    this.scans += 1;
    this.#core.checkedBeams(invalid);
  }

  /** @param before number of beams that were known before */
  #dataOf(
    { processing, filtered, isOutput, stamps, known }: PresentScan,
    before: number,
    isComplete: boolean,
  ): readonly (GatheredSegment | CompleteScan)[] {
    if (filtered === undefined) return [];
    const segments = isOutput ? processing.segments(filtered, stamps, before, known) : [];
    if (!isComplete || !this.#hasListener('scan')) return segments;
    const { geometry } = filtered;
    return [...segments, { scan: filtered, dueAfter: (geometry.beams - 1) * beamInterval(geometry) }];
  }

  #hasListener(kind: keyof ScanListener): boolean {
    for (const listener of this.#listeners) if (listener[kind] !== undefined) return true;
    return false;
  }

  #processingOf(geometry: ScanGeometry): Processing {
    if (this.#processing === undefined || !sameGeometry(this.#processing.geometry, geometry)) {
      this.#processing = new Processing(geometry, this.#settings);
    }
    return this.#processing;
  }

  /** Calls all listeners, even if one throws. */
  #emit(data: GatheredSegment | CompleteScan): void {
    for (const listener of this.#listeners) {
      try {
        if (data instanceof GatheredSegment) listener.segment?.(data);
        else listener.scan?.(data.scan);
      } catch (error) {
        this.#listenerFailed(error);
      }
    }
  }

  #listenerFailed(error: unknown): void {
    const { listenerFailed, log } = this.#options;
    if (listenerFailed !== undefined) listenerFailed(error);
    else log.error('A measured scan could not be passed on', { reason: errorMessage(error) });
  }
}
