import type { DatabaseStore } from '../database/index.js';
import { metricText } from '../front/metric-text.js';

interface Measured {
  readonly shards: number;
  /** ms until the first of the leases ends; undefined if there are none. */
  readonly remaining: number | undefined;
  readonly store: Pick<DatabaseStore, 'saves' | 'refusedSaves'>;
}

/** The metrics of a worker, in the text format of Prometheus. Without a lease, there is no time that one has left. */
export function workerMetrics({ shards, remaining, store }: Measured): string {
  return (
    metricText('azimuth_worker_shards', 'gauge', 'Shards that this worker runs.', shards) +
    (remaining === undefined
      ? ''
      : metricText(
          'azimuth_worker_lease_seconds',
          'gauge',
          'Time until the first of the leases ends if it is not renewed.',
          Math.max(0, remaining) / 1000,
        )) +
    metricText('azimuth_worker_saves_total', 'counter', 'Documents that scanners have saved.', store.saves) +
    metricText(
      'azimuth_worker_refused_saves_total',
      'counter',
      'Documents that were not saved: the database was away, or the lease had gone.',
      store.refusedSaves,
    )
  );
}
