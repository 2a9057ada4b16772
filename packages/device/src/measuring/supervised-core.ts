import type { BeamRange } from '../data-reduction/output-segments.js';
import type { Clock, Log } from '../interfaces/environment.js';
import type { CoreFaults } from '../interfaces/faults.js';
import type { MeasuringCore, MeasuringOrder, Motion } from '../interfaces/measuring-core.js';
import type { Conditions } from '../lifecycle/conditions.js';
import { containedClock, errorMessage, RecurringError, stackOf } from '../lifecycle/unexpected-errors.js';
import { Scan } from '../scan/scan.js';
import { atRest, CoreHolder, type CoreSource, checkedDistance, checkedMotion } from './core-source.js';
import { ScanPace, toleratedScans } from './scan-check.js';
import { ScanParts } from './scan-parts.js';
import { markReceived } from './vouched-scans.js';

/** Number of revolutions without a scan after which the core is silent. */
const silentRevolutions = 3;
/** Time limits in ms: for the first scan after `start`, and for the creation of the core. */
const startTimeLimit = 3000;
const creationTimeLimit = 30_000;

interface Options {
  readonly core: CoreSource;
  readonly conditions: Conditions;
  readonly clock: Clock;
  readonly log: Log;
  /** µs since the scanner came up. */
  readonly now: () => number;
  /** Start (µs) of the next revolution. */
  readonly nextScan: () => number;
  /**
   * Receives beams of a usable scan: all of them, or those that have come since the last call. A scan begins with its
   * beam 0, and may end without the rest. An exception counts as an error of the core.
   */
  readonly measured: (scan: Scan, beams: BeamRange) => void;
  /** Called when `isReliable` has become false. */
  readonly unreliable: () => void;
  /** Planned faults of the core. */
  readonly faults?: () => CoreFaults | undefined;
}

/** A running core, for one order. */
interface Running {
  readonly core: MeasuringCore;
  /** Hz. */
  readonly frequency: number;
  readonly pace: ScanPace;
  readonly parts: ScanParts;
  /** True while the promise of `start` is pending. */
  isStarting: boolean;
  hasMeasured: boolean;
}

/**
 * Contains the errors of a core. If a core throws, passes a wrong value or does not respond, the log gets one line, and
 * DeviceStatus is 7 until the core works again. Nothing waits for the core.
 */
export class SupervisedCore {
  readonly #options: Options;
  readonly #holder: CoreHolder;
  readonly #coreError: RecurringError;
  /** Separate errors for beams, motion and callbacks, because the scans of such a core may be valid. */
  readonly #beamError: RecurringError;
  readonly #motionError: RecurringError;
  readonly #travelledError: RecurringError;
  readonly #callbackError: RecurringError;
  readonly #silence: ScanSilence;
  #isSilent = false;
  /** Cancels the reaction to a core that stays silent. */
  #cancelTimeLimit: (() => void) | undefined;
  /** A new object for each order. */
  #running: Running | undefined;
  /** True if the core has passed scans, and has not failed to start since. */
  #canMeasure = false;
  /** Number of successive scans with invalid beams. */
  #invalidScans = 0;

  constructor(options: Options) {
    this.#options = options;
    this.#coreError = new RecurringError(options, 'measuring core');
    this.#beamError = new RecurringError(options, 'values of the measuring core');
    this.#motionError = new RecurringError(options, 'motion of the measuring core');
    this.#travelledError = new RecurringError(options, 'distance of the measuring core');
    this.#callbackError = new RecurringError(options, 'callback of the measuring core', { lingers: true });
    this.#silence = new ScanSilence(options.clock, () => this.#fellSilent());
    this.#holder = new CoreHolder(options.core, (error) =>
      this.#failed('The measuring core could not be made', errorMessage(error)),
    );
  }

  /** The core. Undefined before its first use. */
  get core(): MeasuringCore | undefined {
    return this.#holder.core;
  }

  /** The core. It is created if it does not exist yet. Undefined if that fails. */
  made(): Promise<MeasuringCore | undefined> {
    return this.#holder.made();
  }

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  /** True if the core works. While it measures, its last scan must be at most three revolutions old. */
  get isReliable(): boolean {
    return !this.#isSilent && !this.#coreError.holds;
  }

  /**
   * True from a failure of a core that had measured, until it works again. Only its scans can show that, so that it has to
   * measure even if nobody uses them. A core that does not start is not started again for that.
   */
  get isRecovering(): boolean {
    return this.#canMeasure && (this.#coreError.holds || this.#beamError.holds);
  }

  /** Called at a boot: forgets all errors. */
  boot(): void {
    const ofValues = [this.#beamError, this.#motionError, this.#travelledError];
    for (const error of [this.#coreError, ...ofValues, this.#callbackError]) error.reset();
    this.#invalidScans = 0;
  }

  /**
   * Starts to measure. If the core does not exist yet, it is created, and `ready` is called then: call `start` again.
   * @param frequency Hz, as ordered
   */
  start(order: () => MeasuringOrder, frequency: number, ready: () => void): void {
    const core = this.#holder.need(ready);
    const own = frequencyOf(core, frequency);
    this.#expectScans(own);
    if (core === undefined) return;
    const { now, clock } = this.#options;
    const pace = new ScanPace(own);
    const failed = (message: string, reason: string) => this.#failed(message, reason);
    const parts = new ScanParts({ pace, now, utc: () => clock.utc(), failed });
    const running: Running = {
      ...{ core, frequency: own, pace, parts },
      ...{ isStarting: false, hasMeasured: false },
    };
    this.#running = running;
    const receive = (scan: Scan, beams?: number) => {
      if (this.#running !== running) return;
      // What is no scan is refused as ever.
      if (!(scan instanceof Scan)) return this.#receive(scan, beams, running);
      markReceived(scan, receive);
      const faults = this.#options.faults?.();
      const passed = faults === undefined ? scan : faults.passed(scan);
      if (passed !== undefined) this.#receive(passed, beams, running);
    };
    this.#run('The measuring core does not start', () => core.start(order(), receive), running);
  }

  /** Stops the core for a new order. The next start follows at once. */
  halt(): void {
    const running = this.#running;
    this.#running = undefined;
    if (running !== undefined) this.#run('The measuring core does not stop', () => running.core.stop());
  }

  /** Stops measuring. */
  stop(): void {
    this.halt();
    this.#silence.end();
    this.#clearSilence();
  }

  /** Maximum error in ms of the times of scans, as the core states it. */
  get timeError(): number | undefined {
    try {
      const error = this.core?.timeError;
      return Number.isFinite(error) ? error : undefined;
    } catch {
      return undefined;
    }
  }

  /** The distance travelled up to a time (µs) in m; undefined if the core does not tell it, or fails to. */
  travelled(time: number, bootedAt: number): number | undefined {
    if (this.core?.travelled === undefined) return undefined;
    try {
      const travelled = checkedDistance(this.core.travelled(time, bootedAt));
      this.#travelledError.works();
      return travelled;
    } catch (error) {
      this.#travelledError.failed(
        'The measuring core cannot report the distance travelled',
        errorMessage(error),
      );
      return undefined;
    }
  }

  /** The motion of the scanner at a time (µs). @param bootedAt ms of the monotonic clock at its zero */
  motion(time: number, bootedAt: number): Motion {
    try {
      const motion = checkedMotion(this.core?.motion?.(time, bootedAt) ?? atRest);
      this.#motionError.works();
      return motion;
    } catch (error) {
      this.#motionError.failed('The measuring core cannot report its motion', errorMessage(error));
      return atRest;
    }
  }

  /**
   * Reports for each scan if its beams are valid.
   * @param invalid the problem of a beam; undefined if all are valid
   */
  checkedBeams(invalid: string | undefined): void {
    this.#invalidScans = invalid === undefined ? 0 : this.#invalidScans + 1;
    if (invalid === undefined) this.#beamError.works();
    else if (this.#invalidScans >= toleratedScans) {
      this.#beamError.failed('The measuring core passes values that no measurement can have', invalid);
    }
  }

  /** The clock for the core: an exception in its callbacks counts as an error of the core. */
  get clock(): Clock {
    return containedClock(this.#options.clock, (callback) => this.#callBack(callback));
  }

  #callBack(callback: () => unknown): void {
    const callbackError = this.#callbackError;
    const failed = (error: unknown) =>
      callbackError.failed('The measuring core fails in a callback', stackOf(error));
    try {
      const done = callback();
      if (done instanceof Promise) done.catch(failed);
      else callbackError.works();
    } catch (error) {
      failed(error);
    }
  }

  /** Calls a method of the core. If it returns a promise, its failure counts, but nothing waits for it. */
  #run(message: string, act: () => unknown, running?: Running): void {
    const failed = (error: unknown) => {
      if (running !== undefined) this.#canMeasure = false;
      this.#failed(message, errorMessage(error));
    };
    try {
      const done = act();
      if (!(done instanceof Promise)) return;
      if (running !== undefined) running.isStarting = true;
      done.then(() => this.#started(running)).catch(failed);
    } catch (error) {
      failed(error);
    }
  }

  /** Called when a promise of `start` has resolved: scans are expected from now on. */
  #started(running: Running | undefined): void {
    if (running === undefined || running !== this.#running) return;
    running.isStarting = false;
    if (!running.hasMeasured) this.#expectScans(running.frequency);
  }

  #expectScans(frequency: number): void {
    const { nextScan, now } = this.#options;
    this.#clearSilence();
    const timeout = (silentRevolutions * 1000) / frequency;
    // A revolution that has begun is not measured.
    const wait = Math.max(0, nextScan() - now()) / 1000;
    this.#silence.expect(timeout, wait + timeout);
  }

  /** Receives a scan of the core, or a part of it. Never throws errors into the core. */
  #receive(scan: Scan, beams: number | undefined, running: Running): void {
    const { parts, pace } = running;
    running.hasMeasured = true;
    this.#canMeasure = true;
    let range: BeamRange | undefined;
    try {
      range = parts.receive(scan, beams);
      // A core that completes no scan is silent.
      if (!parts.isOpen) this.#scanReceived();
      if (range === undefined) return;
      if (!parts.isOpen) this.#checkRate(pace.wrongRate(scan));
      this.#options.measured(scan, range);
    } catch (error) {
      if (range !== undefined) parts.refuseRest();
      this.#failed('What the measuring core hands over cannot be used', stackOf(error));
    }
  }

  #scanReceived(): void {
    this.#silence.scanReceived();
    this.#clearSilence();
  }

  #checkRate(wrongRate: string | undefined): void {
    if (wrongRate === undefined) this.#coreError.works();
    else this.#failed('The measuring core does not measure as ordered', wrongRate);
  }

  /**
   * Called when no scan has come for three revolutions. A core that is created or starts may take longer, and a
   * recording has an end.
   */
  #fellSilent(): void {
    this.#isSilent = true;
    this.#options.unreliable();
    const running = this.#running;
    // An earlier report about the core explains its silence.
    if (this.#coreError.holds) return;
    if (running === undefined) {
      this.#failAfter(creationTimeLimit, 'The measuring core could not be made', 'it has not come');
    } else if (running.isStarting && !running.hasMeasured) {
      this.#failAfter(startTimeLimit, 'The measuring core does not start', '`start` has not resolved');
    } else if (!isFinished(running.core)) {
      const milliseconds = Math.round((silentRevolutions * 1000) / running.frequency);
      const reason = `no scan for ${silentRevolutions} revolutions (${milliseconds} ms)`;
      this.#failed('The measuring core is silent', reason);
    }
  }

  /** @param milliseconds time limit for a scan; after it, the silence counts as an error */
  #failAfter(milliseconds: number, message: string, reason: string): void {
    this.#cancelTimeLimit = this.#options.clock.after(milliseconds, () => {
      this.#canMeasure = false;
      this.#failed(message, `${reason} for more than ${milliseconds / 1000} s`);
    });
  }

  #failed(message: string, reason: string): void {
    this.#coreError.failed(message, reason);
    this.#options.unreliable();
  }

  #clearSilence(): void {
    this.#isSilent = false;
    this.#cancelTimeLimit?.();
    this.#cancelTimeLimit = undefined;
  }
}

/** Scan rate of the core in Hz. */
function frequencyOf(core: MeasuringCore | undefined, ordered: number): number {
  try {
    const own = core?.frequency ?? ordered;
    return own > 0 && own <= 1000 ? own : ordered;
  } catch {
    return ordered;
  }
}

function isFinished(core: MeasuringCore): boolean {
  try {
    return core.finished === true;
  } catch {
    return false;
  }
}

/** Tolerance of half a microsecond, in ms, so that the rounding of the clock starts no timer. */
const tolerance = 0.0005;
/** Delay of a check (ms) above which the process was busy. */
const late = 5;

/**
 * Watches that scans come. If the process was too busy to check in time, scans may wait, too: it checks once more after
 * the same time.
 */
class ScanSilence {
  readonly #clock: Clock;
  readonly #silent: () => void;
  /** ms. */
  #timeout = 0;
  /** Time (ms of the monotonic clock) at which the core becomes silent. */
  #due = 0;
  #isLate = false;
  /** Time of the next check. */
  #checkedAt = 0;
  #cancel: (() => void) | undefined;
  readonly #checked = () => this.#check();

  /** @param silent called when no scan has come for the expected time */
  constructor(clock: Clock, silent: () => void) {
    this.#clock = clock;
    this.#silent = silent;
  }

  /** Expects a scan within this time (ms), and the first one within `first`. */
  expect(timeout: number, first = timeout): void {
    this.end();
    this.#timeout = timeout;
    this.#due = this.#now + first;
    this.#schedule(first);
  }

  /**
   * Called for each scan. Starts a timer only if none is running that ends in time, because there are up to 50 scans a
   * second. The first timer may end later: the core may need time to begin.
   */
  scanReceived(): void {
    this.#due = this.#now + this.#timeout;
    this.#isLate = false;
    if (this.#cancel !== undefined && this.#checkedAt <= this.#due) return;
    this.#cancel?.();
    this.#schedule(this.#timeout);
  }

  /** Expects no scans. */
  end(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#isLate = false;
  }

  get #now(): number {
    return this.#clock.monotonic();
  }

  #schedule(wait: number): void {
    this.#checkedAt = this.#now + wait;
    this.#cancel = this.#clock.after(wait, this.#checked);
  }

  #check(): void {
    this.#cancel = undefined;
    const left = this.#due - this.#now;
    if (left > tolerance) {
      this.#schedule(left);
      return;
    }
    if (-left > late && !this.#isLate) {
      this.#isLate = true;
      this.#due = this.#now + this.#timeout;
      this.#schedule(this.#timeout);
      return;
    }
    this.#silent();
  }
}
