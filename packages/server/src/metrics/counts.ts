import type { LegacyInterfaces } from '../legacy/legacy-interfaces.js';
import type { DataStreams } from '../streams/data-streams.js';
import type { Traffic } from '../traffic/traffic.js';

/** What is counted of data streams. */
export type StreamCounts = Pick<DataStreams, 'metrics' | 'clients' | 'blockedBy'>;

/** What is counted of the legacy interfaces. */
export type LegacyCounts = Pick<LegacyInterfaces, 'metrics' | 'access'>;

/** Where the metrics of a scanner come from, beside the device itself. */
export interface Counts {
  readonly traffic: Traffic;
  readonly streams: StreamCounts;
  /** Undefined while they were never open. */
  readonly legacy: () => LegacyCounts | undefined;
  /** How long (ms) all who ask get the same metrics; a second if it is not given. */
  readonly freshFor?: number | undefined;
}

/** One value of a family, told from the others by its labels. */
export interface Sample {
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}

/** What is measured under one name: a counter since the process started, or a gauge of what is now. */
export interface Family {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge';
  readonly labels?: readonly string[];
  readonly samples: () => readonly Sample[];
}
