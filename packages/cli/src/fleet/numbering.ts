import { isIPv4 } from 'node:net';
import type { ScannerPorts } from '@azimuth/fleet';
import { counted } from '@azimuth/model';

/** Serial numbers of the scanners of a group. */
export interface Numbering {
  /**
   * Pattern with `#` for each digit of the number: `23##` gives 2301, 2302 … Without `#`, it is the serial number of a
   * single scanner.
   */
  readonly pattern: string;
  /** The number of the first scanner. */
  readonly first: number;
}

/**
 * Returns the serial number of a scanner. A number with more digits than the pattern makes it longer. @param index
 * from 0
 */
export function serialNumberAt({ pattern, first }: Numbering, index: number): string {
  return pattern.replace(/#+/, (digits) => String(first + index).padStart(digits.length, '0'));
}

/** Returns the problem of a pattern for this many scanners; undefined if there is none. */
export function patternProblem(pattern: string, count: number): string | undefined {
  const groups = pattern.match(/#+/g)?.length ?? 0;
  if (groups > 1) return `expected # for digits that stand together, as 23####, got "${pattern}"`;
  if (groups === 1 || count === 1) return undefined;
  return `expected # for the digits of the number that counts, as 23####, got "${pattern}" for ${counted(count, 'scanner')}`;
}

/** Addresses of the scanners of a group: a port of their own, or an address of their own. */
export type Addressing =
  | { readonly firstPort: number }
  | {
      readonly firstAddress: string;
      /** Port of HTTP; 8080 by default. */
      readonly port?: number;
    };

/** Scanners of one fleet. */
export const maxScanners = 100_000;

/** The highest port number. */
export const maxPort = 65_535;

export const isLoopback = (address: string) => isIPv4(address) && address.startsWith('127.');

/** The ports of a device, except HTTP and HTTPS, for which a program needs special rights. */
const defaultPorts = { http: 8080, https: 8443, legacyA: 2111, legacyB: 2112 };

/** @param index from 0 */
export function scannerPorts(addressing: Addressing, index: number): ScannerPorts {
  if ('firstPort' in addressing) {
    return { host: '127.0.0.1', http: addressing.firstPort + index, https: 0, legacyA: 0, legacyB: 0 };
  }
  const { firstAddress, port = defaultPorts.http } = addressing;
  return { ...defaultPorts, http: port, host: addressAfter(firstAddress, index) };
}

function addressAfter(first: string, index: number): string {
  const number = first.split('.').reduce((total, byte) => total * 256 + Number(byte), 0) + index;
  return [24, 16, 8, 0].map((shift) => Math.floor(number / 2 ** shift) % 256).join('.');
}
