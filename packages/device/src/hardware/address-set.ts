import type { AddressSet } from '../interfaces/hardware/index.js';
import { errorMessage } from '../lifecycle/unexpected-errors.js';

/** An address of the hardware as a set of its own. @throws TypeError for everything except a complete set or undefined */
export function addressSetIn(value: AddressSet | undefined): AddressSet | undefined {
  if (value === undefined) return undefined;
  const { address, mask, gateway } = value;
  return {
    address: addressIn(address, 'address'),
    mask: addressIn(mask, 'mask'),
    gateway: addressIn(gateway, 'gateway'),
  };
}

function addressIn(value: unknown, name: string): readonly number[] {
  if (Array.isArray(value) && value.length === 4 && value.every(isByte)) return [...value];
  throw new TypeError(`expected four bytes as ${name}, got ${errorMessage(value)}`);
}

function isByte(value: unknown): boolean {
  return Number.isInteger(value) && typeof value === 'number' && value >= 0 && value <= 255;
}
