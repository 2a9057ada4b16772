import type { ParameterValues } from '@azimuth/client';

/** What was last seen of a scanner. It survives a restart of the monitor: a change made meanwhile is logged once. */
export interface LastSeen {
  /** When it was written: milliseconds since 1970-01-01 UTC. */
  readonly at: number;
  /** The serial number that belongs to its address. */
  readonly serial: string | undefined;
  /** The serial number that answered last: another one while another scanner is at its address. */
  readonly answered?: string | undefined;
  readonly firmware: string | undefined;
  readonly deviceStatus: number | undefined;
  readonly powerOnCount: number | undefined;
  readonly dailyHours: number | undefined;
  /** LastParaDate and LastParaTime. */
  readonly lastSave: string | undefined;
  /** Working parameters, by their names in requests. */
  readonly parameters: ParameterValues;
  /** Their stored values, as far as they are known. */
  readonly stored: ParameterValues;
  readonly unsavedSince: number | undefined;
}

/** What was last seen of all scanners, by their names. */
export interface LastParameters {
  /** Undefined if nothing is known, or if it cannot be read. */
  read(name: string): Promise<LastSeen | undefined>;
  /** Resolves when it is on disk. */
  write(name: string, seen: LastSeen): Promise<void>;
}

/** Forgets everything with the process: for monitors that keep nothing, and for tests. */
export class MemoryLastParameters implements LastParameters {
  readonly #seen = new Map<string, LastSeen>();

  read(name: string): Promise<LastSeen | undefined> {
    return Promise.resolve(this.#seen.get(name));
  }

  write(name: string, seen: LastSeen): Promise<void> {
    this.#seen.set(name, seen);
    return Promise.resolve();
  }
}
