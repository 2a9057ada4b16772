import type { Log } from '@azimuth/device';
import { counter, gauge, type Metric } from '@azimuth/http';
import {
  type Database,
  type DatabaseStore,
  type FleetLoad,
  othersAt,
  totalCapacity,
} from '../database/index.js';

interface WorkerMeasurements {
  readonly shards: number;
  /** ms until the first lease ends; undefined if there are none. */
  readonly remaining: number | undefined;
  readonly store: Pick<DatabaseStore, 'saves' | 'refusedSaves'>;
}

/** Returns the metrics of a worker. Without a lease, the remaining time is missing. */
export function workerMetrics({ shards, remaining, store }: WorkerMeasurements): readonly Metric[] {
  const lease =
    remaining === undefined
      ? []
      : [
          gauge(
            'azimuth_worker_lease_seconds',
            'Time until the first of the leases ends if it is not renewed.',
            Math.max(0, remaining) / 1000,
          ),
        ];
  return [
    gauge('azimuth_worker_shards', 'Shards that this worker runs.', shards),
    ...lease,
    counter('azimuth_worker_saves_total', 'Documents that scanners have saved.', store.saves),
    counter(
      'azimuth_worker_refused_saves_total',
      'Documents that were not saved: the database was away, or the lease had gone.',
      store.refusedSaves,
    ),
  ];
}

/**
 * Logs once that the living workers cannot run all scanners of the fleet, no matter how often this is seen. Then it logs that
 * they can.
 */
export class CapacityLog {
  readonly #log: Log;
  #isTooSmall = false;

  constructor(log: Log) {
    this.#log = log;
  }

  record(spread: Pick<FleetLoad, 'scanners' | 'capacities'>): void {
    const { scanners, capacities } = spread;
    const capacity = totalCapacity(spread);
    const wasTooSmall = this.#isTooSmall;
    this.#isTooSmall = capacity < scanners;
    if (this.#isTooSmall === wasTooSmall) return;
    const facts = { scanners, capacity, workers: capacities.size };
    if (this.#isTooSmall)
      this.#log.warn(
        'The fleet has more scanners than all workers together can run, and some have no worker: start more workers, or raise --capacity',
        facts,
      );
    else this.#log.info('The workers together can run all scanners of the fleet', facts);
  }
}

/**
 * Warns if another worker has the same URL. Gateways then reach only one of them, and requests to scanners of the other one
 * fail with 503 after their time-out. If a worker was killed, it counts until its leases end, unless its end is known.
 * @throws DatabaseUnavailable
 */
export async function warnOfSameUrl(
  { database, log }: { readonly database: Database; readonly log: Log },
  { url, owner }: { readonly url: string; readonly owner: string },
): Promise<void> {
  const others = await othersAt(database, url, owner);
  if (others.length === 0) return;
  log.warn(
    'Another worker has the same URL. If both live, gateways reach only one of them: give each its own --advertise',
    { url, others },
  );
}
