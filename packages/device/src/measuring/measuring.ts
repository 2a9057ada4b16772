import { basicSettings, performanceProfiles, type Variable } from '@azimuth/model';
import type { Announcements } from '../announcements.js';
import type { Feature } from '../feature.js';
import type { Clock } from '../interfaces/clock.js';
import type { Log } from '../interfaces/log.js';
import type { MeasuringCore, MeasuringOrder, Motion } from '../interfaces/measuring-core.js';
import type { Conditions } from '../lifecycle/conditions.js';
import { containedClock, stackOf, wordsOf } from '../lifecycle/unexpected-errors.js';
import type { Parameters } from '../parameters/parameters.js';
import type { OutputSegment } from '../scan/output-segment.js';
import type { Scan } from '../scan/scan.js';
import { beamInterval, geometryOf, type ScanGeometry, sameGeometry } from '../scan/scan-geometry.js';
import { CoreFault } from './core-fault.js';
import { CoreInPlace, type CoreSource } from './core-source.js';
import { type Emission, EmissionQueue } from './emission.js';
import type { Processing } from './processing.js';
import { processingLater } from './processing-later.js';
import { processingSettings, processingVariables } from './processing-settings.js';
import { scanFault } from './scan-fault.js';
import { type MeasuringState, MeasuringSwitch } from './state.js';
import type { TelegramTime } from './telegram-time.js';
import { TurnCount } from './turn-count.js';
import type { Uptime } from './uptime.js';

/** A scanner that does not move and stands upright: what it feels is gravity. */
export const atRest: Motion = {
  acceleration: [0, 0, 9.81],
  angularVelocity: [0, 0, 0],
  orientation: [1, 0, 0, 0],
};

const { AutoStartMeasure, PerformanceProfileNumber, SensitivityMode, EnableLongRangeMode } =
  basicSettings.members;
/** What the core measures by. */
const orderVariables: readonly Variable<unknown>[] = [
  PerformanceProfileNumber,
  SensitivityMode,
  EnableLongRangeMode,
];

/** Why DeviceStatus is 7 while the core fails. */
export const coreFault = 'measuring core';
const motionFault = 'motion of the measuring core';
const callbackFault = 'callback of the measuring core';

/** Somebody who looks at what the scanner measures. What is handed over is used again: copy what is to be kept. */
export interface Viewer {
  /** Gets every segment that is put out, when its last beam was measured. */
  readonly segment?: (segment: OutputSegment) => void;
  /** Gets every scan as the filters leave it, when its last beam was measured; the interval filter hides none. */
  readonly scan?: (scan: Scan) => void;
}

interface Facts {
  readonly core: CoreSource;
  readonly parameters: Parameters;
  readonly announcements: Announcements;
  readonly conditions: Conditions;
  readonly clock: Clock;
  readonly uptime: Uptime;
  readonly telegramTime: TelegramTime;
  readonly log: Log;
  /** What the front screen does to a scan, before any filter. */
  readonly screen?: (scan: Scan) => void;
  /** Told of a viewer that fails; the log is where it is not stated. */
  readonly viewerFailed?: (error: unknown) => void;
}

interface Part extends Emission {
  readonly segment?: OutputSegment;
  readonly scan?: Scan;
}

/**
 * Measures while it is to and somebody looks: has the core turn, runs each scan through the filters, and hands out its
 * segments as they fall due. Without a viewer the core is at rest, and nothing is computed.
 */
export class Measuring implements Feature {
  /** What the filters and regions of interest do, it does as it goes. */
  readonly heeds = processingVariables;
  /** Scans that were computed since the process started. */
  scans = 0;
  /** Turns that were left out because the scanner was too late for them. */
  skipped = 0;
  readonly #facts: Facts;
  readonly #core: CoreInPlace;
  readonly #switch: MeasuringSwitch;
  readonly #viewers = new Set<Viewer>();
  readonly #emissions: EmissionQueue<Part>;
  #processing: Processing | undefined;
  readonly #turns = new TurnCount();
  /** The core that turns now, once for each order. */
  #turning: { readonly core: MeasuringCore } | undefined;
  /** A core may tell no motion, or fail in a callback, while its scans are as they should be. */
  readonly #fault: CoreFault;
  readonly #motionFault: CoreFault;
  readonly #callbackFault: CoreFault;
  /** The number of the last scan, while the core turns. */
  #last: number | undefined;
  #lastScan: Scan | undefined;
  #paused = false;

  constructor(facts: Facts) {
    this.#facts = facts;
    this.#fault = new CoreFault(facts, coreFault);
    this.#motionFault = new CoreFault(facts, motionFault);
    this.#callbackFault = new CoreFault(facts, callbackFault, { lingers: true });
    this.#core = new CoreInPlace(facts.core, (error) =>
      this.#fault.failed('The measuring core could not be made', wordsOf(error)),
    );
    this.#switch = new MeasuringSwitch(facts.conditions);
    this.#emissions = new EmissionQueue(facts.clock, facts.uptime, (part) => this.#emit(part));
    facts.conditions.onChange(() => this.#settle());
    facts.announcements.subscribeTo(orderVariables, () => this.#orderChanged());
    facts.announcements.subscribeTo(processingVariables, () => {
      this.#processing?.configure(processingSettings(this.#facts.parameters));
    });
  }

  /** µs since the scanner came up: what measured data is stamped with. */
  microseconds(): number {
    return this.#facts.uptime.microseconds;
  }

  /** When (µs) the next scan begins, be it looked at or not; now, while nothing is measured. */
  get nextScan(): number {
    const now = this.microseconds();
    return this.#switch.on ? this.#turns.nextAfter(now) : now;
  }

  /** What measures, once it is there: it is made when it is needed for the first time. */
  get core(): MeasuringCore | undefined {
    return this.#core.core;
  }

  /** How the scanner moves at this time (µs). */
  motion(time: number): Motion {
    try {
      const motion = this.core?.motion?.(time) ?? atRest;
      this.#motionFault.works();
      return motion;
    } catch (error) {
      this.#motionFault.failed('The measuring core does not tell its motion', wordsOf(error));
      return atRest;
    }
  }

  get state(): MeasuringState {
    return this.#switch.state;
  }

  /**
   * The scan that somebody looked at last, as the filters left it; undefined where nobody has since the scanner came up.
   * It is used again for the next one.
   */
  get lastScan(): Scan | undefined {
    return this.#lastScan;
  }

  /** Asks it to measure or to stop. False where the state of the device does not permit that. */
  ask(state: MeasuringState): boolean {
    if (state === 'measuring' && this.state !== 'measuring') {
      this.#turns.start(this.microseconds(), this.#geometry.frequency);
    }
    const permitted = this.#switch.ask(state);
    this.#settle();
    return permitted;
  }

  /** Looks at what is measured from now on. Returns how to stop it. */
  watch(viewer: Viewer): () => void {
    // An object of its own: one viewer may look twice.
    const entry = { ...viewer };
    this.#viewers.add(entry);
    this.#settle();
    return () => {
      this.#viewers.delete(entry);
      this.#settle();
    };
  }

  /** The core, for what it tells or takes beside scans: made where it is not there yet; undefined where that fails. */
  async coreMade(): Promise<MeasuringCore | undefined> {
    const core = await this.#core.made();
    this.#settle();
    return core;
  }

  /** Is fulfilled when whoever watches gets the next scan; undefined where nothing has to be made for that. */
  get preparing(): Promise<unknown> | undefined {
    return this.#core.isReady ? undefined : this.coreMade();
  }

  /** Measures nothing until `resume`; the mirror is taken to turn on. */
  pause(): void {
    this.#paused = true;
    this.#settle();
  }

  resume(): void {
    this.#paused = false;
    this.#settle();
  }

  /** Comes up: with the parameters as they were stored, counting from the first scan. */
  boot(): void {
    for (const fault of [this.#fault, this.#motionFault, this.#callbackFault]) fault.reset();
    this.#lastScan = undefined;
    this.#turns.restart(this.#geometry.frequency);
    this.#switch.boot(this.#facts.parameters.read(AutoStartMeasure) ? 'measuring' : 'stopped');
    this.#settle();
  }

  /** Goes down: for a reboot, or for good. */
  down(): void {
    this.#switch.down();
    this.#settle();
  }

  get #geometry(): ScanGeometry {
    return geometryOf(performanceProfiles[this.#facts.parameters.read(PerformanceProfileNumber)]);
  }

  /** The turn under way is finished as it was begun; the next one follows it, measured in the new way. */
  #orderChanged(): void {
    this.#turns.changeRate(this.microseconds(), this.#geometry.frequency);
    if (this.#turning === undefined) return;
    this.#halt();
    this.#settle();
  }

  #settle(): void {
    if (!this.#switch.on) this.#facts.telegramTime.noScan(this.microseconds());
    const wanted = this.#switch.on && !this.#paused && this.#viewers.size > 0;
    if (wanted === (this.#turning !== undefined)) return;
    if (wanted) this.#begin();
    else this.#end();
  }

  #begin(): void {
    const core = this.#core.need(() => this.#settle());
    const Steps = processingLater.part;
    if (core === undefined || Steps === undefined) return;
    const turning = { core };
    this.#turning = turning;
    this.#last = undefined;
    this.#ask('The measuring core does not start', () =>
      core.start(this.#order, (scan) => {
        if (this.#turning === turning) this.#handedOver(scan, Steps);
      }),
    );
  }

  #end(): void {
    this.#halt();
    this.#emissions.clear();
  }

  #halt(): void {
    const turning = this.#turning;
    this.#turning = undefined;
    if (turning !== undefined) this.#ask('The measuring core does not stop', () => turning.core.stop());
  }

  /** Has the core do something. A core may be asynchronous, though nobody waits for it. */
  #ask(fault: string, act: () => unknown): void {
    const failed = (error: unknown) => this.#fault.failed(fault, wordsOf(error));
    try {
      const done = act();
      if (done instanceof Promise) done.catch(failed);
    } catch (error) {
      failed(error);
    }
  }

  /** Runs what the core has booked at the clock that it was given. */
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
    const { parameters, clock } = this.#facts;
    return {
      geometry: this.#geometry,
      sensitivity: parameters.read(SensitivityMode),
      longRange: parameters.read(EnableLongRangeMode),
      origin: this.#turns.known,
      now: () => this.microseconds(),
      clock: containedClock(clock, (callback) => this.#callBack(callback)),
    };
  }

  /** Whatever is wrong with it, the core hears nothing of that: it may have other things to do. */
  #handedOver(scan: Scan, Steps: typeof Processing): void {
    try {
      this.#measured(scan, Steps);
    } catch (error) {
      this.#fault.failed('What the measuring core hands over cannot be used', stackOf(error));
    }
  }

  #measured(scan: Scan, Steps: typeof Processing): void {
    const fault = scanFault(scan, this.#last);
    if (fault !== undefined) {
      this.#fault.failed('The measuring core hands over what is no scan', fault);
      return;
    }
    this.#fault.works();
    this.#turns.began(scan, scan.geometry.frequency);
    this.#emissions.flush();
    const processing = this.#processingOf(scan.geometry, Steps);
    if (this.#last !== undefined && scan.number > this.#last + 1)
      this.skipped += scan.number - this.#last - 1;
    this.#last = scan.number;
    this.scans += 1;
    const filtered = processing.take(scan, this.#facts.screen);
    this.#lastScan = filtered;
    this.#emissions.take(this.#partsOf(processing, filtered), scan.time);
  }

  #partsOf(processing: Processing, scan: Scan): readonly Part[] {
    const parts: Part[] = [];
    if (this.#has('segment') && processing.isPutOut(scan.number)) {
      // By the middle of the turn, whatever the last bits say of its beginning: one scan has one time.
      const middle = scan.time + 500_000 / scan.geometry.frequency;
      const timeOffset = this.#facts.telegramTime.offsetAt(middle);
      for (const segment of processing.segments(scan, timeOffset))
        parts.push({ segment, dueAfter: segment.dueAfter });
    }
    if (this.#has('scan')) {
      parts.push({ scan, dueAfter: (scan.geometry.beams - 1) * beamInterval(scan.geometry) });
    }
    return parts;
  }

  #has(wish: keyof Viewer): boolean {
    for (const viewer of this.#viewers) if (viewer[wish] !== undefined) return true;
    return false;
  }

  #processingOf(geometry: ScanGeometry, Steps: typeof Processing): Processing {
    if (this.#processing === undefined || !sameGeometry(this.#processing.geometry, geometry)) {
      this.#processing = new Steps(geometry, processingSettings(this.#facts.parameters));
    }
    return this.#processing;
  }

  /** A viewer that throws keeps nothing from the others. */
  #emit({ segment, scan }: Part): void {
    for (const viewer of this.#viewers) {
      try {
        if (segment !== undefined) viewer.segment?.(segment);
        if (scan !== undefined) viewer.scan?.(scan);
      } catch (error) {
        this.#viewerFailed(error);
      }
    }
  }

  #viewerFailed(error: unknown): void {
    const { viewerFailed, log } = this.#facts;
    if (viewerFailed !== undefined) viewerFailed(error);
    else log.error('What was measured could not be passed on', { reason: wordsOf(error) });
  }
}
