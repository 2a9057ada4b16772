import { basicSettings, performanceProfiles, type Variable } from '@azimuth/model';
import type { Announcements } from '../announcements.js';
import type { Conditions } from '../lifecycle/condition.js';
import type { Parameters } from '../parameters/parameters.js';
import type { Clock } from '../ports/clock.js';
import type { Log } from '../ports/host.js';
import type { MeasuringCore, MeasuringOrder, Motion } from '../ports/measuring-core.js';
import { atRest } from './at-rest.js';
import { CoreInPlace, type CoreSource } from './core-source.js';
import { type Emission, EmissionQueue } from './emission.js';
import type { OutputSegment } from './output-segment.js';
import type { Processing } from './processing.js';
import { processingLater } from './processing-later.js';
import { processingSettings, processingVariables } from './processing-settings.js';
import type { Scan } from './scan.js';
import { scanFault } from './scan-fault.js';
import { beamInterval, geometryOf, type ScanGeometry, sameGeometry } from './scan-geometry.js';
import { type MeasuringState, MeasuringSwitch } from './state.js';
import { TurnCount } from './turn-count.js';
import type { Uptime } from './uptime.js';

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
  readonly log: Log;
  /** What the front screen does to a scan, before any filter. */
  readonly screen?: (scan: Scan) => void;
}

interface Part extends Emission {
  readonly segment?: OutputSegment;
  readonly scan?: Scan;
}

/**
 * Measures while it is to and somebody looks: has the core turn, runs each scan through the filters, and hands out its
 * segments as they fall due. Without a viewer the core is at rest, and nothing is computed.
 */
export class Measuring {
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
  /** What the log was told of a core that fails. */
  #complaint: string | undefined;
  #noMotion = false;
  /** The number of the last scan, while the core turns. */
  #last: number | undefined;
  #lastScan: Scan | undefined;
  #paused = false;

  constructor(facts: Facts) {
    this.#facts = facts;
    this.#core = new CoreInPlace(facts.core, (error) =>
      this.#coreFailed('The measuring core could not be made', String(error)),
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

  /** What measures, once it is there: it is made when it is needed for the first time. */
  get core(): MeasuringCore | undefined {
    return this.#core.core;
  }

  /** How the scanner moves at this time (µs). */
  motion(time: number): Motion {
    try {
      const motion = this.core?.motion?.(time) ?? atRest;
      this.#motionFails(false);
      return motion;
    } catch (error) {
      if (!this.#noMotion) {
        this.#facts.log.error('The measuring core does not tell its motion', { reason: String(error) });
      }
      this.#motionFails(true);
      return atRest;
    }
  }

  /** It has a reason of its own: scans may be as they should meanwhile. */
  #motionFails(fails: boolean): void {
    if (this.#noMotion === fails) return;
    this.#noMotion = fails;
    this.#facts.conditions.set('DS_RecoverableError', motionFault, fails);
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
    try {
      core.start(this.#order, (scan) => {
        if (this.#turning === turning) this.#measured(scan, Steps);
      });
    } catch (error) {
      this.#coreFailed('The measuring core does not start', String(error));
    }
  }

  #end(): void {
    this.#halt();
    this.#emissions.clear();
  }

  #halt(): void {
    const turning = this.#turning;
    this.#turning = undefined;
    try {
      turning?.core.stop();
    } catch (error) {
      this.#coreFailed('The measuring core does not stop', String(error));
    }
  }

  /** Told once, until it works again: a core that fails may do so a hundred times a second. */
  #coreFailed(what: string, reason: string): void {
    if (this.#complaint === what) return;
    this.#complaint = what;
    this.#facts.log.error(what, { reason });
    this.#facts.conditions.set('DS_RecoverableError', coreFault, true);
  }

  #coreWorks(): void {
    if (this.#complaint === undefined) return;
    this.#complaint = undefined;
    this.#facts.conditions.set('DS_RecoverableError', coreFault, false);
  }

  get #order(): MeasuringOrder {
    const { parameters, clock } = this.#facts;
    return {
      geometry: this.#geometry,
      sensitivity: parameters.read(SensitivityMode),
      longRange: parameters.read(EnableLongRangeMode),
      origin: this.#turns.known,
      now: () => this.microseconds(),
      clock,
    };
  }

  #measured(scan: Scan, Steps: typeof Processing): void {
    const fault = scanFault(scan, this.#last);
    if (fault !== undefined) {
      this.#coreFailed('The measuring core hands over what is no scan', fault);
      return;
    }
    this.#coreWorks();
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
      for (const segment of processing.segments(scan)) parts.push({ segment, dueAfter: segment.dueAfter });
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
        this.#facts.log.error('What was measured could not be passed on', { reason: String(error) });
      }
    }
  }
}
