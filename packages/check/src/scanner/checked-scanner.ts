import type { KnownInterface, LoginLevel, Release, Variant } from '@azimuth/model';

/** Time of a check. Tests replace it by the virtual time of a scanner. */
export interface CheckClock {
  /** ms since 1970. */
  now(): number;
  /** Waits for this many ms, or until the signal is aborted. */
  wait(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

/** Address of a port. */
export interface Endpoint {
  readonly host: string;
  readonly port: number;
}

/** Where a scanner is, and what is known to log in. */
export interface CheckTarget {
  /** `http(s)://HOST[:PORT]`. */
  readonly url: string;
  /** Passwords of the levels that are known. Stages that log in need that of Service. */
  readonly passwords: Readonly<Partial<Record<LoginLevel, string>>>;
  /** Passwords of the legacy protocol, where they are not those of `passwords`. */
  readonly legacyPasswords?: Readonly<Partial<Record<LoginLevel, string>>> | undefined;
  /** HTTPS beside `url`; undefined if it is not to be used. */
  readonly httpsUrl?: string | undefined;
  /** Text interface A (port 2111) and binary interface B (port 2112) of the legacy protocol. */
  readonly legacyA?: Endpoint | undefined;
  readonly legacyB?: Endpoint | undefined;
  /** UDP port of the device search. */
  readonly search?: Endpoint | undefined;
  /** IPv4 address of this computer that the scanner reaches: streams are sent there. */
  readonly receiveAt?: string | undefined;
  /** URL of the control port of a simulation, or of hardware that injects faults. */
  readonly control?: string | undefined;
  readonly clock: CheckClock;
  /** Longest pause of a case in s. 90 by default. Cases that have to wait for longer are not tested. */
  readonly patienceSeconds?: number | undefined;
  /** A firmware file that the scanner may install. Undefined: no firmware is installed. */
  readonly firmware?: Uint8Array | undefined;
  /** Longest time of an answer in ms of this computer. 5000 by default. */
  readonly timeoutMs?: number | undefined;
}

/** What a scanner is, as far as the cases depend on it. */
export interface CheckSubject {
  /** The interface that it should have: the model's, and its own names by its profile. */
  readonly known: KnownInterface;
  readonly release: Release;
  readonly variant: Variant;
  /** Realm of its logins; that of the built-in product by default. */
  readonly realm?: string;
  /** Names that it should answer. */
  has(name: string): boolean;
}
