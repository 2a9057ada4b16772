import type { KeyObject } from 'node:crypto';
import {
  type AddressSet,
  drawnSerialNumber,
  type FolderStorage,
  keptIdentity,
  type MeasuringCore,
  type MovableClock,
  type Random,
} from '@azimuth/device';
import { isRelease, isVariant, type Variant } from '@azimuth/model';
import { type AllowedNames, hostName, type ServiceFacts, webOrigin } from '@azimuth/server';
import { usualCore, type VirtualHost, virtualControls } from '@azimuth/world';
import { CommandFailure } from '../command-failure.js';
import type { CoreOptions } from './core.js';
import type { Passwords } from './passwords.js';

/** The options of `azimuth serve` as commander hands them over. */
export interface Options extends CoreOptions {
  readonly host: string;
  readonly port: number;
  readonly httpsPort?: number;
  readonly data?: string;
  readonly firmware?: string;
  readonly variant: string;
  readonly serial?: string;
  readonly password: readonly string[];
  readonly firmwareKey?: string;
  readonly enableWebserver?: boolean;
  readonly strictEvents?: boolean;
  readonly bootTime: number;
  readonly maxConnections: number;
  readonly rateLimit?: number;
  readonly allowedHost: readonly string[];
  readonly allowedOrigin: readonly string[];
  readonly network: string;
  readonly dhcp?: AddressSet;
  readonly timeServerPort: number;
  readonly searchPort: number;
  readonly legacyAPort?: number;
  readonly legacyBPort?: number;
  /** Not true: off. */
  readonly dnsSd?: boolean;
  readonly controlPort?: number;
  readonly json?: boolean;
}

/** The serial number where nothing says another one. */
export const usualSerial = '123456789';

/** What the options lead to that is kept elsewhere. */
export interface Kept {
  readonly passwords: Passwords;
  /** The public key whose signatures under firmware files are trusted. */
  readonly firmwareKey: KeyObject | undefined;
  /** What measures; undefined for what a scanner sees that was told nothing. */
  readonly core: MeasuringCore | undefined;
  readonly allowed: AllowedNames;
}

/** What a virtual scanner runs on. */
interface World {
  readonly clock: MovableClock;
  readonly random: Random;
  readonly host: VirtualHost;
}

const usualHttpsPort = 8443;

/** What the options mean for a scanner with its wires. */
export function serviceFacts(
  options: Options,
  { passwords, firmwareKey, core, allowed }: Kept,
  storage: FolderStorage,
  { clock, random, host }: World,
): ServiceFacts {
  const { firmware, rateLimit, controlPort, dhcp, legacyAPort, legacyBPort, port } = options;
  return {
    clock,
    host,
    device: {
      identity: keptIdentity({
        asked: options.serial,
        fresh: () => (options.data === undefined ? usualSerial : drawnSerialNumber(random, options.seed)),
        usual: usualSerial,
      }),
      random,
      storage,
      variant: variantOf(options.variant),
      bootMilliseconds: options.bootTime * 1000,
      passwords,
      ...(firmwareKey === undefined ? {} : { firmwareKey }),
      core: core ?? (() => usualCore(random, host.log)),
      enableWebserver: options.enableWebserver ?? false,
      ...(firmware !== undefined && isRelease(firmware) ? { release: firmware } : {}),
    },
    network: {
      mode: options.network === 'rebind' ? 'rebind' : 'simulate',
      host: options.host,
      ...(dhcp === undefined ? {} : { dhcp }),
    },
    web: {
      port,
      // Whoever has any port for HTTP runs beside others, and is not to be in their way.
      httpsPort: options.httpsPort ?? (port === 0 ? 0 : usualHttpsPort),
      maxConnections: options.maxConnections,
      strictEvents: options.strictEvents ?? false,
      allowed,
      ...(rateLimit === undefined ? {} : { rateLimit }),
    },
    timeServerPort: options.timeServerPort,
    legacy: {
      anyWhereTaken: port === 0,
      ...(legacyAPort === undefined ? {} : { portA: legacyAPort }),
      ...(legacyBPort === undefined ? {} : { portB: legacyBPort }),
    },
    searchPort: options.searchPort,
    dnsSd: options.dnsSd === true,
    ...(controlPort === undefined
      ? {}
      : { control: { port: controlPort, controls: virtualControls(clock, host) } }),
  };
}

/**
 * The names and origins that a scanner is to take beside those that are always good. In the environment, commas or
 * blanks stand between several.
 * @throws CommandFailure for what is none
 */
export function allowedOf({ allowedHost, allowedOrigin }: Options): AllowedNames {
  return {
    hosts: allowedHost
      .flatMap(wordsOf)
      .map((word) => hostName(word) ?? refuse('--allowed-host', 'a name without port', word)),
    origins: allowedOrigin
      .flatMap(wordsOf)
      .map(
        (word) =>
          webOrigin(word) ?? refuse('--allowed-origin', 'an origin like https://panel.example.com', word),
      ),
  };
}

function wordsOf(typed: string): string[] {
  const words = typed.split(/[\s,]+/).filter((word) => word !== '');
  return words.length === 0 ? [typed] : words;
}

function refuse(option: string, expected: string, word: string): never {
  throw new CommandFailure(`${option} takes ${expected}, not "${word}"`);
}

function variantOf(name: string): Variant {
  return isVariant(name) ? name : 'full';
}
