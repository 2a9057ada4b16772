import type { FleetScanner } from './scanner.js';

type Asked = Pick<FleetScanner, 'requests'> & { readonly facts: Pick<FleetScanner['facts'], 'group'> };

/** Requests of scanners that a fleet has given up: its counts go on with them, and never fall. */
export class RemovedRequests {
  /** By groups, of those that have ended. */
  readonly #ended = new Map<string, number>();
  /** They may still get requests. */
  readonly #leaving = new Set<Asked>();

  /** Counts scanners that the fleet has no more, while `end` ends them and from then on. */
  async leave(units: readonly Asked[], end: () => Promise<void>): Promise<void> {
    for (const unit of units) this.#leaving.add(unit);
    try {
      await end();
    } finally {
      for (const unit of units) this.#leaving.delete(unit);
      addTo(this.#ended, units);
    }
  }

  /** Those of all scanners, by groups. @param units that the fleet has */
  with(units: Iterable<Asked>): ReadonlyMap<string, number> {
    const sums = new Map(this.#ended);
    addTo(sums, units);
    addTo(sums, this.#leaving);
    return sums;
  }
}

function addTo(sums: Map<string, number>, units: Iterable<Asked>): void {
  for (const { facts, requests } of units) sums.set(facts.group, (sums.get(facts.group) ?? 0) + requests);
}
