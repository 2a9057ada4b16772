import { basicSettings, performanceProfiles, type Variable } from '@azimuth/model';
import type { Announcements } from '../announcements.js';
import { GatheredSegment } from '../data-reduction/gathered-segment.js';
import type { Feature } from '../feature.js';
import type { Clock } from '../interfaces/clock.js';
import type { Log } from '../interfaces/log.js';
import type { MeasuringCore, MeasuringOrder, Motion } from '../interfaces/measuring-core.js';
import type { Conditions } from '../lifecycle/conditions.js';
import { containedClock, stackOf, wordsOf } from '../lifecycle/unexpected-errors.js';
import type { Parameters } from '../parameters/parameters.js';
import type { OutputSegment } from '../scan/output-segment.js';
import type { Scan } from '../scan/scan.js';
import { beamInterval, geometryOf, type ScanGeometry, sameGeometry } from '../scan/scan.js';
import { CoreFault, scanFault } from './core-fault.js';
import { CoreHolder, type CoreSource } from './core-source.js';
import { type Emission, EmissionQueue } from './emission-queue.js';
import { type MeasuringState, MeasuringSwitch } from './measuring-state.js';
import { Processing, processingSettings, processingVariables } from './processing.js';
import { RevolutionCount } from './rotation.js';
import type { TelegramTime, Uptime } from './telegram-time.js';

/** The motion of a scanner that stands still and upright: only gravity. */
export const atRest: Motion = {
  acceleration: [0, 0, 9.81],
  angularVelocity: [0, 0, 0],
  orientation: [1, 0, 0, 0],
};

const { AutoStartMeasure, PerformanceProfileNumber, SensitivityMode, EnableLongRangeMode } =
  basicSettings.members;
/** The variables of the order that the core gets. */
const orderVariables: readonly Variable<unknown>[] = [
  PerformanceProfileNumber,
  SensitivityMode,
  EnableLongRangeMode,
];

/** The reasons for DeviceStatus 7 while the core fails. */
export const coreFault = 'measuring core';
const motionFault = 'motion of the measuring core';
const callbackFault = 'callback of the measuring core';

/** A receiver of scans and segments. They are reused: a listener copies what it keeps. */
export interface ScanListener {
  /** Called with every segment that is put out, when its last beam was measured. */
  readonly segment?: (segment: OutputSegment) => void;
  /** Called with every filtered scan when its last beam was measured; the interval filter does not apply. */
  readonly scan?: (scan: Scan) => void;
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
  /** Applies the contamination of the front screen to a scan, before any filter. */
  readonly screen?: (scan: Scan) => void;
  /** Called when a listener throws; if missing, the error is logged. */
  readonly listenerFailed?: (error: unknown) => void;
}

/** A whole scan, which is handed out when its last beam was measured. */
interface WholeScan extends Emission {
  readonly scan: Scan;
}

/**
 * Measures while measuring is on and there are listeners: runs the core, filters each scan, and hands out its segments when
 * they are due. Without listeners the core is stopped, and nothing is computed.
 */
export class Measuring implements Feature {
  /** Scans that were computed since the process started. */
  scans = 0;
  /** Revolutions that were left out because the scanner was too late for them. */
  skipped = 0;
  readonly #options: Options;
  readonly #core: CoreHolder;
  readonly #switch: MeasuringSwitch;
  readonly #listeners = new Set<ScanListener>();
  readonly #emissions: EmissionQueue<GatheredSegment | WholeScan>;
  #processing: Processing | undefined;
  readonly #revolutions = new RevolutionCount();
  /** The running core: a new object for each order. */
  #running: { readonly core: MeasuringCore } | undefined;
  /** Motion and callbacks of a core may fail while its scans are good. */
  readonly #fault: CoreFault;
  readonly #motionFault: CoreFault;
  readonly #callbackFault: CoreFault;
  /** The number of the last scan, while the core runs. */
  #last: number | undefined;
  #lastScan: Scan | undefined;
  #paused = false;

  constructor(options: Options) {
    this.#options = options;
    this.#fault = new CoreFault(options, coreFault);
    this.#motionFault = new CoreFault(options, motionFault);
    this.#callbackFault = new CoreFault(options, callbackFault, { lingers: true });
    this.#core = new CoreHolder(options.core, (error) =>
      this.#fault.failed('The measuring core could not be made', wordsOf(error)),
    );
    this.#switch = new MeasuringSwitch(options.conditions);
    this.#emissions = new EmissionQueue(options.clock, options.uptime, (data) => this.#emit(data));
    options.conditions.onChange(() => this.#settle());
    options.announcements.subscribeTo(orderVariables, () => this.#orderChanged());
    options.announcements.subscribeTo(processingVariables, () => {
      this.#processing?.configure(processingSettings(this.#options.parameters));
    });
  }

  /** µs since the scanner came up, the time of measured data. */
  microseconds(): number {
    return this.#options.uptime.microseconds;
  }

  /** When (µs) the next scan begins, even without listeners; now, if nothing is measured. */
  get nextScan(): number {
    const now = this.microseconds();
    return this.#switch.on ? this.#revolutions.nextAfter(now) : now;
  }

  /** The core; undefined until it is needed for the first time. */
  get core(): MeasuringCore | undefined {
    return this.#core.core;
  }

  /** The motion of the scanner at a time (µs). */
  motion(time: number): Motion {
    try {
      const motion = this.core?.motion?.(time) ?? atRest;
      this.#motionFault.works();
      return motion;
    } catch (error) {
      this.#motionFault.failed('The measuring core cannot report its motion', wordsOf(error));
      return atRest;
    }
  }

  get state(): MeasuringState {
    return this.#switch.state;
  }

  /**
   * The last filtered scan; undefined if there was none since the scanner came up. It is reused for the next scan.
   */
  get lastScan(): Scan | undefined {
    return this.#lastScan;
  }

  /** Requests a state. Returns false if the device does not permit it. */
  request(state: MeasuringState): boolean {
    if (state === 'measuring' && this.state !== 'measuring') {
      this.#revolutions.start(this.microseconds(), this.#geometry.frequency);
    }
    const permitted = this.#switch.request(state);
    this.#settle();
    return permitted;
  }

  /** Adds a listener. Returns a function that removes it. */
  watch(listener: ScanListener): () => void {
    // A copy, so that the same listener can be added twice.
    const entry = { ...listener };
    this.#listeners.add(entry);
    this.#settle();
    return () => {
      this.#listeners.delete(entry);
      this.#settle();
    };
  }

  /** The core, made if it does not exist yet; undefined if that fails. */
  async coreMade(): Promise<MeasuringCore | undefined> {
    const core = await this.#core.made();
    this.#settle();
    return core;
  }

  /** Resolves when the core is made; undefined if it exists already. */
  get preparing(): Promise<unknown> | undefined {
    return this.core === undefined ? this.coreMade() : undefined;
  }

  /** Measures nothing until `resume`; revolutions are counted on. */
  pause(): void {
    this.#paused = true;
    this.#settle();
  }

  resume(): void {
    this.#paused = false;
    this.#settle();
  }

  /** A boot: counts from the first scan. */
  boot(): void {
    for (const fault of [this.#fault, this.#motionFault, this.#callbackFault]) fault.reset();
    this.#lastScan = undefined;
    this.#revolutions.restart(this.#geometry.frequency);
    this.#switch.boot(this.#options.parameters.read(AutoStartMeasure) ? 'measuring' : 'stopped');
    this.#settle();
  }

  /** The scanner goes down, for a reboot or for good. */
  down(): void {
    this.#switch.down();
    this.#settle();
  }

  get #geometry(): ScanGeometry {
    return geometryOf(performanceProfiles[this.#options.parameters.read(PerformanceProfileNumber)]);
  }

  /** The current revolution ends as it began; the new order applies from the next one on. */
  #orderChanged(): void {
    this.#revolutions.changeFrequency(this.microseconds(), this.#geometry.frequency);
    if (this.#running === undefined) return;
    this.#halt();
    this.#settle();
  }

  #settle(): void {
    if (!this.#switch.on) this.#options.telegramTime.noScan(this.microseconds());
    const wanted = this.#switch.on && !this.#paused && this.#listeners.size > 0;
    if (wanted === (this.#running !== undefined)) return;
    if (wanted) this.#begin();
    else this.#end();
  }

  #begin(): void {
    const core = this.#core.need(() => this.#settle());
    if (core === undefined) return;
    const running = { core };
    this.#running = running;
    this.#last = undefined;
    this.#run('The measuring core does not start', () =>
      core.start(this.#order, (scan) => {
        if (this.#running === running) this.#handedOver(scan);
      }),
    );
  }

  #end(): void {
    this.#halt();
    this.#emissions.clear();
  }

  #halt(): void {
    const running = this.#running;
    this.#running = undefined;
    if (running !== undefined) this.#run('The measuring core does not stop', () => running.core.stop());
  }

  /** Calls a method of the core. If it returns a promise, its failure counts, but nothing waits for it. */
  #run(fault: string, act: () => unknown): void {
    const failed = (error: unknown) => this.#fault.failed(fault, wordsOf(error));
    try {
      const done = act();
      if (done instanceof Promise) done.catch(failed);
    } catch (error) {
      failed(error);
    }
  }

  /** Runs a callback that the core has registered at its clock. */
  #callBack(callback: () => unknown): void {
    const fault = this.#callbackFault;
    const failed = (error: unknown) => fault.failed('The measuring core fails in a callback', stackOf(error));
    try {
      const done = callback();
      if (done instanceof Promise) done.catch(failed);
      else fault.works();
    } catch (error) {
      failed(error);
    }
  }

  get #order(): MeasuringOrder {
    const { parameters, clock } = this.#options;
    return {
      geometry: this.#geometry,
      sensitivity: parameters.read(SensitivityMode),
      longRange: parameters.read(EnableLongRangeMode),
      origin: this.#revolutions.known,
      now: () => this.microseconds(),
      clock: containedClock(clock, (callback) => this.#callBack(callback)),
    };
  }

  /** Takes a scan from the core. Errors are not thrown into the core. */
  #handedOver(scan: Scan): void {
    try {
      this.#measured(scan);
    } catch (error) {
      this.#fault.failed('What the measuring core hands over cannot be used', stackOf(error));
    }
  }

  #measured(scan: Scan): void {
    const fault = scanFault(scan, this.#last);
    if (fault !== undefined) {
      this.#fault.failed('The measuring core passed something that is not a scan', fault);
      return;
    }
    this.#fault.works();
    this.#revolutions.began(scan, scan.geometry.frequency);
    this.#emissions.flush();
    const processing = this.#processingOf(scan.geometry);
    if (this.#last !== undefined && scan.number > this.#last + 1)
      this.skipped += scan.number - this.#last - 1;
    this.#last = scan.number;
    this.scans += 1;
    const filtered = processing.take(scan, this.#options.screen);
    this.#lastScan = filtered;
    this.#emissions.take(this.#dataOf(processing, filtered), scan.time);
  }

  #dataOf(processing: Processing, scan: Scan): readonly (GatheredSegment | WholeScan)[] {
    const isPutOut = this.#has('segment') && processing.isPutOut(scan.number);
    const segments = isPutOut ? this.#segmentsOf(processing, scan) : [];
    if (!this.#has('scan')) return segments;
    return [...segments, { scan, dueAfter: (scan.geometry.beams - 1) * beamInterval(scan.geometry) }];
  }

  #segmentsOf(processing: Processing, scan: Scan): readonly GatheredSegment[] {
    // The offset at the middle of the scan, so that rounding at its beginning does not matter.
    const middle = scan.time + 500_000 / scan.geometry.frequency;
    return processing.segments(scan, this.#options.telegramTime.offsetAt(middle));
  }

  #has(kind: keyof ScanListener): boolean {
    for (const listener of this.#listeners) if (listener[kind] !== undefined) return true;
    return false;
  }

  #processingOf(geometry: ScanGeometry): Processing {
    if (this.#processing === undefined || !sameGeometry(this.#processing.geometry, geometry)) {
      this.#processing = new Processing(geometry, processingSettings(this.#options.parameters));
    }
    return this.#processing;
  }

  /** If a listener throws, the others are still called. */
  #emit(data: GatheredSegment | WholeScan): void {
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
    else log.error('A measured scan could not be passed on', { reason: wordsOf(error) });
  }
}
