import { createHash } from 'node:crypto';
import { virtualIdentity } from '@azimuth/device';
import type { Release, Variant } from '@azimuth/model';
import type { FaultPlan } from '@azimuth/simulation/faults';
import type { Scene } from '@azimuth/simulation/scene';

/** Where a scanner listens itself. 0 is any free port, which it keeps while the fleet runs. */
export interface ScannerPorts {
  readonly host: string;
  readonly http: number;
  readonly https: number;
  readonly legacyA: number;
  readonly legacyB: number;
}

/** One scanner of a fleet, as it is wanted. */
export interface ScannerFacts {
  /** Up to 9 letters and digits, unique in the fleet. */
  readonly serial: string;
  /** The name of its group. */
  readonly group: string;
  /** The newest by default. */
  readonly release?: Release;
  readonly variant: Variant;
  /** Scanners may share it: nothing changes it. */
  readonly scene: Scene;
  /** Of the measuring noise, 0 to 4294967295. */
  readonly seed: number;
  /** Stored parameters of a scanner that starts for the first time, as the interface has them, by name. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Faults from each power-on on. */
  readonly faults?: FaultPlan;
  /** Undefined for a scanner that is reached by the port of the fleet alone. */
  readonly ports?: ScannerPorts;
}

/** MAC addresses by serial number: 6 bytes each, no two equal. */
export type MacAddresses = ReadonlyMap<string, readonly number[]>;

/** The MAC addresses of the scanners of a fleet, in its order: of thousands, some lead to one that is taken. */
export function macAddressesOf(serials: Iterable<string>): MacAddresses {
  const taken = new Set<string>();
  const addresses = new Map<string, readonly number[]>();
  for (const serial of serials) {
    let { macAddress } = virtualIdentity(serial);
    for (let attempt = 1; taken.has(macAddress.join()); attempt++) {
      const [a = 0, b = 0, c = 0] = createHash('sha256').update(`${serial} ${attempt}`).digest();
      macAddress = [...macAddress.slice(0, 3), a, b, c];
    }
    taken.add(macAddress.join());
    addresses.set(serial, macAddress);
  }
  return addresses;
}

/** What a pattern is compared with. */
export type Named = Pick<ScannerFacts, 'serial' | 'group'>;

/**
 * Says which scanners a pattern means: a serial number, or a part of it with `*`; a group as `hall/*`; `*` for all.
 * A serial number that is no pattern means itself alone.
 */
export function matcherOf(pattern: string): (one: Named) => boolean {
  const [, group] = /^(.+)\/\*$/.exec(pattern) ?? [];
  const fits = fitOf(group ?? pattern);
  return group === undefined ? ({ serial }) => fits(serial) : (one) => fits(one.group);
}

/**
 * Words with `*` for any characters. No regular expression: one with many `.*` takes time that grows exponentially, and patterns
 * come from anybody.
 */
function fitOf(pattern: string): (text: string) => boolean {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  // Several of them mean the same as one.
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
