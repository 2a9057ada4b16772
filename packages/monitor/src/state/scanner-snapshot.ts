import type { SectorState } from '@azimuth/model';
import type { Severity } from '../log/log-entry.js';

/** A condition that a scanner is in. */
export interface ActiveCondition {
  readonly id: string;
  /** The part that it is about, for example `sector 3`; empty if it is about the whole scanner. */
  readonly part: string;
  readonly severity: Severity;
  readonly text: string;
  /** Milliseconds since 1970-01-01 UTC. */
  readonly since: number;
}

/** Scan data of a scanner that arrives at this computer. */
export interface ReceivedScans {
  /** Scans per second over the last interval. */
  readonly rate: number;
  /** Scans per second that the scanner should send; undefined if its settings are not known. */
  readonly expectedRate: number | undefined;
  /** Scans that have come since the monitor started. */
  readonly total: number;
  /** Telegrams that were lost since the monitor started. */
  readonly lost: number;
  /** Share of the telegrams that were lost over the last interval, 0 to 1. */
  readonly lossShare: number;
  /** When the last scan came: milliseconds since 1970-01-01 UTC. */
  readonly lastAt: number | undefined;
}

/** Counts of one scanner since the monitor started. */
export interface WatchCounts {
  readonly looks: number;
  /** Looks at which the scanner did not answer. */
  readonly failedLooks: number;
  /** Values that came as events. */
  readonly events: number;
  /** Changes of parameters that were noticed. */
  readonly parameterChanges: number;
}

/** State of a scanner, as far as it is known now. Values of a scanner that does not answer are the last ones. */
export interface ScannerSnapshot {
  readonly name: string;
  readonly url: string;
  /** Its serial number, also if it is not the expected one. */
  readonly serial: string | undefined;
  /** The serial number that belongs to this address; undefined until one was read. */
  readonly expectedSerial: string | undefined;
  /** Undefined before the first look. */
  readonly reachable: boolean | undefined;
  /** When it last answered: milliseconds since 1970-01-01 UTC. */
  readonly answeredAt: number | undefined;
  /** Why the last look failed. One line, safe to print. */
  readonly failure: string | undefined;
  /** Seconds that the last look took; undefined before the first one. */
  readonly lookSeconds: number | undefined;
  /**
   * Its last values, by the names of variables, as the interface allows them. A value that it does not allow is not
   * here, but in `malformed`.
   */
  readonly values: ReadonlyMap<string, unknown>;
  /** Variables that were last answered with something that the interface does not allow. */
  readonly malformed: readonly string[];
  /** Version of its firmware: `2.4.4.0R`. */
  readonly firmware: string | undefined;
  /** Release of the interface in this version: `2.4.4`; undefined if it is not known. */
  readonly release: string | undefined;
  /** The front screen, sector by sector; empty if the scanner does not watch it. */
  readonly sectors: readonly SectorState[];
  /** Whether its events are followed: `none` if its release has none. */
  readonly events: 'none' | 'connected' | 'lost';
  /**
   * Seconds by which its clock is ahead of the clock of the monitor, without the difference of time zones; undefined if
   * it was not read.
   */
  readonly clockOffset: number | undefined;
  /** Until when its certificates are valid: milliseconds since 1970-01-01 UTC; undefined if it has none. */
  readonly certificateUntil: number | undefined;
  /** Paths of parameters that were changed and not saved, as far as it is known. */
  readonly unsaved: readonly string[];
  /** Since when there have been unsaved ones: milliseconds since 1970-01-01 UTC. */
  readonly unsavedSince: number | undefined;
  /** Paths of parameters that differ from the site file; undefined if there is none for it. */
  readonly drift: readonly string[] | undefined;
  /** Undefined unless its scan data is sent to this computer, and the monitor receives it. */
  readonly scans: ReceivedScans | undefined;
  /** True while it refuses logins, as far as it is known. */
  readonly loginsLocked: boolean;
  /**
   * When it was last archived completely, or, before the first time, since when it is to be: milliseconds since
   * 1970-01-01 UTC. Undefined without an archive.
   */
  readonly archivedAt: number | undefined;
  /** Boots that the monitor has noticed since it started. */
  readonly restarts: number;
  /** Seconds since its power was switched on, at the last look; undefined if it was not read. */
  readonly uptime: number | undefined;
  readonly counts: WatchCounts;
  readonly conditions: readonly ActiveCondition[];
}

/** Returns the snapshot of a scanner before the first look. */
export function unseen(of: Pick<ScannerSnapshot, 'name' | 'url' | 'expectedSerial'>): ScannerSnapshot {
  return {
    ...of,
    serial: undefined,
    reachable: undefined,
    answeredAt: undefined,
    failure: undefined,
    lookSeconds: undefined,
    values: new Map(),
    malformed: [],
    firmware: undefined,
    release: undefined,
    sectors: [],
    events: 'none',
    clockOffset: undefined,
    certificateUntil: undefined,
    unsaved: [],
    unsavedSince: undefined,
    drift: undefined,
    scans: undefined,
    loginsLocked: false,
    archivedAt: undefined,
    restarts: 0,
    uptime: undefined,
    counts: { looks: 0, failedLooks: 0, events: 0, parameterChanges: 0 },
    conditions: [],
  };
}
