import { Mutex } from '@azimuth/async';
import { TimedCache } from '@azimuth/http';
import { isObject, isRelease } from '@azimuth/model';
import { noMatch, powerRequestOf } from '../port/fleet-requests.js';
import type { FleetSource } from '../port/fleet-responses.js';
import { mapInTurns } from '../port/in-turns.js';
import { requestedPart, selectableSummary } from '../port/list-part.js';
import { refusals } from '../port/refusals.js';
import { scannersPath } from '../port/scanner-path.js';
import { listedStates, type ScannerSummary } from '../port/scanner-summary.js';
import { matcherOf } from '../scanners/scanner-facts.js';
import { FollowedWorkers } from './followed-workers.js';
import type { KnownScanner, Routes } from './routes.js';
import { CumulativeCounters, totalMetrics, totalOf } from './totals.js';
import type { WorkerAddress, WorkerConnections } from './worker-connections.js';
import { WorkerQueries, type WorkerResponses } from './worker-queries.js';

/** ms until a worker has switched all of its scanners. */
const switchTimeout = 120_000;

/** Characters of a LocationName that are passed on. */
const longestLocation = 64;

/** Characters of a query to a worker: the head of a request has at most 16 KiB. */
const longestQuery = 12 * 1024;

/** Largest number of scanners that such a query may name. More would not fit. */
const mostNamed = longestQuery / 2;

/** The report of a worker about a scanner. */
type ScannerReport = Readonly<Record<string, unknown>>;

/** The reports about scanners, and the URLs of workers that do not respond. */
interface ScannerReports extends Pick<WorkerResponses, 'silent'> {
  readonly reports: ReadonlyMap<string, ScannerReport>;
}

interface Options {
  readonly routes: Routes;
  readonly connections: WorkerConnections;
  /** ms for which the list of all scanners is cached; by default a second. */
  readonly freshFor?: number | undefined;
  /** Metrics in place of the totals over all workers. */
  readonly metrics?: () => Promise<string>;
}

/** A fleet that runs in several processes. Requests about the fleet go to all of these processes. */
export class FleetOfWorkers implements FleetSource {
  readonly events: FollowedWorkers;
  readonly #options: Options;
  /** Reports of workers about all scanners, with URLs below the URL of the fleet. */
  readonly #all: TimedCache<ScannerReports>;
  readonly #queries: WorkerQueries;
  readonly #counters = new CumulativeCounters();
  readonly #reading = new Mutex();
  #scanners: ReadonlyMap<string, KnownScanner> = new Map();
  #inOrder: readonly KnownScanner[] = [];

  constructor(options: Options) {
    this.#options = options;
    this.#queries = new WorkerQueries(options.connections);
    this.#all = new TimedCache(() => this.#readReports(this.#queryAll(scannersPath)), options.freshFor);
    this.events = new FollowedWorkers(options.routes, options.connections);
  }

  get size(): number {
    return this.#options.routes.scanners.size;
  }

  /**
   * Lists scanners in the order of the fleet. A scanner without a worker has the state `waiting`. If a worker does not
   * respond, its scanners have the state `silent`.
   */
  async list(query: URLSearchParams, origin: string): Promise<readonly ScannerSummary[]> {
    const { scanners } = this.#options.routes;
    const known = { inOrder: this.#inOrderOfFleet, get: (serial: string) => scanners.get(serial) };
    const selectableOf = ({ serial, group }: KnownScanner) => ({ serial, group });
    if (!query.has('state')) return this.#listed(await requestedPart(known, query, selectableOf), origin);
    // Only workers know the states.
    const ofAnyState = new URLSearchParams(['q', 'group', 'serials'].flatMap((name) => pairOf(query, name)));
    const inOrder = await this.#listed(await requestedPart(known, ofAnyState, selectableOf), origin);
    return requestedPart({ inOrder }, query, selectableSummary);
  }

  async overview(): Promise<object> {
    const { responses, silent } = await this.#queryAll('/fleet');
    return {
      ...totalOf(responses.map(({ content }) => content)),
      scanners: this.size,
      workers: this.#options.routes.workers.length,
      silentWorkers: silent.size,
      uptime: process.uptime(),
    };
  }

  async metrics(): Promise<string> {
    const { metrics } = this.#options;
    if (metrics !== undefined) return metrics();
    // One page after the other: an older page would look like a page of a worker that has started again.
    const pages = await this.#reading.run(async () => {
      const current = new Set(this.#options.routes.workers.map(({ url }) => url));
      const { responses } = await this.#queryAll('/metrics');
      const told = responses.map(({ worker, content }) => ({ url: worker.url, page: String(content) }));
      return this.#counters.complete(told, current);
    });
    // Only the gateway has followers; workers are followed by the gateway.
    return totalMetrics(pages, new Map([['azimuth_fleet_event_followers', this.events.followers]]));
  }

  /**
   * Each worker switches its scanners, and responds when all are switched. Scanners that no worker runs now are reported as
   * failed.
   */
  async power(body: string): Promise<object> {
    const { routes, connections } = this.#options;
    const { scanners: pattern } = powerRequestOf(body);
    const matching = [...routes.scanners.values()].filter(matcherOf(pattern));
    if (matching.length === 0) throw noMatch(pattern);
    const failed = matching
      .filter(({ serial }) => routes.workerOf(serial) === undefined)
      .map(({ serial }) => ({ serialNumber: serial, reason: refusals.waiting }));
    const { workers } = routes;
    const responses = await Promise.all(
      workers.map((worker) => connections.query(worker, '/fleet/power', body, switchTimeout)),
    );
    this.#all.forget();
    // HTTP 400: the worker runs none of them.
    const silent = responses.filter(({ ok, status }) => !ok && status !== 400).length;
    if (silent > 0)
      throw new Error(
        `${silent} of ${workers.length} workers have not answered: their scanners may have been switched or not`,
      );
    const done = responses.filter(({ ok }) => ok).map(({ content }) => content);
    return totalOf([{ scanners: failed.length, changed: 0, failed }, ...done]);
  }

  close(): void {
    this.events.close();
  }

  /** All scanners by index. They change only when the routes change. */
  get #inOrderOfFleet(): readonly KnownScanner[] {
    const { scanners } = this.#options.routes;
    if (scanners !== this.#scanners) this.#inOrder = [...scanners.values()];
    this.#scanners = scanners;
    return this.#inOrder;
  }

  async #listed(scanners: readonly KnownScanner[], origin: string): Promise<readonly ScannerSummary[]> {
    const { routes } = this.#options;
    const { reports, silent } = await this.#reportsOf(scanners);
    return mapInTurns(scanners, (one) => {
      const isSilent = silent.has(routes.workerOf(one.serial)?.url ?? '');
      return listedAs(reports.get(one.serial), withoutReport(one, origin, isSilent ? 'silent' : 'waiting'));
    });
  }

  /**
   * Asks workers about scanners. A page of a list costs workers no more than its scanners: each worker is asked for the
   * scanners that it runs.
   */
  async #reportsOf(scanners: readonly KnownScanner[]): Promise<ScannerReports> {
    if (scanners.length > mostNamed) return this.#all.get();
    const { routes } = this.#options;
    const named = new Map<WorkerAddress, string[]>();
    const add = (worker: WorkerAddress, serial: string) => {
      const serials = named.get(worker) ?? [];
      named.set(worker, serials);
      serials.push(serial);
    };
    for (const { serial } of scanners) {
      const worker = routes.workerOf(serial);
      // A worker may have just acquired the scanner.
      for (const one of worker === undefined ? routes.workers : [worker]) add(one, serial);
    }
    const paths = new Map(
      [...named].map(([worker, serials]) => [worker, `?${new URLSearchParams({ serials: serials.join() })}`]),
    );
    if ([...paths.values()].some(({ length }) => length > longestQuery)) return this.#all.get();
    return this.#readReports(
      this.#queries.query(new Map([...paths].map(([worker, query]) => [worker, scannersPath + query]))),
    );
  }

  /** Reads the reports. A worker may report more scanners than requested. */
  async #readReports(asking: Promise<WorkerResponses>): Promise<ScannerReports> {
    const { responses, silent } = await asking;
    const reports = new Map<string, ScannerReport>();
    for (const { worker, content } of responses) {
      await mapInTurns(isList(content) ? content : [], (one) => {
        if (!isObject(one)) return;
        // Clients know only the gateway, except for ports of the scanner itself.
        const isBelowWorker = typeof one.url === 'string' && one.url.startsWith(`${worker.url}/`);
        reports.set(String(one.serialNumber), isBelowWorker ? { ...one, url: undefined } : one);
      });
    }
    return { reports, silent };
  }

  #queryAll(path: string): Promise<WorkerResponses> {
    return this.#queries.query(new Map(this.#options.routes.workers.map((worker) => [worker, path])));
  }
}

function pairOf(query: URLSearchParams, name: string): readonly [string, string][] {
  const value = query.get(name);
  return value === null ? [] : [[name, value]];
}

/**
 * Converts the report of a worker about a scanner for a client. The gateway itself knows the identity and the URL of the
 * scanner.
 */
function listedAs(told: ScannerReport | undefined, nothing: ScannerSummary): ScannerSummary {
  const state = listedStates.find((one) => one === told?.state);
  if (told === undefined || state === undefined) return nothing;
  const { ports, release, url } = told;
  const port = (name: string) => (isObject(ports) && typeof ports[name] === 'number' ? ports[name] : null);
  const count = (name: string) => (typeof told[name] === 'number' ? told[name] : 0);
  const isReal = nothing.isReal === true;
  // One literal: ten thousand are made each second.
  return {
    serialNumber: nothing.serialNumber,
    group: nothing.group,
    path: nothing.path,
    state,
    release: typeof release === 'string' && isRelease(release) ? release : nothing.release,
    url: typeof url === 'string' && /^https?:\/\//.test(url) && URL.canParse(url) ? url : nothing.url,
    ports: {
      http: port('http'),
      https: port('https'),
      legacyA: port('legacyA'),
      legacyB: port('legacyB'),
    },
    requests: count('requests'),
    telegrams: count('telegrams'),
    unsaved: count('unsaved'),
    faults: count('faults'),
    failure: textIn(told.failure),
    running: isReal ? undefined : runningPart(told.running),
    isReal: nothing.isReal,
    location: isReal ? (textIn(told.location) ?? '') : undefined,
    deviceStatus: isReal && typeof told.deviceStatus === 'number' ? told.deviceStatus : undefined,
    trouble: isReal ? textIn(told.trouble) : undefined,
  };
}

function textIn(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function runningPart(told: unknown): ScannerSummary['running'] {
  if (!isObject(told)) return undefined;
  const { deviceStatus, location } = told;
  if (typeof deviceStatus !== 'number' || typeof location !== 'string') return undefined;
  return { deviceStatus, location: location.slice(0, longestLocation) };
}

/** Returns the summary of a scanner about which no worker reports. */
function withoutReport(
  { serial, group, release, isReal }: KnownScanner,
  origin: string,
  state: 'waiting' | 'silent',
): ScannerSummary {
  const path = `${scannersPath}/${serial}`;
  return {
    serialNumber: serial,
    group,
    release,
    path,
    url: origin + path,
    state,
    ports: { http: null, https: null, legacyA: null, legacyB: null },
    requests: 0,
    telegrams: 0,
    unsaved: 0,
    faults: 0,
    isReal,
    location: isReal === true ? '' : undefined,
    trouble: isReal === true ? 'no worker watches it now' : undefined,
  };
}

function isList(content: unknown): content is readonly unknown[] {
  return Array.isArray(content);
}
