import { Tally } from '@azimuth/device';
import { type PortCounts, type RefusalReason, refusalReasons, type SharedLimit } from '@azimuth/http';
import { type Status, statuses } from '@azimuth/model';

/** Metrics of events: present numbers, and values since the process started. */
export interface EventCounts {
  connections: number;
  registrations: number;
  /** Characters that wait for slow clients. */
  waiting: number;
  /** The same of all scanners of the process, which is limited, too. */
  readonly waitingOfAll?: SharedLimit | undefined;
  pushed: number;
  throttled: number;
  discarded: number;
}

/** Live scans since the process started, counted for each client. */
export interface LiveScanCounts {
  sent: number;
  /** Not sent, because the client reads too slowly. */
  discarded: number;
}

/** Characters and bytes of messages that wait in `ws`: to be compressed, or for a client that does not read. */
export interface UnsentTotal {
  length: number;
}

const codes = Object.values(statuses).map(({ code }) => code);

/**
 * Metrics of HTTP since the process started. They are updated on the path of every request, so they are plain numbers
 * without labels.
 */
export class Traffic implements PortCounts {
  readonly #endpoints = new Map<string, number[]>();
  readonly #pages = new Map<string, number>();
  readonly #refusals = new Tally<RefusalReason>(refusalReasons);
  /** Open connections, including those that only get a refusal. */
  connections = 0;
  readonly events: EventCounts;
  readonly liveScans: LiveScanCounts = { sent: 0, discarded: 0 };
  /** Of all WebSockets. */
  readonly unsent: UnsentTotal = { length: 0 };

  /** @param waitingOfAll characters that wait for slow clients of all scanners of the process */
  constructor(waitingOfAll?: SharedLimit) {
    const counts = { connections: 0, registrations: 0, waiting: 0, pushed: 0, throttled: 0, discarded: 0 };
    this.events = { ...counts, waitingOfAll };
  }

  /** `endpoint` must exist: requests for unknown names must not grow the map. */
  answered(endpoint: string, status: Status): void {
    const { code } = statuses[status];
    const counts = this.#endpoints.get(endpoint) ?? this.#begin(endpoint);
    counts[code] = (counts[code] ?? 0) + 1;
  }

  /** Counts a page outside the interface by its HTTP status. `path` must exist. */
  sent(path: string, httpStatus: number): void {
    const key = `${path} ${httpStatus}`;
    this.#pages.set(key, (this.#pages.get(key) ?? 0) + 1);
  }

  countRefusal(reason: RefusalReason): void {
    this.#refusals.add(reason);
  }

  /** Requests by endpoint and status; only numbers above 0. */
  *byEndpoint(): Iterable<{ endpoint: string; status: number; count: number }> {
    for (const [endpoint, counts] of this.#endpoints) {
      for (const [status, count] of counts.entries()) if (count > 0) yield { endpoint, status, count };
    }
  }

  /** Requests beside the interface by path and HTTP status. */
  *byPage(): Iterable<{ path: string; httpStatus: string; count: number }> {
    for (const [key, count] of this.#pages) {
      const [path = '', httpStatus = ''] = key.split(' ');
      yield { path, httpStatus, count };
    }
  }

  /** All that was counted, the open connections, and what waits: it stays the same while nothing comes and goes. */
  get total(): number {
    let total =
      this.connections + this.events.pushed + this.liveScans.sent + this.#refusals.total - this.unsent.length;
    for (const { count } of this.byEndpoint()) total += count;
    for (const count of this.#pages.values()) total += count;
    return total;
  }

  get byRefusal(): readonly (readonly [RefusalReason, number])[] {
    return this.#refusals.counts;
  }

  #begin(endpoint: string): number[] {
    const counts = new Array<number>(Math.max(...codes) + 1).fill(0);
    this.#endpoints.set(endpoint, counts);
    return counts;
  }
}
