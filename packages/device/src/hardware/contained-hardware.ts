import { portCount, sectorCount } from '@azimuth/model';
import type {
  AddressSet,
  ClockDiscipline,
  Hardware,
  Lamp,
  PinLevel,
  RebootKind,
  Sensor,
  SystemPlug,
} from '../interfaces/hardware/index.js';
import { errorMessage, RecurringError } from '../lifecycle/unexpected-errors.js';
import type { RecentLog } from '../recent-log.js';
import { Actuator } from './actuator.js';
import { addressSetIn } from './address-set.js';
import { ContainedCall } from './contained-call.js';
import { plugIn } from './contained-plug.js';
import { arrayIn, ContainedSensor, type Containment, numberIn, unusable } from './contained-sensor.js';

/** °C, until the first success of the thermometer, and without one. */
const usualTemperature = 25;
/** Limits in °C of any machine that runs this program. */
const temperatures = { least: -100, most: 300 } as const;
/** mm/s: 1 km/s, so that counters of ticks stay exact. */
const mostSpeed = 1_000_000;
/** Errors that hardware can report at a time, and characters of each. */
const mostErrors = 20;
const longestError = 200;
/** ms in which a restart of the device has to end, if the hardware has no limit of its own. */
export const usualRebootLimit = 120_000;

interface Options extends Containment {
  readonly log: RecentLog;
}

/** What the encoder measures now: mm/s, or ticks of a counter that wraps at 2^32. */
export type EncoderSample =
  | { readonly kind: 'none' }
  | { readonly kind: 'speed'; readonly speed: number }
  | { readonly kind: 'count'; readonly count: number };

const noEncoder: EncoderSample = { kind: 'none' };
const standingEncoder: EncoderSample = { kind: 'speed', speed: 0 };

/**
 * Contains the errors of hardware, and replaces what it does not have. A failing sensor keeps its last good value. A
 * failing actuator is called again. DeviceStatus is 7 meanwhile, and the log gets one line.
 */
export class ContainedHardware {
  readonly log: RecentLog;
  readonly temperature: () => number;
  readonly contamination: () => readonly number[];
  readonly encoder: () => EncoderSample;
  /** Levels at the pins. */
  readonly inputs: () => readonly boolean[];
  readonly systemPlug: () => SystemPlug | undefined;
  /** The lease of the DHCP client of the system. */
  readonly lease: () => AddressSet | undefined;
  /** What disciplines the clock of the system. */
  readonly discipline: () => ClockDiscipline | undefined;
  readonly errors: () => readonly string[];
  /** Undefined if the hardware does not have it. */
  readonly outputs: Actuator<readonly PinLevel[]> | undefined;
  readonly lamps: Actuator<readonly Lamp[]> | undefined;
  /** Parts of the hardware that their features contain. */
  readonly parts: Pick<Hardware, 'network' | 'clock' | 'ptp' | 'firmware'>;
  readonly #hardware: Hardware;
  readonly #sensors: Readonly<Record<Sensor, ContainedSensor<unknown>>>;
  readonly #onChangeError: RecurringError;
  readonly #findMe: ContainedCall<number>;
  readonly #reboot: ContainedCall<RebootKind>;
  readonly #factoryReset: ContainedCall<void>;
  #sensorFails: (sensor: Sensor) => void = () => undefined;

  constructor(hardware: Hardware, options: Options) {
    const { log, conditions } = options;
    this.log = log;
    this.#hardware = hardware;
    log.onFailing((fails) => conditions.set('DS_RecoverableError', 'log of the hardware', fails));
    const sensor = <T>(name: Sensor, quantity: string, initial: T, measure: () => T) =>
      new ContainedSensor(options, quantity, initial, measure, () => this.#sensorFails(name));
    const temperature = sensor('temperature', 'temperature', usualTemperature, () =>
      hardware.temperature === undefined
        ? usualTemperature
        : numberIn(hardware.temperature(), temperatures.least, temperatures.most, '°C'),
    );
    const contamination = sensor<readonly number[]>('contamination', 'contamination', [], () =>
      // The users of the shares limit them to 0 to 1.
      hardware.contamination === undefined
        ? []
        : arrayIn(hardware.contamination(), sectorCount, isFiniteNumber, 'numbers from 0 to 1'),
    );
    const encoder = sensor('encoder', 'encoder', standingEncoder, () => encoderSampleOf(hardware.encoder));
    const inputs = sensor<readonly boolean[]>('inputs', 'inputs', [], () =>
      hardware.inputs === undefined ? [] : arrayIn(hardware.inputs(), portCount, isBoolean, 'booleans'),
    );
    const systemPlug = sensor('systemPlug', 'system plug', undefined, () => plugIn(hardware.systemPlug?.()));
    const errors = sensor<readonly string[]>('errors', 'errors', [], () =>
      hardware.errors === undefined
        ? []
        : arrayIn(hardware.errors(), mostErrors, isString, 'texts').map((text) =>
            text.slice(0, longestError),
          ),
    );
    const lease = sensor('lease', 'DHCP lease', undefined, () => addressSetIn(hardware.network?.lease?.()));
    const disciplined = sensor('disciplined', 'clock discipline', undefined, () =>
      disciplineIn(hardware.clock?.disciplined?.()),
    );
    this.#sensors = { temperature, contamination, encoder, inputs, systemPlug, lease, disciplined, errors };
    this.temperature = () => temperature.read();
    this.contamination = () => contamination.read();
    this.encoder = () => encoder.read();
    this.inputs = () => inputs.read();
    this.systemPlug = () => systemPlug.read();
    this.lease = () => lease.read();
    this.discipline = () => disciplined.read();
    this.errors = () => errors.read();
    this.outputs = this.has('setOutputs')
      ? new Actuator(options, 'setOutputs', (levels) => hardware.setOutputs?.(levels))
      : undefined;
    this.lamps = this.has('setLamps')
      ? new Actuator(options, 'setLamps', (lamps) => hardware.setLamps?.(lamps))
      : undefined;
    this.#findMe = new ContainedCall(options, 'findMe', (seconds) => hardware.findMe?.(seconds));
    this.#reboot = new ContainedCall(
      options,
      'reboot',
      (kind) => hardware.reboot?.(kind),
      () => this.#rebootLimit,
    );
    this.#factoryReset = new ContainedCall(options, 'factoryReset', () => hardware.factoryReset?.());
    this.#onChangeError = new RecurringError(options, 'onChange of the hardware');
    this.parts = {
      network: this.#part(options, 'network'),
      clock: this.#part(options, 'clock'),
      ptp: this.#part(options, 'ptp'),
      firmware: this.#part(options, 'firmware'),
    };
  }

  /** True if the hardware has this member, or fails to tell it. */
  has(member: keyof Hardware): boolean {
    try {
      return this.#hardware[member] !== undefined;
    } catch {
      return true;
    }
  }

  /** True if the last read of this sensor failed. */
  fails(sensor: Sensor): boolean {
    return this.#sensors[sensor].fails;
  }

  /** The value of a sensor, to compare it with an earlier one. */
  valueOf(sensor: Sensor): unknown {
    return this.#sensors[sensor].read();
  }

  /** Calls `listener` when a read of a sensor fails after one that did not. */
  onSensorFailing(listener: (sensor: Sensor) => void): void {
    this.#sensorFails = listener;
  }

  /**
   * Asks the hardware to report its changes.
   * @returns a function that ends the reports; undefined if the hardware does not report them, or has failed to begin
   */
  reportChanges(changed: (sensor?: Sensor) => void): (() => void) | undefined {
    try {
      if (this.#hardware.onChange === undefined) return undefined;
      const end = this.#hardware.onChange(changed);
      if (end !== undefined && typeof end !== 'function') throw unusable('a function or undefined', end);
      this.#onChangeError.works();
      return () => this.#endReports(end);
    } catch (error) {
      this.#onChangeError.failed(
        'The hardware cannot report changes; it is read every second',
        errorMessage(error),
      );
      return undefined;
    }
  }

  findMe(seconds: number): void {
    this.#findMe.make(seconds, () => undefined);
  }

  factoryReset(): void {
    this.#factoryReset.make(undefined, () => undefined);
  }

  /** Restarts the device. Resolves when the scanner has to come up, and never rejects. */
  async reboot(kind: RebootKind): Promise<void> {
    await this.#reboot.outcome(kind);
  }

  /** Ends a pending restart: the scanner has ended. */
  end(): void {
    for (const call of [this.#findMe, this.#reboot, this.#factoryReset]) call.end();
  }

  get #rebootLimit(): number {
    try {
      const { rebootLimit = usualRebootLimit } = this.#hardware;
      return rebootLimit > 0 ? rebootLimit : usualRebootLimit;
    } catch {
      return usualRebootLimit;
    }
  }

  #endReports(end: (() => void) | undefined): void {
    const failed = (error: unknown) =>
      this.#onChangeError.failed('The hardware cannot end its reports of changes', errorMessage(error));
    try {
      const ended: unknown = end?.();
      if (ended instanceof Promise) ended.catch(failed);
    } catch (error) {
      failed(error);
    }
  }

  #part<Name extends keyof Hardware>(options: Containment, name: Name): Hardware[Name] | undefined {
    try {
      return this.#hardware[name];
    } catch (error) {
      const partError = new RecurringError(options, `${name} of the hardware`);
      partError.failed(`The hardware does not have a usable part: ${name}`, errorMessage(error));
      return undefined;
    }
  }
}

function encoderSampleOf(encoder: Hardware['encoder']): EncoderSample {
  if (encoder === undefined) return noEncoder;
  if ('count' in encoder) return { kind: 'count', count: wholeNumberIn(encoder.count()) };
  return { kind: 'speed', speed: numberIn(encoder.speed(), -mostSpeed, mostSpeed, 'mm/s') };
}

function wholeNumberIn(value: unknown): number {
  if (Number.isSafeInteger(value) && typeof value === 'number') return value;
  throw unusable('a whole number of ticks', value);
}

function disciplineIn(value: ClockDiscipline | undefined): ClockDiscipline | undefined {
  if (value === undefined) return undefined;
  if (value.by === 'NTP' || value.by === 'PTP') return { by: value.by };
  throw unusable('{ by: "NTP" }, { by: "PTP" } or undefined', value);
}

function isFiniteNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

function isBoolean(value: unknown): value is boolean {
  return typeof value === 'boolean';
}

function isString(value: unknown): value is string {
  return typeof value === 'string';
}
