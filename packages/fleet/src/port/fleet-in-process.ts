import { prometheusText, TimedCache } from '@azimuth/http';
import type { Fleet, FleetMember, SwitchResult } from '../fleet.js';
import type { FleetScanner } from '../scanners/scanner.js';
import { Candidates } from './candidates.js';
import type { EventSource } from './events-stream.js';
import { fleetMetrics } from './fleet-metrics.js';
import { noMatch, type PowerRequest, powerRequestOf } from './fleet-requests.js';
import type { FleetSource } from './fleet-responses.js';
import { mapInTurns } from './in-turns.js';
import { requestedPart, selectableSummary, serialsIn } from './list-part.js';
import { listed, type ScannerSummary } from './scanner-summary.js';
import type { SiteSource } from './site-of-fleet.js';

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

  readonly #candidates: Candidates;
  readonly site: SiteSource;

  /** @param freshFor ms for which the list of all scanners is cached */
  constructor(fleet: Fleet, freshFor?: number) {
    this.#fleet = fleet;
    this.#all = new TimedCache(
      () => mapInTurns(fleet.members.values(), (scanner) => listed(scanner, '')),
      freshFor,
    );
    this.#candidates = new Candidates(fleet);
    this.site = siteOf(fleet);
  }

  get size(): number {
    return this.#fleet.members.size;
  }

  get events(): EventSource {
    const { events, standing } = this.#fleet;
    return {
      followers: events.followers,
      follow: (follower) => events.follow(standing.of('running'), follower),
    };
  }

  /**
   * Lists scanners. A list by serial numbers is never cached, because gateways use it to check whether a scanner is here.
   * A page is made of as few scanners as its query allows.
   */
  async list(query: URLSearchParams, origin: string): Promise<readonly ScannerSummary[]> {
    const isPage = Number(query.get('limit') ?? Number.POSITIVE_INFINITY) <= largestPage;
    const isNamed = serialsIn(query) !== undefined;
    const chosen =
      isNamed || isPage
        ? await this.#page(query)
        : await requestedPart({ inOrder: await this.#all.get() }, query, selectableSummary);
    return chosen.map((one) => (one.url === one.path ? { ...one, url: origin + one.path } : one));
  }

  async #page(query: URLSearchParams): Promise<readonly ScannerSummary[]> {
    const { members } = this.#fleet;
    const get = (serial: string) => members.get(serial);
    const selectableOf = ({ facts: { serial, group }, state }: FleetMember) => ({ serial, group, state });
    const inOrder = await this.#candidates.of(query);
    return mapInTurns(await requestedPart({ inOrder, get }, query, selectableOf), (scanner) =>
      listed(scanner, ''),
    );
  }

  overview(): object {
    const { members, states } = this.#fleet;
    const { rss } = process.memoryUsage();
    return { scanners: members.size, states, uptime: process.uptime(), memory: rss };
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
      return {
        scanners: scanners.length,
        ...(await fleet.switchPower(scanners, (some) => switched(fleet, some, power))),
        states: fleet.states,
      };
    } finally {
      this.#all.forget();
    }
  }
}

/** The rows of scanners that did not run since can only have changed with their state. */
function siteOf(fleet: Fleet): SiteSource {
  const { standing } = fleet;
  let changes: (() => Iterable<FleetScanner>) | undefined;
  let known: readonly FleetMember[] | undefined;
  return {
    all: () => {
      changes ??= standing.noteChanges();
      changes();
      known = fleet.inOrder;
      return mapInTurns(known, (scanner) => listed(scanner, ''));
    },
    changed: () => {
      if (changes === undefined || known !== fleet.inOrder) return undefined;
      const changed = new Set<FleetMember>([...changes(), ...standing.of('running'), ...fleet.adopted]);
      return Array.from(changed, (scanner) => listed(scanner, ''));
    },
  };
}

function switched(
  fleet: Fleet,
  scanners: readonly FleetScanner[],
  power: PowerRequest['power'],
): Promise<SwitchResult> {
  if (power === 'on') return fleet.switchOn(scanners);
  return power === 'off' ? fleet.switchOff(scanners) : fleet.powerCycle(scanners);
}
