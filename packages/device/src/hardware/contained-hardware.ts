import { sectorCount } from '@azimuth/model';
import type { Clock } from '../interfaces/environment.js';
import type { AddressSet, Hardware, SystemPlug } from '../interfaces/hardware/index.js';
import type { Conditions } from '../lifecycle/conditions.js';
import { errorMessage, RecurringError } from '../lifecycle/unexpected-errors.js';
import type { RecentLog } from '../recent-log.js';
import { addressSetIn } from './address-set.js';

/** °C, until the first success of the thermometer. */
const usualTemperature = 25;
/** Limits in °C of any machine that runs this program. */
const temperatures = { least: -100, most: 300 } as const;
/** mm/s: 1 km/s, so that counters of ticks stay exact. */
const mostSpeed = 1_000_000;

interface Options {
  readonly conditions: Conditions;
  readonly clock: Clock;
  readonly log: RecentLog;
}

/**
 * Contains the errors of hardware. If a call throws or returns an invalid value, the last good value stays,
 * DeviceStatus is 7 until a call succeeds, and the log gets one line.
 */
export class ContainedHardware {
  readonly log: RecentLog;
  /** True if the hardware reports its changes: see Hardware. */
  readonly tellsChanges: boolean;
  readonly temperature: () => number;
  readonly encoderSpeed: () => number;
  readonly contamination: () => readonly number[];
  readonly systemPlug: () => SystemPlug | undefined;
  /** The lease of the DHCP client of the system. */
  readonly lease: () => AddressSet | undefined;
  /** The parts that their features contain. */
  readonly parts: Pick<Hardware, 'network' | 'clock' | 'ptp' | 'firmware'>;

  constructor(hardware: Hardware, options: Options) {
    const { log, conditions } = options;
    this.log = log;
    const { network, clock, ptp, firmware } = hardware;
    this.parts = { network, clock, ptp, firmware };
    this.tellsChanges = doesTellChanges(hardware);
    log.onFailing((fails) => conditions.set('DS_RecoverableError', 'log of the hardware', fails));
    this.temperature = contained(options, 'temperature', usualTemperature, () =>
      numberIn(
        hardware.temperature === undefined ? usualTemperature : hardware.temperature(),
        temperatures.least,
        temperatures.most,
        '°C',
      ),
    );
    this.encoderSpeed = contained(options, 'encoder speed', 0, () =>
      hardware.encoderSpeed === undefined
        ? 0
        : numberIn(hardware.encoderSpeed(), -mostSpeed, mostSpeed, 'mm/s'),
    );
    this.contamination = contained<readonly number[]>(options, 'contamination', [], () =>
      hardware.contamination === undefined ? [] : sharesIn(hardware.contamination()),
    );
    this.lease = contained<AddressSet | undefined>(options, 'DHCP lease', undefined, () =>
      addressSetIn(network?.lease?.()),
    );
    this.systemPlug = contained<SystemPlug | undefined>(options, 'system plug', undefined, () =>
      plugIn(hardware.systemPlug?.()),
    );
  }
}

/**
 * A function that calls `measure`. If that throws, it returns the last good value.
 * @param quantity name of the quantity, in words
 * @param initial the value until the first success of `measure`
 */
function contained<T>(options: Options, quantity: string, initial: T, measure: () => T): () => T {
  const readError = new RecurringError(options, `${quantity} of the hardware`);
  let last = initial;
  return () => {
    try {
      last = measure();
      readError.works();
    } catch (error) {
      readError.failed(
        `The hardware does not tell its ${quantity}; the last value is used`,
        errorMessage(error),
      );
    }
    return last;
  };
}

function numberIn(value: unknown, least: number, most: number, unit: string): number {
  if (typeof value === 'number' && value >= least && value <= most) return value;
  throw unusable(`a number from ${least} to ${most} ${unit}`, value);
}

/** The users of the shares limit them to 0 to 1. */
function sharesIn(value: unknown): readonly number[] {
  const expected = `an array of up to ${sectorCount} numbers from 0 to 1`;
  if (!Array.isArray(value)) throw unusable(expected, value);
  const shares: readonly unknown[] = value.slice(0, sectorCount);
  if (!shares.every(isFiniteNumber)) throw unusable(expected, shares);
  return shares;
}

function isFiniteNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

function doesTellChanges(hardware: Hardware): boolean {
  try {
    return hardware.tellsChanges === true;
  } catch {
    return false;
  }
}

/** The same object for the same plug. */
const plugs = new WeakMap<SystemPlug, SystemPlug>();

/** A plug whose name is read once, and whose methods never throw: they only reject. */
function plugIn(plug: SystemPlug | undefined): SystemPlug | undefined {
  if (plug === undefined) return undefined;
  if (typeof plug !== 'object' || plug === null) throw unusable('a system plug or undefined', plug);
  const known = plugs.get(plug) ?? containedPlug(plug);
  plugs.set(plug, known);
  return known;
}

function containedPlug(plug: SystemPlug): SystemPlug {
  const { name, read, write, setAside, release } = plug;
  const isPlug =
    typeof name === 'string' && [read, write, setAside, release].every((act) => typeof act === 'function');
  if (!isPlug) throw unusable('a system plug or undefined', plug);
  return {
    name,
    read: async () => plug.read(),
    write: async (content) => plug.write(content),
    setAside: async () => plug.setAside(),
    release: async () => plug.release(),
  };
}

function unusable(expected: string, value: unknown): TypeError {
  if (value instanceof Promise) {
    // Its failure is not an error of the process, and nothing waits for it.
    value.catch(() => undefined);
    return new TypeError(`expected ${expected}, got a promise`);
  }
  return new TypeError(`expected ${expected}, got ${errorMessage(value)}`);
}
