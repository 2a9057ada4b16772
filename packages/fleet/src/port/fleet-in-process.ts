import { prometheusText, TimedCache } from '@azimuth/http';
import type { Fleet, SwitchResult } from '../fleet.js';
import type { FleetScanner } from '../scanners/scanner.js';
import type { EventSource } from './events-stream.js';
import { fleetMetrics } from './fleet-metrics.js';
import { noMatch, type PowerRequest, powerRequestOf } from './fleet-requests.js';
import type { FleetSource } from './fleet-responses.js';
import { mapInTurns } from './in-turns.js';
import { requestedPart, selectableSummary, serialsIn } from './list-part.js';
import { listed, type ScannerSummary } from './scanner-summary.js';

/**
 * Largest number of scanners of a list that are read for one client: a page of the table. Longer lists use the list of all
 * scanners.
 */
const largestPage = 600;

/** A fleet that runs in this process, as its port sees it. */
export class FleetInProcess implements FleetSource {
  readonly #fleet: Fleet;
  /** All scanners, with their URLs below the URL of the fleet. */
  readonly #all: TimedCache<readonly ScannerSummary[]>;

  /** @param freshFor ms for which the list of all scanners is cached */
  constructor(fleet: Fleet, freshFor?: number) {
    this.#fleet = fleet;
    this.#all = new TimedCache(
      () => mapInTurns(fleet.scanners.values(), (scanner) => listed(scanner, '')),
      freshFor,
    );
  }

  get size(): number {
    return this.#fleet.scanners.size;
  }

  get events(): EventSource {
    const { events, scanners } = this.#fleet;
    return {
      followers: events.followers,
      follow: (follower) => events.follow(scanners.values(), follower),
    };
  }

  /**
   * Lists scanners. A list by serial numbers is never cached, because gateways use it to check whether a scanner is here. A
   * page is taken from the list of all scanners if that is cached.
   */
  async list(query: URLSearchParams, origin: string): Promise<readonly ScannerSummary[]> {
    const isPage = Number(query.get('limit') ?? Number.POSITIVE_INFINITY) <= largestPage;
    const isNamed = serialsIn(query) !== undefined;
    const chosen =
      isNamed || (isPage && this.#all.cached === undefined)
        ? await this.#page(query)
        : await requestedPart({ inOrder: await this.#all.get() }, query, selectableSummary);
    return chosen.map((one) => (one.url === one.path ? { ...one, url: origin + one.path } : one));
  }

  async #page(query: URLSearchParams): Promise<readonly ScannerSummary[]> {
    const { inOrder, scanners } = this.#fleet;
    const get = (serial: string) => scanners.get(serial);
    const selectableOf = ({ facts: { serial, group }, state }: FleetScanner) => ({ serial, group, state });
    return mapInTurns(await requestedPart({ inOrder, get }, query, selectableOf), (scanner) =>
      listed(scanner, ''),
    );
  }

  overview(): object {
    const { scanners, states } = this.#fleet;
    const { rss } = process.memoryUsage();
    return { scanners: scanners.size, states, uptime: process.uptime(), memory: rss };
  }

  metrics(): Promise<string> {
    return prometheusText(fleetMetrics(this.#fleet));
  }

  async power(body: string): Promise<object> {
    const fleet = this.#fleet;
    const { scanners: pattern, power } = powerRequestOf(body);
    const scanners = fleet.matching(pattern);
    if (scanners.length === 0) throw noMatch(pattern);
    try {
      return { scanners: scanners.length, ...(await switched(fleet, scanners, power)), states: fleet.states };
    } finally {
      this.#all.forget();
    }
  }
}

function switched(
  fleet: Fleet,
  scanners: readonly FleetScanner[],
  power: PowerRequest['power'],
): Promise<SwitchResult> {
  if (power === 'on') return fleet.switchOn(scanners);
  return power === 'off' ? fleet.switchOff(scanners) : fleet.powerCycle(scanners);
}
