import { isIPv4 } from 'node:net';
import type { AddressSet } from '@azimuth/device';
import {
  isRelease,
  type Release,
  releaseMistake,
  type Variant,
  variantNamed,
  variantsInWords,
} from '@azimuth/model';
import { InvalidArgumentError, Option } from 'commander';

/** A port number from 0 (any free one) to 65535. */
export function portOption(value: string): number {
  if (/^\d{1,5}$/.test(value) && Number(value) <= 65_535) return Number(value);
  throw new InvalidArgumentError('Expected a port number from 0 to 65535.');
}

/** Options that give programs on this computer special rights at a port. Without both, --allowed-host decides. */
export function localRightsOptions(): readonly Option[] {
  return [
    new Option(
      '--local-rights',
      'let programs on this computer control the simulation and the power by this port, also with --allowed-host',
    ),
    new Option(
      '--no-local-rights',
      'let nobody do so: for a proxy on this computer, behind which strangers look like programs on it',
    ),
  ];
}

/** Parses a number in a range, bounds included. */
export function numberOption(minimum: number, maximum: number): (value: string) => number {
  return (value) => {
    const number = Number(value);
    if (value.trim() !== '' && number >= minimum && number <= maximum) return number;
    throw new InvalidArgumentError(`Expected a number from ${minimum} to ${maximum}.`);
  };
}

/** Parses a whole number in a range, bounds included. */
export function wholeNumberOption(minimum: number, maximum: number): (value: string) => number {
  return (value) => {
    if (/^\d+$/.test(value) && Number(value) >= minimum && Number(value) <= maximum) return Number(value);
    throw new InvalidArgumentError(`Expected a whole number from ${minimum} to ${maximum}.`);
  };
}

/** Parses a release that a scanner can run. */
export function releaseOption(value: string): Release {
  if (isRelease(value)) return value;
  const mistake = releaseMistake(value);
  throw new InvalidArgumentError(`${mistake.charAt(0).toUpperCase()}${mistake.slice(1)}.`);
}

/** Parses a variant. */
export function variantOption(value: string): Variant {
  const variant = variantNamed(value);
  if (variant === undefined) throw new InvalidArgumentError(`Expected ${variantsInWords}.`);
  return variant;
}

/** Parses an address, its subnet as the number of network bits (24 by default) and its gateway: `A/BITS,GATEWAY`. */
export function leaseOption(value: string): AddressSet {
  const [, address = '', bits = '24', gateway = '0.0.0.0'] =
    /^([^/,]+)(?:\/(\d{1,2}))?(?:,([^/,]+))?$/.exec(value) ?? [];
  if (!isIPv4(address) || !isIPv4(gateway) || Number(bits) > 32) {
    throw new InvalidArgumentError('Expected an address like 10.0.0.42/24 or 10.0.0.42/24,10.0.0.1.');
  }
  return { address: addressBytes(address), mask: networkMask(Number(bits)), gateway: addressBytes(gateway) };
}

function addressBytes(address: string): readonly number[] {
  return address.split('.').map(Number);
}

/** Returns the mask with this many leading ones. */
function networkMask(bits: number): readonly number[] {
  return [0, 8, 16, 24].map((before) => 256 - 2 ** (8 - Math.min(8, Math.max(0, bits - before))));
}

/** Collects every value of a repeated option, as typed. */
export function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

/** ms. */
const units: ReadonlyMap<string, number> = new Map([
  ['', 1],
  ['ms', 1],
  ['s', 1000],
  ['min', 60_000],
  ['h', 3_600_000],
  ['d', 24 * 3_600_000],
]);

/** Returns the ms of `250ms`, `-30s`, `1.5min`, `2h`, `7d` or `250`; undefined for anything else. */
export function millisecondsIn(typed: string): number | undefined {
  const [, number, unit = ''] = /^(-?\d+(?:\.\d+)?)([a-z]*)$/.exec(typed) ?? [];
  const length = units.get(unit);
  return number === undefined || length === undefined ? undefined : Number(number) * length;
}
