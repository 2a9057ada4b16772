import {
  type AddressSet,
  type FolderStorage,
  SystemClock,
  SystemRandom,
  virtualIdentity,
} from '@azimuth/device';
import { isRelease, isVariant, type Variant } from '@azimuth/model';
import type { ServiceFacts, VirtualHost } from '@azimuth/server';
import type { Passwords } from './passwords.js';

/** The options of `azimuth serve` as commander hands them over. */
export interface Options {
  readonly host: string;
  readonly port: number;
  readonly data?: string;
  readonly firmware?: string;
  readonly variant: string;
  readonly serial: string;
  readonly password: readonly string[];
  readonly enableWebserver?: boolean;
  readonly bootTime: number;
  readonly maxConnections: number;
  readonly rateLimit?: number;
  readonly network: string;
  readonly dhcp?: AddressSet;
  readonly controlPort?: number;
  readonly json?: boolean;
}

/** What the options mean for a scanner with its wires. */
export function serviceFacts(
  options: Options,
  passwords: Passwords,
  storage: FolderStorage,
  host: VirtualHost,
): ServiceFacts {
  const { firmware, rateLimit, controlPort, dhcp } = options;
  return {
    clock: new SystemClock(),
    host,
    device: {
      identity: virtualIdentity(options.serial),
      random: new SystemRandom(),
      storage,
      variant: variantOf(options.variant),
      bootMilliseconds: options.bootTime * 1000,
      passwords,
      enableWebserver: options.enableWebserver ?? false,
      ...(firmware !== undefined && isRelease(firmware) ? { release: firmware } : {}),
    },
    network: {
      mode: options.network === 'rebind' ? 'rebind' : 'simulate',
      host: options.host,
      ...(dhcp === undefined ? {} : { dhcp }),
    },
    web: {
      port: options.port,
      maxConnections: options.maxConnections,
      ...(rateLimit === undefined ? {} : { rateLimit }),
    },
    ...(controlPort === undefined ? {} : { controlPort }),
  };
}

function variantOf(name: string): Variant {
  return isVariant(name) ? name : 'full';
}
