import type { Log } from '@azimuth/device';
import { type Spread, totalCapacity } from '../database/index.js';

/** Logs once that the workers who live cannot run all scanners of the fleet, however often that is seen; then that they can. */
export class CapacityLog {
  readonly #log: Log;
  #isTooSmall = false;

  constructor(log: Log) {
    this.#log = log;
  }

  note(spread: Pick<Spread, 'scanners' | 'capacities'>): void {
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
