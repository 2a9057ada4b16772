import { counter, gauge } from '@azimuth/http';
import type { DatabaseStore } from '../database/index.js';

interface Measured {
  readonly shards: number;
  /** ms until the first of the leases ends; undefined if there are none. */
  readonly remaining: number | undefined;
  readonly store: Pick<DatabaseStore, 'saves' | 'refusedSaves'>;
}

/** The metrics of a worker, in the text format of Prometheus. Without a lease, there is no time that one has left. */
export function workerMetrics({ shards, remaining, store }: Measured): string {
  return (
    gauge('azimuth_worker_shards', 'Shards that this worker runs.', shards) +
    (remaining === undefined
      ? ''
      : gauge(
          'azimuth_worker_lease_seconds',
          'Time until the first of the leases ends if it is not renewed.',
          Math.max(0, remaining) / 1000,
        )) +
    counter('azimuth_worker_saves_total', 'Documents that scanners have saved.', store.saves) +
    counter(
      'azimuth_worker_refused_saves_total',
      'Documents that were not saved: the database was away, or the lease had gone.',
      store.refusedSaves,
    )
  );
}
