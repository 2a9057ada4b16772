import { isDeepStrictEqual } from 'node:util';
import { Timeout } from '../clock/timeout.js';
import type { Feature } from '../feature.js';
import type { Clock } from '../interfaces/environment.js';
import type { Sensor } from '../interfaces/hardware/index.js';
import type { UnexpectedErrors } from '../lifecycle/unexpected-errors.js';
import type { ContainedHardware } from './contained-hardware.js';

/** ms between two polls of the sensors. */
const interval = 1000;
/** ms between two polls of the levels at the pins. */
const inputInterval = 10;

/** The sensors that are polled every second. */
const polledSensors: readonly Sensor[] = [
  'temperature',
  'encoder',
  'contamination',
  'systemPlug',
  'lease',
  'disciplined',
  'errors',
];

interface Options {
  readonly clock: Clock;
  readonly hardware: ContainedHardware;
  readonly errors: UnexpectedErrors;
  /** What to call when a sensor may have a new value: its users read it then. */
  readonly changed: Readonly<Record<Sensor, () => void>>;
}

/**
 * Follows the sensors, so that alarms, events, counters and outputs follow them. Hardware that reports its changes is
 * read when it reports one. Other hardware is polled. A sensor that fails is polled in any case, until it works.
 */
export class SensorWatch implements Feature {
  readonly #options: Options;
  readonly #last = new Map<Sensor, unknown>();
  readonly #next: Timeout;
  readonly #nextInputs: Timeout;
  readonly #hasInputs: boolean;
  #isUp = false;
  #hasEnded = false;
  #endReports: (() => void) | undefined;

  constructor(options: Options) {
    this.#options = options;
    this.#next = new Timeout(options.clock);
    this.#nextInputs = new Timeout(options.clock);
    this.#hasInputs = options.hardware.has('inputs');
    options.hardware.onSensorFailing(() => this.resume());
  }

  boot(): void {
    this.#isUp = true;
    const { hardware } = this.#options;
    this.#endReports ??= hardware.reportChanges((sensor) => this.#reported(sensor));
    for (const sensor of polledSensors) this.#last.set(sensor, hardware.valueOf(sensor));
    this.resume();
  }

  down(): void {
    this.#isUp = false;
    this.pause();
  }

  end(): void {
    this.#hasEnded = true;
    this.#endReports?.();
    this.#options.hardware.end();
  }

  pause(): void {
    this.#next.stop();
    this.#nextInputs.stop();
  }

  resume(): void {
    if (!this.#isUp) return;
    if (polledSensors.some((sensor) => this.#isPolled(sensor)) && !this.#next.isSet)
      this.#next.set(interval, () => this.#poll());
    if (this.#hasInputs && this.#isPolled('inputs') && !this.#nextInputs.isSet)
      this.#nextInputs.set(inputInterval, () => this.#pollInputs());
  }

  #isPolled(sensor: Sensor): boolean {
    return this.#endReports === undefined || this.#options.hardware.fails(sensor);
  }

  #poll(): void {
    const polled = polledSensors.filter((sensor) => this.#isPolled(sensor));
    this.resume();
    for (const sensor of polled) if (this.#isNew(sensor)) this.#options.changed[sensor]();
  }

  /** True if the value differs from that of the last poll. */
  #isNew(sensor: Sensor): boolean {
    const before = this.#last.get(sensor);
    const now = this.#options.hardware.valueOf(sensor);
    this.#last.set(sensor, now);
    // The last value that was reported is not known here.
    if (this.#endReports !== undefined) return true;
    // Two plugs with the same members are not the same plug.
    return sensor === 'systemPlug' ? now !== before : !isDeepStrictEqual(now, before);
  }

  #pollInputs(): void {
    this.resume();
    this.#options.changed.inputs();
  }

  /** The hardware has reported a change. It may do so at any time, and name something that is no sensor. */
  #reported(sensor?: Sensor): void {
    if (this.#hasEnded) return;
    const { changed, errors } = this.#options;
    const named = sensor !== undefined && Object.hasOwn(changed, sensor);
    for (const act of named ? [changed[sensor]] : Object.values(changed)) errors.contain('timer', act);
  }
}
