import type { AddressSet } from '../interfaces/hardware/index.js';
import { unusable } from './contained-sensor.js';

/**
 * True if one device can have this IPv4 address. Programs can listen at others, too. But 0.0.0.0 means all addresses of
 * the machine, and nobody can connect to multicast and broadcast addresses.
 */
export function isOfOneDevice([first = 0]: readonly number[]): boolean {
  return first > 0 && first < 224;
}

/** An address of the hardware as a set of its own. @throws TypeError for everything except a complete set or undefined */
export function addressSetIn(value: AddressSet | undefined): AddressSet | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== 'object' || value === null || value instanceof Promise)
    throw unusable('an address with its mask and gateway, or undefined', value);
  const { address, mask, gateway } = value;
  const set = {
    address: addressIn(address, 'address'),
    mask: addressIn(mask, 'mask'),
    gateway: addressIn(gateway, 'gateway'),
  };
  if (!isOfOneDevice(set.address)) throw unusable('an address that a device can have', set.address.join('.'));
  return set;
}

function addressIn(value: unknown, name: string): readonly number[] {
  if (Array.isArray(value) && value.length === 4 && value.every(isByte)) return [...value];
  throw unusable(`four bytes as ${name}`, value);
}

function isByte(value: unknown): boolean {
  return Number.isInteger(value) && typeof value === 'number' && value >= 0 && value <= 255;
}
