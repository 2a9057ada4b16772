import type { LegacyInterfaces } from '../legacy/legacy-interfaces.js';
import type { DataStreams } from '../streams/data-streams.js';
import type { Traffic } from '../traffic/traffic.js';

/** What is counted of data streams. */
export type StreamCounts = Pick<DataStreams, 'tallies' | 'clients' | 'down'>;

/** What is counted of the legacy interfaces. */
export type LegacyCounts = Pick<LegacyInterfaces, 'tally' | 'access'>;

/** Where the metrics of a scanner come from, beside the device itself. */
export interface Counts {
  readonly traffic: Traffic;
  readonly streams: StreamCounts;
  /** Undefined while they were never open. */
  readonly legacy: () => LegacyCounts | undefined;
  /** How long (ms) metrics are told as they were made: a second where nothing is stated. */
  readonly freshFor?: number | undefined;
}
