import type { LoginLevel } from '@azimuth/model';
import type { ScannerFacts } from '../scanners/scanner-facts.js';

/** A login of a real scanner. The password is sealed wherever it is kept. */
export interface RealCredentials {
  readonly user: LoginLevel;
  /** Opened by {@link Adoption.passwordOf} just before it is used. */
  readonly sealed: Uint8Array;
}

/** The settings of a real scanner that a fleet has adopted. */
export interface RealScannerFacts {
  /** The serial number that it must have: up to 9 letters and digits, unique in the fleet. */
  readonly serial: string;
  /** The name of its group. */
  readonly group: string;
  /** `http://192.168.0.1`, without a slash at its end. */
  readonly url: string;
  /** Authorities (PEM) of its certificate; by default, those of the system. */
  readonly ca?: string | undefined;
  /** Undefined if the fleet does not log in: requests of clients have their own logins. */
  readonly credentials?: RealCredentials | undefined;
  /** It has no port in this process. */
  readonly ports?: undefined;
}

/** A scanner of a fleet: virtual or real. */
export type MemberFacts = ScannerFacts | RealScannerFacts;

/** True for a real scanner. */
export function isReal(facts: MemberFacts): facts is RealScannerFacts {
  return 'url' in facts;
}

/** The virtual scanners of these. */
export function virtualOf(all: readonly MemberFacts[]): readonly ScannerFacts[] {
  return all.flatMap((facts) => (isReal(facts) ? [] : [facts]));
}
