import type { Release, Variant } from '@azimuth/model';
import type { CheckSubject } from '../scanner/checked-scanner.js';
import type { Step } from '../steps/index.js';

/**
 * What a case does to a scanner, in the order in which cases run:
 * - `read`: nothing that another client could notice.
 * - `write`: changes what it puts back at once.
 * - `lock`: locks logins for 30 s.
 * - `reboot`: reboots; what was not saved is saved or lost.
 * - `destructive`: restores defaults, installs firmware.
 * - `core`: injects faults into the measuring core or the hardware.
 */
export const stages = ['read', 'write', 'lock', 'reboot', 'destructive', 'core'] as const;
export type Stage = (typeof stages)[number];

/**
 * Weight of a case. A scanner that fails a `must` does not keep the interface: the specification, or the maker's guide, states
 * it. `should`: devices of this family do so, or clients rely on it, where the specification is silent. `informational`: told,
 * and never a failure.
 */
export type RequirementLevel = 'must' | 'should' | 'informational';

/**
 * What a case needs besides HTTP and the stage that permits it: an address of that wire, an address of this computer for
 * streams, or for `hardware` a control port; for `factory-access`, that the address and the password of Service stay right when
 * the scanner is reset. Without it, the case is not tested.
 */
export const needs = [
  'https',
  'events',
  'legacy',
  'search',
  'streams',
  'hardware',
  'factory-access',
] as const;
export type Need = (typeof needs)[number];

/** Releases from `since` on, before `until`. */
export interface ReleaseRange {
  readonly since?: Release;
  /** First release that is not meant any more. */
  readonly until?: Release;
}

/** Where a case does not count, though its clause is right. Everything that is stated has to hold. */
export interface CaseException {
  readonly releases?: ReleaseRange;
  readonly variants?: readonly Variant[];
  /** Scheme of the scanner's URL. */
  readonly scheme?: 'http' | 'https';
  /** Why, in a sentence for people. */
  readonly reason: string;
}

/** One conformance case, as data. */
export interface ConformanceCase {
  /** Area, and what is checked: `status.unknown-endpoint`. It stays the same from release to release. */
  readonly id: string;
  /** What the scanner has to do, in one or two sentences. */
  readonly clause: string;
  /**
   * Where that is stated: `specification: Errors`, `guide: Events` (the maker's guide for developers), `family: …` (what devices
   * and their clients do), `RFC 6455: Pong`, or `Azimuth: …` (decided where all of them are silent).
   */
  readonly place: string;
  readonly level: RequirementLevel;
  readonly stage: Stage;
  readonly needs?: readonly Need[];
  /** Names of the interface that a scanner must have for the case. Without one of them, it is not tested. */
  readonly names?: readonly string[];
  /** Releases whose interface states the clause; all by default. Others leave the case out. */
  readonly releases?: ReleaseRange;
  /** Variants whose interface states the clause; all by default. Others leave the case out. */
  readonly variants?: readonly Variant[];
  readonly exception?: CaseException;
  /**
   * Further variables that the steps change: by another wire, or indirectly. Those that the steps POST are found out. `*`
   * stands for all parameters. All of them are read before the case, and put back after it.
   */
  readonly changes?: readonly string[];
  readonly steps: readonly Step[];
  /**
   * What puts back anything that is no variable: levels, passwords, tokens, backups. These steps are done in any case, also
   * after a failure and after Ctrl-C, before the variables are put back.
   */
  readonly cleanup?: readonly Step[];
}

/** Cases about one subject. */
export interface Area {
  /** Beginning of its ids. */
  readonly name: string;
  /** For people: `Statuses and messages`. */
  readonly title: string;
  /** Returns the cases for a scanner. Those of other releases and variants are left out. */
  cases(subject: CheckSubject): readonly ConformanceCase[];
}
