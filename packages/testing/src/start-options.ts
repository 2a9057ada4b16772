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
import type { Scene, SceneFile } from '@azimuth/simulation/scene';
import { nearestName } from '@azimuth/wording';

/** What `startScanner` takes. Everything has a default. */
export interface StartOptions {
  /**
   * What it measures: a ready scene, a scene file by its path, or the content of one. By default, `warehouse-aisle`.
   */
  readonly scene?: string | SceneFile | Scene | undefined;
  /** A core of your own in place of a scene. */
  readonly core?: MeasuringCore | undefined;
  /** Of the measuring noise, 0 to 4294967295; 1 by default. The same seed and scene give the same scans. */
  readonly seed?: number | undefined;
  /** The newest by default. */
  readonly release?: Release | undefined;
  /** `full` by default. */
  readonly variant?: Variant | undefined;
  /**
   * `virtual`, the default: time stands still but for `advance`. `real`: it runs by itself. A factor: it runs so many times
   * as fast, 0.01 to 1000, or as fast as the machine can.
   */
  readonly clock?: 'virtual' | 'real' | { readonly factor: number } | undefined;
  /** Faults from the start on; more can be added later. */
  readonly faults?: FaultPlan | undefined;
  /** Up to 9 letters and digits; 123456789 by default. */
  readonly serial?: string | undefined;
  /** The factory passwords by default. */
  readonly passwords?: Readonly<Partial<Record<LoginLevel, string | undefined>>> | undefined;
  /** The user level of `client`; Service by default. */
  readonly user?: LoginLevel | undefined;
  /** A folder that keeps what the scanner stores. By default, it stores in memory and forgets all at its end. */
  readonly folder?: string | undefined;
  /** Does it have the legacy interfaces A and B? True by default. */
  readonly legacy?: boolean | undefined;
  /** Does it answer the device search? False by default. */
  readonly search?: boolean | undefined;
  /** Does it have a control port, for another process? False by default. */
  readonly controlPort?: boolean | undefined;
  /** Does it take certificates with RSA keys from 2048 bits on? Devices want more than 3072. False by default. */
  readonly shortKeys?: boolean | undefined;
  /** The pins of its plug: 5 for three I/O ports, or 12 for six; 12 by default. */
  readonly plug?: PlugPins | undefined;
  /** How long a reboot takes, in s; 2 by default. */
  readonly bootTime?: number | undefined;
  /** The address at which it listens; 127.0.0.1 by default. */
  readonly host?: string | undefined;
  /** Gets the lines of its log; by default, only errors are printed, on stderr. */
  readonly log?: Log | undefined;
}

const known: Readonly<Record<keyof StartOptions, true>> = {
  scene: true,
  core: true,
  seed: true,
  release: true,
  variant: true,
  clock: true,
  faults: true,
  serial: true,
  passwords: true,
  user: true,
  folder: true,
  legacy: true,
  search: true,
  controlPort: true,
  shortKeys: true,
  plug: true,
  bootTime: true,
  host: true,
  log: true,
};

/** s, as `--boot-time`. */
const longestBoot = 3600;
const largestSeed = 2 ** 32 - 1;

/** Tests in JavaScript have no compiler that finds a wrong word or value. @throws RangeError */
export function checkOptions(options: StartOptions): void {
  expected('startScanner', options, (value) => isObject(value), 'an object');
  for (const name of Object.keys(options)) {
    if (Object.hasOwn(known, name)) continue;
    const near = nearestName(name, Object.keys(known));
    throw new RangeError(
      `startScanner has no option ${name}${near === undefined ? '' : `; did you mean ${near}?`}`,
    );
  }
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
  expected('serial', serial, (text) => isText(text) && isSerialNumber(text), 'up to 9 letters and digits');
  expected('seed', seed, isSeed, `a whole number from 0 to ${largestSeed}`);
  expected('bootTime', bootTime, (time) => isNumber(time, 0, longestBoot), `0 to ${longestBoot} s`);
  expected('clock', clock, isClock, "'virtual', 'real' or { factor: 0.01 to 1000 }");
  expected('plug', options.plug, isPlug, Object.keys(portsOfPlug).join(' or '));
  for (const name of ['folder', 'host'] as const) expected(name, options[name], isText, 'a text');
  for (const name of ['legacy', 'search', 'controlPort', 'shortKeys'] as const)
    expected(name, options[name], (value) => typeof value === 'boolean', 'true or false');
  expected('log', options.log, isLog, 'an object with the functions info, warn and error');
  if (scene !== undefined && core !== undefined)
    throw new RangeError('expected a scene or a core, got both: a core measures no scene');
}

function expected<T>(name: string, value: T | undefined, isRight: (value: T) => boolean, what: string): void {
  if (value === undefined || isRight(value)) return;
  const got = typeof value === 'number' ? String(value) : JSON.stringify(value);
  throw new RangeError(`${name}: expected ${what}, got ${got}`);
}

function isText(value: unknown): boolean {
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
