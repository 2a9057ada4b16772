import { createHash } from 'node:crypto';
import { virtualIdentity } from '@azimuth/device';
import type { Release, Variant } from '@azimuth/model';
import type { FaultPlan } from '@azimuth/simulation/faults';
import type { Scene, World } from '@azimuth/simulation/world';

/** The ports of a scanner itself. 0 is any free port, which it keeps while the fleet runs. */
export interface ScannerPorts {
  readonly host: string;
  readonly http: number;
  readonly https: number;
  readonly legacyA: number;
  readonly legacyB: number;
}

/** A scanner of a world. */
export interface WorldMount {
  /** Its clock is that of the process. */
  readonly world: World;
  /** The name of the scanner in it. */
  readonly scanner: string;
}

/** The settings of one scanner of a fleet. */
export interface ScannerFacts {
  /** Up to 9 letters and digits, unique in the fleet. */
  readonly serial: string;
  /** The name of its group. */
  readonly group: string;
  /** The release; by default the newest. */
  readonly release?: Release;
  readonly variant: Variant;
  /** Scanners may share it: nothing changes it. */
  readonly scene: Scene;
  /** Where it is in a world that it shares with other scanners of this process; by default, it has one of its own. */
  readonly mount?: WorldMount | undefined;
  /** Seed of the measuring noise, 0 to 4294967295. */
  readonly seed: number;
  /** Stored parameters of a scanner that starts for the first time, by name, with the values of the interface. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Faults that begin at each power-on. */
  readonly faults?: FaultPlan;
  /** True if times in telegrams are UTC of the process from the first scan on. False by default. */
  readonly synchronised?: boolean | undefined;
  /** True if clients find nothing that a real device does not have. False by default. */
  readonly asDevice?: boolean | undefined;
  /** Undefined for a scanner that is reached by the port of the fleet only. */
  readonly ports?: ScannerPorts;
}

/** MAC addresses by serial number: 6 bytes each. Scanners that are missing have the usual one of their number. */
export type MacAddresses = ReadonlyMap<string, readonly number[]>;

/**
 * Computes the MAC addresses of those scanners of a fleet, in its order, that cannot have the usual one. Among thousands of
 * scanners, some would get equal addresses: a later one gets another address.
 */
export function macAddressesOf(serials: Iterable<string>): MacAddresses {
  const used = new Set<number>();
  const addresses = new Map<string, readonly number[]>();
  for (const serial of serials) {
    const usual = virtualIdentity(serial).macAddress;
    let macAddress = usual;
    for (let attempt = 1; used.has(numberOf(macAddress)); attempt++) {
      const [a = 0, b = 0, c = 0] = createHash('sha256').update(`${serial} ${attempt}`).digest();
      macAddress = [...macAddress.slice(0, 3), a, b, c];
    }
    used.add(numberOf(macAddress));
    if (macAddress !== usual) addresses.set(serial, macAddress);
  }
  return addresses;
}

function numberOf(bytes: readonly number[]): number {
  return bytes.reduce((number, byte) => number * 256 + byte, 0);
}

/** The names that a pattern is compared with. */
export type Named = Pick<ScannerFacts, 'serial' | 'group'>;

/**
 * Returns a test for the scanners that match a pattern: a serial number, or a part of it with `*`; a group as `hall/*`; `*`
 * for all. A serial number without `*` matches only itself.
 */
export function matcherOf(pattern: string): (one: Named) => boolean {
  const [, group] = /^(.+)\/\*$/.exec(pattern) ?? [];
  const fits = fitOf(group ?? pattern);
  return group === undefined ? ({ serial }) => fits(serial) : (one) => fits(one.group);
}

/**
 * Returns a test for texts with `*` for any characters. It is not a regular expression: with many `.*`, its time would grow
 * exponentially, and any client can send a pattern.
 */
function fitOf(pattern: string): (text: string) => boolean {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  // Several stars match like one.
  const parts = rest.filter((part) => part !== '');
  if (last === undefined) return (text) => text === pattern;
  return (text) => {
    if (!text.startsWith(first)) return false;
    let from = first.length;
    for (const part of parts) {
      const at = text.indexOf(part, from);
      if (at < 0) return false;
      from = at + part.length;
    }
    return text.length - last.length >= from && text.endsWith(last);
  };
}
