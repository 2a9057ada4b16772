import type { KeyObject } from 'node:crypto';
import { isIPv4 } from 'node:net';
import {
  type AddressSet,
  type Device,
  type MeasuringCore,
  type MovableClock,
  type Random,
  randomSerialNumber,
  type Storage,
  SystemClock,
  storedIdentity,
  VirtualClock,
} from '@azimuth/device';
import type { Journal } from '@azimuth/device/journal';
import { PacedClock } from '@azimuth/device/paced-clock';
import { type AllowedNames, webOrigin } from '@azimuth/http';
import {
  isLoginLevel,
  isPlug,
  type LoginLevel,
  loginLevels,
  type Product,
  type Variant,
} from '@azimuth/model';
import type { ControlOptions, ServiceOptions, VehicleOptions } from '@azimuth/server';
import { guiFolder } from '@azimuth/server/pages';
import type { FaultTimeline } from '@azimuth/simulation/faults';
import { usualCore } from '@azimuth/simulation/usual-core';
import type { VirtualHardware } from '@azimuth/simulation/virtual-hardware';
import { nearestName } from '@azimuth/wording';
import { CommandFailure } from '../command-failure.js';
import { publicKeyIn } from '../firmware/keys.js';
import { readFaultPlan } from '../input/fault-plan.js';
import { allowedHosts, splitWords } from '../options/allowed-hosts.js';
import type { CoreOptions } from './core.js';

/** The options of `azimuth serve`, as commander returns them. */
export interface Options extends CoreOptions {
  readonly host: string;
  /** A world file, whose scanners all run. */
  readonly world?: string;
  readonly port: number;
  readonly httpsPort?: number;
  readonly data?: string;
  readonly systemPlug?: string;
  readonly firmware?: string;
  /** A file with the product. */
  readonly product?: string;
  readonly type?: string;
  readonly variant: Variant;
  readonly serial?: string;
  readonly password: readonly string[];
  readonly resetPasswords?: boolean;
  readonly firmwareKey?: string;
  readonly enableWebserver?: boolean;
  readonly plug: string;
  readonly shortKeys?: boolean;
  readonly strictEvents?: boolean;
  readonly bootTime: number;
  readonly maxConnections: number;
  readonly rateLimit?: number;
  readonly store?: string;
  readonly keyFile?: string;
  readonly lease: number;
  readonly allowedHost: readonly string[];
  readonly localRights?: boolean;
  readonly allowedOrigin: readonly string[];
  readonly network: string;
  readonly dhcp?: AddressSet;
  readonly timeServerPort: number;
  readonly ptpEventPort: number;
  readonly ptpGeneralPort: number;
  readonly clock: string;
  readonly timeFactor?: number;
  /** s and ppm. */
  readonly clockOffset: number;
  readonly clockDrift: number;
  readonly synchronised?: boolean;
  readonly searchPort: number;
  readonly legacyAPort?: number;
  readonly legacyBPort?: number;
  /** true: no GUI, pages, extensions and headers that a real device lacks. */
  readonly asDevice?: boolean;
  /** false: no GUI. */
  readonly gui?: boolean;
  /** false or missing: off. */
  readonly dnsSd?: boolean;
  readonly controlPort?: number;
  readonly velocityPort?: number;
  readonly rosOdometry?: boolean;
  /** A file with a plan of faults. */
  readonly faults?: string;
  readonly rosPeer: readonly string[];
  readonly anyPorts?: boolean;
  readonly readyFile?: string;
  readonly json?: boolean;
}

/** The default serial number. */
export const defaultSerial = '123456789';

/** Parts of a scanner that are made from the options elsewhere. */
export interface Prepared {
  readonly passwords: Passwords;
  /** The public key that verifies signatures of firmware files. */
  readonly firmwareKey: KeyObject | undefined;
  /** The measuring core; undefined for the default scene. */
  readonly core: MeasuringCore | undefined;
  readonly allowed: AllowedNames;
  /** The product; undefined for the built-in one. */
  readonly product: Product | undefined;
}

/** The environment of a virtual scanner. */
export interface ScannerEnvironment {
  readonly clock: MovableClock;
  readonly random: Random;
  readonly hardware: VirtualHardware;
  /** Functions of the control port; undefined if there is none. */
  readonly controls?: ControlOptions['controls'] | undefined;
  /** Its vehicle; undefined if no option asks for it. */
  readonly vehicle?: VehicleOptions | undefined;
  /** What clients do to it; undefined without a control port. */
  readonly journal?: Journal | undefined;
  /** Planned faults; undefined if nobody can plan any. */
  readonly faults: FaultTimeline | undefined;
}

export const defaultHttpsPort = 8443;

/** Makes the options of a scanner with its wires. */
export function serviceOptions(
  options: Options,
  { passwords, firmwareKey, core, allowed, product }: Prepared,
  storage: Storage,
  { clock, random, hardware, controls, vehicle, faults, journal }: ScannerEnvironment,
): ServiceOptions {
  const plug = Number(options.plug);
  const { firmware, rateLimit, controlPort, legacyAPort, legacyBPort, port } = options;
  return {
    clock,
    hardware: hardware,
    device: {
      identity: storedIdentity({
        requested: options.serial,
        fresh: () => (options.data === undefined ? defaultSerial : randomSerialNumber(random, options.seed)),
        usual: defaultSerial,
      }),
      random,
      storage: faults?.storage(storage) ?? storage,
      variant: options.type === 'picoScan120' ? options.type : options.variant,
      passwords,
      resetPasswords: options.resetPasswords === true,
      firmwareKey,
      core: core ?? (() => usualCore(random, hardware, clock)),
      enableWebserver: options.enableWebserver ?? false,
      acceptsShortKeys: options.shortKeys ?? false,
      plug: isPlug(plug) ? plug : undefined,
      product,
      release: firmware,
    },
    asDevice: options.asDevice === true,
    network: {
      address: options.host,
      follows: options.network === 'rebind',
    },
    web: {
      port,
      // With `--port 0` several scanners run side by side: a fixed HTTPS port could be in use.
      httpsPort: options.httpsPort ?? (port === 0 ? 0 : defaultHttpsPort),
      maxConnections: options.maxConnections,
      strictEvents: options.strictEvents ?? false,
      allowed,
      gui: options.gui === true ? guiFolder : undefined,
      rateLimit,
    },
    timeServerPort: options.timeServerPort,
    ptpPorts: { event: options.ptpEventPort, general: options.ptpGeneralPort },
    legacy: {
      useFreePortIfInUse: port === 0,
      portA: legacyAPort,
      portB: legacyBPort,
    },
    searchPort: options.searchPort,
    dnsSd: options.dnsSd === true,
    rosPeers: rosPeers(options),
    faults,
    journal,
    vehicle,
    control:
      controlPort === undefined || controls === undefined ? undefined : { port: controlPort, controls },
  };
}

/** @throws CommandFailure for a file without a public key */
export async function readFirmwareKey({
  firmwareKey,
}: Pick<Options, 'firmwareKey'>): Promise<KeyObject | undefined> {
  if (firmwareKey === undefined) return undefined;
  return publicKeyIn('--firmware-key', firmwareKey);
}

/**
 * Returns the names and origins that a scanner accepts in addition to the default ones. In the environment, commas or
 * blanks separate them.
 * @throws CommandFailure for an invalid name or origin
 */
export function allowedClients({
  allowedHost,
  allowedOrigin,
  localRights,
}: Pick<Options, 'allowedHost' | 'allowedOrigin' | 'localRights'>): AllowedNames {
  return {
    localRights,
    hosts: allowedHosts(allowedHost),
    origins: allowedOrigin
      .flatMap(splitWords)
      .map(
        (word) =>
          webOrigin(word) ?? refuse('--allowed-origin', 'an origin like https://panel.example.com', word),
      ),
  };
}

/** Maximum number of addresses of --ros-peer: each gets ten datagrams with every announcement. */
const maxRosPeers = 16;

/**
 * Returns the addresses of `--ros-peer`. In the environment, commas or blanks separate them.
 * @throws CommandFailure for anything except IPv4 addresses, and for too many
 */
function rosPeers({ rosPeer }: Options): readonly string[] {
  const peers = rosPeer.flatMap(splitWords);
  for (const peer of peers) if (!isIPv4(peer)) refuse('--ros-peer', 'an IPv4 address', peer);
  if (peers.length > maxRosPeers) throw new CommandFailure(`--ros-peer: at most ${maxRosPeers} addresses`);
  return peers;
}

function refuse(option: string, expected: string, word: string): never {
  throw new CommandFailure(`${option}: expected ${expected}, got "${word}"`);
}

export type Passwords = Readonly<Partial<Record<LoginLevel, string>>>;

/**
 * Parses passwords as `Service=secret`; the last one of a level counts.
 * @throws CommandFailure, whose message contains no typed text: all of it may be a secret
 */
export function typedPasswords(typed: readonly string[]): Passwords {
  const passwords: Partial<Record<LoginLevel, string>> = {};
  for (const value of typed) {
    const at = value.indexOf('=');
    const level = value.slice(0, Math.max(0, at));
    if (!isLoginLevel(level)) throw new CommandFailure(expectation(level));
    const password = value.slice(at + 1);
    if (password === '') throw new CommandFailure(`--password: the password of ${level} must not be empty`);
    passwords[level] = password;
  }
  return passwords;
}

function expectation(level: string): string {
  const suggestion = nearestName(level, loginLevels);
  const question = suggestion === undefined ? '' : `; did you mean ${suggestion}=…?`;
  return `--password: expected LEVEL=password, with one of the levels ${loginLevels.join(', ')}${question}`;
}

/** Reads passwords from AZIMUTH_PASSWORD_SERVICE, …_MAINTENANCE and …_AUTHORIZEDCLIENT (or …_AUTHORIZED_CLIENT). */
export function passwordsOfEnvironment(environment: NodeJS.ProcessEnv): Passwords {
  const passwords: Partial<Record<LoginLevel, string>> = {};
  for (const level of loginLevels) {
    const spaced = level.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter}`);
    const value =
      environment[`AZIMUTH_PASSWORD_${level.toUpperCase()}`] ||
      environment[`AZIMUTH_PASSWORD_${spaced.toUpperCase()}`];
    if (value) passwords[level] = value;
  }
  return passwords;
}

/**
 * Returns the planned faults of a scanner; undefined if there is no plan, and no control port that could add some.
 * @throws CommandFailure for an invalid plan
 */
export async function plannedFaults(
  { faults: file, controlPort, seed }: Pick<Options, 'faults' | 'controlPort' | 'seed'>,
  clock: MovableClock,
  hardware: VirtualHardware,
): Promise<FaultTimeline | undefined> {
  if (file === undefined && controlPort === undefined) return undefined;
  const { FaultTimeline } = await import('@azimuth/simulation/faults');
  const faults = new FaultTimeline({ clock, hardware: hardware, seed });
  if (file !== undefined) faults.add(await readFaultPlan(file, '--faults '));
  return faults;
}

/**
 * Loads the commands of the control port, and keeps a journal, only for a scanner with a control port.
 * @param together all scanners with this clock
 */
export async function controlPortOptions(
  { controlPort }: Pick<Options, 'controlPort'>,
  clock: MovableClock,
  hardware: VirtualHardware,
  faults: FaultTimeline | undefined,
  together?: ReadonlySet<Device>,
): Promise<Pick<ScannerEnvironment, 'controls' | 'journal'>> {
  if (controlPort === undefined) return {};
  const { ScannerJournal, virtualControls } = await import('@azimuth/simulation/control');
  const journal = new ScannerJournal(clock);
  return { journal, controls: virtualControls(clock, hardware, faults, journal, together) };
}

/** Loads the vehicle of a scanner if an option asks for it. */
export async function vehicleOptions({
  velocityPort,
  rosOdometry = false,
}: Pick<Options, 'velocityPort' | 'rosOdometry'>): Promise<VehicleOptions | undefined> {
  if (velocityPort === undefined && !rosOdometry) return undefined;
  const { controlledVehicle } = await import('@azimuth/simulation/control');
  return { of: controlledVehicle, velocityPort, rosOdometry };
}

/** Interval in ms of the host between two log lines about a slow machine. */
const quiet = 10_000;

type ClockOptions = Pick<Options, 'clock' | 'timeFactor' | 'clockOffset' | 'clockDrift'>;

/**
 * Makes the clock that the options choose.
 * @param warn gets a line for the log while the machine is too slow for the factor, at most every 10 s
 * @throws CommandFailure for options that exclude each other
 */
export function chosenClock(
  { clock, timeFactor, clockOffset, clockDrift }: ClockOptions,
  warn: (message: string, fields: Readonly<Record<string, unknown>>) => void,
): MovableClock {
  const offset = clockOffset * 1000;
  if (clock === 'virtual') {
    if (timeFactor !== undefined || offset !== 0 || clockDrift !== 0)
      throw new CommandFailure(
        '--clock virtual cannot be used with --time-factor, --clock-offset or --clock-drift',
      );
    return new VirtualClock();
  }
  if (timeFactor === undefined) return new SystemClock({ offset, drift: clockDrift });
  let warnedAt = Number.NEGATIVE_INFINITY;
  return new PacedClock({
    factor: timeFactor * (1 + clockDrift * 1e-6),
    offset,
    lost: (milliseconds) => {
      const now = performance.now();
      if (now - warnedAt < quiet) return;
      warnedAt = now;
      warn('This computer is too slow for --time-factor: time passes more slowly', {
        lostSeconds: Math.round(milliseconds / 1000),
      });
    },
  });
}
