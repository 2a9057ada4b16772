import type { LegacyInterfaces } from '../legacy/legacy-interfaces.js';
import type { DataStreams } from '../streams/data-streams.js';
import type { Traffic } from '../traffic/traffic.js';

/** The metrics of data streams. */
export type StreamCounts = Pick<DataStreams, 'metrics' | 'clients' | 'blockedBy'>;

/** The metrics of the legacy interfaces. */
export type LegacyCounts = Pick<LegacyInterfaces, 'metrics' | 'access'>;

/** Sources of a scanner's metrics, besides the device itself. */
export interface Counts {
  readonly traffic: Traffic;
  readonly streams: StreamCounts;
  /** Undefined until they are opened for the first time. */
  readonly legacy: () => LegacyCounts | undefined;
  /** Metrics are cached for this time (ms); default 1000. */
  readonly freshFor?: number | undefined;
}

/** One value of a family, identified by its labels. */
export interface Sample {
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}

/** A metric: a counter since the process started, or a gauge of the present state. */
export interface Family {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge';
  readonly labels?: readonly string[];
  readonly samples: () => readonly Sample[];
}
