import { type Status, statuses } from '@azimuth/model';

/** Reasons for which a request is refused before it is interpreted. */
const refusalReasons = [
  'connections',
  'rate',
  'host',
  'origin',
  'expectation',
  'broken',
  'handshake',
  'reboot',
] as const;

export type RefusalReason = (typeof refusalReasons)[number];

const codes = Object.values(statuses).map(({ code }) => code);

/** Counts of a port as plain values. */
export interface KeptTraffic {
  readonly endpoints: readonly (readonly [endpoint: string, counts: readonly number[]])[];
  readonly pages: readonly (readonly [page: string, count: number])[];
  readonly refusals: readonly (readonly [RefusalReason, number])[];
}

/**
 * Counters of the requests of a port since the process started. They are updated for every request, so they are plain
 * numbers without labels.
 */
export class Traffic {
  readonly #endpoints = new Map<string, number[]>();
  readonly #pages = new Map<string, number>();
  readonly #refusals = new Map<RefusalReason, number>();
  /** Open connections, including those that only get a refusal. */
  connections = 0;

  /** Counts a response of an endpoint. `endpoint` must exist: requests for unknown names must not grow the map. */
  countResponse(endpoint: string, status: Status): void {
    const { code } = statuses[status];
    const counts = this.#endpoints.get(endpoint) ?? this.#begin(endpoint);
    counts[code] = (counts[code] ?? 0) + 1;
  }

  /** Counts a page outside the interface by its HTTP status. `path` must exist. */
  countPage(path: string, httpStatus: number): void {
    const key = `${path} ${httpStatus}`;
    this.#pages.set(key, (this.#pages.get(key) ?? 0) + 1);
  }

  countRefusal(reason: RefusalReason): void {
    this.#refusals.set(reason, (this.#refusals.get(reason) ?? 0) + 1);
  }

  /** Returns the requests by endpoint and status; only numbers above 0. */
  *byEndpoint(): Iterable<{ endpoint: string; status: number; count: number }> {
    for (const [endpoint, counts] of this.#endpoints) {
      for (const [status, count] of counts.entries()) if (count > 0) yield { endpoint, status, count };
    }
  }

  /** Returns the requests beside the interface by path and HTTP status. */
  *byPage(): Iterable<{ path: string; httpStatus: string; count: number }> {
    for (const [key, count] of this.#pages) {
      const [path = '', httpStatus = ''] = key.split(' ');
      yield { path, httpStatus, count };
    }
  }

  /**
   * Number of refusals for every reason, also 0. Prometheus does not see the first increase of a series that begins
   * with it.
   */
  get byRefusal(): readonly (readonly [RefusalReason, number])[] {
    return refusalReasons.map((reason) => [reason, this.#refusals.get(reason) ?? 0]);
  }

  /** All counts as plain values. */
  get kept(): KeptTraffic {
    return {
      endpoints: [...this.#endpoints],
      pages: [...this.#pages],
      refusals: [...this.#refusals],
    };
  }

  /** Goes on from counts of an earlier start. */
  takeUp({ endpoints, pages, refusals }: KeptTraffic): void {
    for (const [endpoint, counts] of endpoints) this.#endpoints.set(endpoint, [...counts]);
    for (const [page, count] of pages) this.#pages.set(page, count);
    for (const [reason, count] of refusals) this.#refusals.set(reason, count);
  }

  /** Sum of all counters and the open connections. It stays the same while nothing comes and goes. */
  get total(): number {
    let total = this.connections;
    for (const { count } of this.byEndpoint()) total += count;
    for (const counts of [this.#pages, this.#refusals]) for (const count of counts.values()) total += count;
    return total;
  }

  #begin(endpoint: string): number[] {
    const counts = new Array<number>(Math.max(...codes) + 1).fill(0);
    this.#endpoints.set(endpoint, counts);
    return counts;
  }
}
