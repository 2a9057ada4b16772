import { ControlRefused, type Given } from '@azimuth/device/control';
import { ipv4, Refusal } from '@azimuth/model';

/** Reads a boolean member of a command. @throws ControlRefused */
export function booleanIn(given: Given, name: string): boolean {
  const value = given[name];
  if (typeof value === 'boolean') return value;
  throw new ControlRefused(`"${name}" must be true or false`);
}

/**
 * Reads a number in a range, bounds included.
 * @param meaning of the maximum, or its unit, for the message
 * @throws ControlRefused
 */
export function numberIn(
  given: Given,
  name: string,
  minimum: number,
  maximum: number,
  meaning?: string,
): number {
  const value = given[name];
  if (typeof value === 'number' && value >= minimum && value <= maximum) return value;
  const most = meaning === undefined ? maximum : `${maximum} (${meaning})`;
  throw new ControlRefused(`"${name}" must be a number from ${minimum} to ${most}`);
}

/** Reads a whole number in a range, bounds included. @throws ControlRefused */
export function wholeNumberIn(given: Given, name: string, minimum: number, maximum: number): number {
  const value = given[name];
  if (typeof value === 'number' && Number.isInteger(value) && value >= minimum && value <= maximum) {
    return value;
  }
  throw new ControlRefused(`"${name}" must be a whole number from ${minimum} to ${maximum}`);
}

/** Reads a text that is not empty. @throws ControlRefused */
export function textIn(given: Given, name: string): string {
  const value = given[name];
  if (typeof value === 'string' && value !== '') return value;
  throw new ControlRefused(`"${name}" must be a text`);
}

/** Reads the four bytes of an IPv4 address. @throws ControlRefused */
export function addressIn(given: Given, name: string): readonly number[] {
  try {
    return ipv4([0, 0, 0, 0]).fromJson(given[name], name);
  } catch (error) {
    throw new ControlRefused(error instanceof Refusal ? error.message : `"${name}" must be an IPv4 address`);
  }
}
