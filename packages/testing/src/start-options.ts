import { createPublicKey, type KeyObject } from 'node:crypto';
import { isSerialNumber, type Log, type MeasuringCore } from '@azimuth/device';
import {
  isLoginLevel,
  isObject,
  isPlug,
  isRelease,
  isVariant,
  type LoginLevel,
  loginLevels,
  type PlugPins,
  portsOfPlug,
  type Release,
  releaseMistake,
  type Variant,
  variantsInWords,
} from '@azimuth/model';
import type { FaultPlan } from '@azimuth/simulation/faults';
import type { Scene, SceneFile } from '@azimuth/simulation/world';
import { nearestName } from '@azimuth/wording';
import type { ParameterValues } from './fixtures.js';
import { isTimers, type TimersOption } from './product-timers.js';

/** Options of `startScanner`. All of them have defaults. */
export interface StartOptions {
  /** The measured scene: a ready scene, a scene file or a ROS map (`.yaml`) by its path, or its content. By default, `warehouse-aisle`. */
  readonly scene?: string | SceneFile | Scene | undefined;
  /** A core of your own instead of a scene. */
  readonly core?: MeasuringCore | undefined;
  /** Seed of the measuring noise, 0 to 4294967295; 1 by default. The same seed and scene give the same scans. */
  readonly seed?: number | undefined;
  /** The release. The newest by default. */
  readonly release?: Release | undefined;
  /** The variant. `full` by default. */
  readonly variant?: Variant | undefined;
  /**
   * `virtual`, the default: time passes only with `advance`. `real`: it passes by itself. A factor of 0.01 to 1000: it
   * passes by itself, this many times as fast, at most as fast as the machine can.
   */
  readonly clock?: 'virtual' | 'real' | { readonly factor: number } | undefined;
  /**
   * True if times in telegrams are UTC, from the first scan on: those of `clock`. The virtual clock begins at 12:00 UTC on 15
   * January 2026. False by default: they are the uptime, until a time server or PTP master is followed.
   */
  readonly synchronised?: boolean | undefined;
  /** Faults from the start on. More can be added later. */
  readonly faults?: FaultPlan | undefined;
  /** Up to 9 letters and digits. 123456789 by default. */
  readonly serial?: string | undefined;
  /** Parameters with another working value from the start on, as if a client had written them. */
  readonly parameters?: ParameterValues | undefined;
  /** Parameters with another stored value from the start on: they survive reboots and power cuts. */
  readonly stored?: ParameterValues | undefined;
  /** The factory passwords by default. */
  readonly passwords?: Readonly<Partial<Record<LoginLevel, string | undefined>>> | undefined;
  /** The user level of `client`. Service by default. */
  readonly user?: LoginLevel | undefined;
  /** The folder of the storage. By default, the scanner stores in memory and forgets everything at its end. */
  readonly folder?: string | undefined;
  /** True if it has the legacy interfaces A and B. True by default. */
  readonly legacy?: boolean | undefined;
  /**
   * True if clients find nothing that a real device does not have: no `/x/`, `/metrics`, `/docs`, `/openapi.json`,
   * `/asyncapi.json` and `/healthz`, and no headers with details. `simulation`, `faults` and `journal` are not affected. False by default.
   */
  readonly asDevice?: boolean | undefined;
  /** True if it responds to the device search. False by default. */
  readonly search?: boolean | undefined;
  /** True if it has a control port, for another process. False by default. */
  readonly controlPort?: boolean | undefined;
  /**
   * True if a UDP port of this machine receives velocities for its vehicle, as `ports.velocity`. False by default: tests can
   * use `simulation.drive`.
   */
  readonly velocityPort?: boolean | undefined;
  /** True if its vehicle publishes /odom, /tf and /clock in ROS 2. False by default. */
  readonly rosOdometry?: boolean | undefined;
  /**
   * True if it accepts certificates with RSA keys from 2048 bits on. Devices require more than 3072. False by default.
   */
  readonly shortKeys?: boolean | undefined;
  /**
   * The Ed25519 public key (PEM) of the firmware that it installs, from release 2.2.0 on. Without it, it installs none.
   */
  readonly firmwareKey?: string | undefined;
  /** Number of pins of its plug: 5 for three I/O ports, or 12 for six. 12 by default. */
  readonly plug?: PlugPins | undefined;
  /** Duration of a reboot in s. 2 by default. */
  readonly bootTime?: number | undefined;
  /** The listening address. 127.0.0.1 by default. */
  readonly host?: string | undefined;
  /**
   * The timers of the program that is tested: `vi`, `jest`, `mock.timers` of node:test, or functions of your own.
   * `advance` moves them in step with the scanner. By default, they pass by themselves.
   */
  readonly timers?: TimersOption | undefined;
  /** Receives the lines of its log. By default, only errors are printed, on stderr. */
  readonly log?: Log | undefined;
}

/** The names of all options. */
export const known: Readonly<Record<keyof StartOptions, true>> = {
  scene: true,
  core: true,
  seed: true,
  release: true,
  variant: true,
  clock: true,
  synchronised: true,
  faults: true,
  serial: true,
  parameters: true,
  stored: true,
  passwords: true,
  user: true,
  folder: true,
  legacy: true,
  asDevice: true,
  search: true,
  controlPort: true,
  velocityPort: true,
  rosOdometry: true,
  shortKeys: true,
  firmwareKey: true,
  plug: true,
  bootTime: true,
  host: true,
  timers: true,
  log: true,
};

/** The options that are true or false. */
const switches = [
  'legacy',
  'asDevice',
  'search',
  'controlPort',
  'velocityPort',
  'rosOdometry',
  'shortKeys',
  'synchronised',
] as const;

/** Maximum in s, as for `--boot-time`. */
const longestBoot = 3600;
const largestSeed = 2 ** 32 - 1;

/** Checks names and values, because tests in JavaScript have no compiler for this. */
export function checkOptions(by: string, options: StartOptions): void {
  checkNames(by, options, Object.keys(known));
  const { release, variant, user, serial, seed, bootTime, passwords, clock, scene, core } = options;
  if (release !== undefined && !isRelease(release)) {
    throw new RangeError(`release: ${releaseMistake(String(release))}`);
  }
  expected('variant', variant, isVariant, variantsInWords);
  expected('user', user, isLoginLevel, loginLevels.join(', '));
  expected('passwords', passwords, isObject, "an object such as { Maintenance: '…' }");
  for (const [level, password] of Object.entries(passwords ?? {})) {
    expected('passwords', level, isLoginLevel, loginLevels.join(', '));
    // The value is a secret: no error repeats it.
    if (typeof password !== 'string') throw new RangeError(`passwords.${level}: expected a text`);
  }
  for (const name of ['parameters', 'stored'] as const)
    expected(name, options[name], isObject, "an object such as { LocationName: 'Gate 3' }");
  expected('serial', serial, (text) => isText(text) && isSerialNumber(text), 'up to 9 letters and digits');
  expected('seed', seed, isSeed, `a whole number from 0 to ${largestSeed}`);
  expected('bootTime', bootTime, (time) => isNumber(time, 0, longestBoot), `0 to ${longestBoot} s`);
  expected('clock', clock, isClock, "'virtual', 'real' or { factor: 0.01 to 1000 }");
  expected('plug', options.plug, isPlug, Object.keys(portsOfPlug).join(' or '));
  for (const name of ['folder', 'host'] as const) expected(name, options[name], isText, 'a text');
  for (const name of switches)
    expected(name, options[name], (value) => typeof value === 'boolean', 'true or false');
  expected(
    'timers',
    options.timers,
    isTimers,
    'vi, jest, mock.timers, or an object with the function advance',
  );
  if (options.firmwareKey !== undefined) firmwareKeyOf(options.firmwareKey);
  expected('log', options.log, isLog, 'an object with the functions info, warn and error');
  if (options.timers !== undefined && clock !== undefined && clock !== 'virtual')
    throw new RangeError("timers: expected clock: 'virtual', because only advance() moves them");
  if (scene !== undefined && core !== undefined)
    throw new RangeError('expected a scene or a core, got both: a core measures no scene');
}

/**
 * Returns the key of trusted firmware.
 * @param pem a public key. A private one is a secret: no error repeats it
 * @throws RangeError for anything else
 */
export function firmwareKeyOf(pem: string): KeyObject {
  try {
    const key = createPublicKey(pem);
    if (key.asymmetricKeyType === 'ed25519' && !pem.includes('PRIVATE')) return key;
  } catch {
    // Not a key at all.
  }
  throw new RangeError('firmwareKey: expected an Ed25519 public key in PEM');
}

/** @throws RangeError for options that are no object, and for one that is not among these */
export function checkNames(by: string, options: object, names: readonly string[]): void {
  expected(by, options, (value) => isObject(value), 'an object');
  for (const name of Object.keys(options)) {
    if (names.includes(name)) continue;
    const near = nearestName(name, names);
    throw new RangeError(`${by} has no option ${name}${near === undefined ? '' : `; did you mean ${near}?`}`);
  }
}

/** @throws RangeError for a value that is there and wrong */
export function expected<T>(
  name: string,
  value: T | undefined,
  isRight: (value: T) => boolean,
  what: string,
): void {
  if (value === undefined || isRight(value)) return;
  const got = typeof value === 'number' ? String(value) : JSON.stringify(value);
  throw new RangeError(`${name}: expected ${what}, got ${got}`);
}

export function isText(value: unknown): boolean {
  return typeof value === 'string';
}

function isNumber(value: unknown, least: number, most: number): boolean {
  return typeof value === 'number' && value >= least && value <= most;
}

function isLog(log: Log): boolean {
  return isObject(log) && [log.info, log.warn, log.error].every((write) => typeof write === 'function');
}

function isSeed(seed: number): boolean {
  return Number.isInteger(seed) && seed >= 0 && seed <= largestSeed;
}

function isClock(clock: NonNullable<StartOptions['clock']> | null): boolean {
  if (clock === null || typeof clock !== 'object') return clock === 'virtual' || clock === 'real';
  return isNumber(clock.factor, 0.01, 1000);
}
