import { ControlRefused, type Given } from '@azimuth/device';
import { Fault, ipv4 } from '@azimuth/model';

/** @throws ControlRefused */
export function booleanIn(given: Given, name: string): boolean {
  const value = given[name];
  if (typeof value === 'boolean') return value;
  throw new ControlRefused(`"${name}" has to be true or false`);
}

/**
 * A number in a range, bounds included.
 * @param spoken what the largest number means, or its unit
 * @throws ControlRefused
 */
export function numberIn(
  given: Given,
  name: string,
  minimum: number,
  maximum: number,
  spoken?: string,
): number {
  const value = given[name];
  if (typeof value === 'number' && value >= minimum && value <= maximum) return value;
  const most = spoken === undefined ? maximum : `${maximum} (${spoken})`;
  throw new ControlRefused(`"${name}" has to be a number from ${minimum} to ${most}`);
}

/** A whole number in a range, bounds included. @throws ControlRefused */
export function wholeNumberIn(given: Given, name: string, minimum: number, maximum: number): number {
  const value = given[name];
  if (typeof value === 'number' && Number.isInteger(value) && value >= minimum && value <= maximum)
    return value;
  throw new ControlRefused(`"${name}" has to be a whole number from ${minimum} to ${maximum}`);
}

/** A text that is not empty. @throws ControlRefused */
export function textIn(given: Given, name: string): string {
  const value = given[name];
  if (typeof value === 'string' && value !== '') return value;
  throw new ControlRefused(`"${name}" has to be a text`);
}

/** Four bytes. @throws ControlRefused */
export function addressIn(given: Given, name: string): readonly number[] {
  try {
    return ipv4([0, 0, 0, 0]).fromJson(given[name], name);
  } catch (error) {
    throw new ControlRefused(error instanceof Fault ? error.message : `"${name}" has to be an IPv4 address`);
  }
}
