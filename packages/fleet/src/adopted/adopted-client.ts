import type { LookupFunction } from 'node:net';
import type { LoginLevel } from '@azimuth/model';
import type { RealScannerFacts } from './real-facts.js';

/** What one look at a real scanner has found. All of it is what the scanner says, and unchecked. */
export interface Look {
  readonly serialNumber: string;
  /** Version of the firmware, as in DeviceIdent. */
  readonly version: string;
  readonly location: string;
  readonly deviceStatus: number;
}

/** The way to a real scanner. */
export interface RealTarget {
  readonly url: string;
  readonly dial: {
    /** Resolves its host name, and refuses addresses that are not allowed. Connections go to what it returns. */
    readonly lookup: LookupFunction;
    readonly ca: string | undefined;
  };
}

/** A client of one real scanner. The program that runs the fleet makes it. */
export interface AdoptedClient {
  /** Reads what the fleet shows. @throws Error with the reason if the scanner does not answer, or not as a scanner */
  look(): Promise<Look>;
  /**
   * Follows DeviceStatus until the connection is lost.
   * @param onStatus called with each value, the present one first
   * @param signal ends it
   * @returns why it has ended; undefined if the release has no such events
   */
  follow(onStatus: (deviceStatus: number) => void, signal: AbortSignal): Promise<string | undefined>;
  /** Checks a login, once. @returns false if it was refused @throws Error with the reason if it got no answer */
  accepts(user: LoginLevel, password: string): Promise<boolean>;
  /** Ends all of it at once: a look that runs fails. */
  close(): void;
}

/** What a fleet needs for real scanners. */
export interface Adoption {
  readonly open: (target: RealTarget) => AdoptedClient;
  /** Opens the password of a scanner with credentials. @throws Error */
  readonly passwordOf?: ((facts: RealScannerFacts) => string) | undefined;
  /** Ports of the fleet itself, to which it forwards nothing. */
  readonly ownPorts: () => readonly { readonly host: string; readonly port: number }[];
  /** Times; by default, those of `restTimes`. */
  readonly times?: Partial<AdoptionTimes> | undefined;
}

/** Times in ms. All pauses differ by up to a fifth, so that a thousand scanners are not asked at once. */
export interface AdoptionTimes {
  /** Between two looks at a scanner that sends events. */
  readonly followed: number;
  /** Between two looks at a scanner without events. */
  readonly unfollowed: number;
  /** After the first failed look. It doubles up to `longestRetry`. */
  readonly retry: number;
  readonly longestRetry: number;
  /** Between two registrations for events, of all scanners together. */
  readonly registrations: number;
  /** Between two logins at one scanner: a wrong password must not lock it. */
  readonly logins: number;
}

export const restTimes: AdoptionTimes = {
  followed: 300_000,
  unfollowed: 60_000,
  retry: 1000,
  longestRetry: 60_000,
  registrations: 200,
  logins: 600_000,
};
