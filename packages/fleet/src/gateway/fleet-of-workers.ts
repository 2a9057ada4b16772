import { isObject, isRelease } from '@azimuth/model';
import { chosenBy, partOf } from '../front/asked.js';
import { Fresh } from '../front/fresh.js';
import { filterInTurns, mapInTurns } from '../front/in-turns.js';
import { type ListedUnit, listedStates } from '../front/listed-unit.js';
import { noneMatches, powerAsked } from '../front/power.js';
import { refusals } from '../front/refusals.js';
import { scannersPath } from '../front/scanner-path.js';
import type { WholeFleet } from '../front/whole-fleet.js';
import { matcherOf } from '../units/pattern.js';
import { FollowedWorkers } from './followed-workers.js';
import type { KnownScanner, Routes } from './routes.js';
import { sumOf, sumOfMetrics } from './sums.js';
import type { WorkerAddress, WorkerConnections } from './worker-connections.js';

/** ms until a worker has switched all of its scanners. */
const switchedWithin = 120_000;

/** Characters of a query to a worker: the head of a request has 16 KiB at most. */
const longestQuery = 12 * 1024;

/** Scanners that such a query may name. More are no shorter than it. */
const mostNamed = longestQuery / 2;

/** What a worker tells of a scanner. */
type Told = Readonly<Record<string, unknown>>;

interface Options {
  readonly routes: Routes;
  readonly connections: WorkerConnections;
  /** ms for which the list of all scanners is kept; by default a second. */
  readonly freshFor?: number | undefined;
  /** In place of the sums over all workers. */
  readonly metrics?: () => string;
}

/** A fleet that runs in several processes: all of them are asked about the whole. */
export class FleetOfWorkers implements WholeFleet {
  readonly events: FollowedWorkers;
  readonly #options: Options;
  /** What workers tell of all scanners, with URLs below that of the fleet. */
  readonly #all: Fresh<ReadonlyMap<string, Told>>;

  constructor(options: Options) {
    this.#options = options;
    this.#all = new Fresh(() => this.#told(''), options.freshFor);
    this.events = new FollowedWorkers(options.routes, options.connections);
  }

  get size(): number {
    return this.#options.routes.scanners.size;
  }

  /** In the order of the fleet. What no worker runs now has the state `waiting`. */
  async list(asked: URLSearchParams, origin: string): Promise<readonly ListedUnit[]> {
    const isChosen = chosenBy(asked);
    const known = await filterInTurns(this.#options.routes.scanners.values(), ({ serial, group }) =>
      isChosen({ serial, group }),
    );
    // Only workers know the states.
    const part = asked.has('state') ? known : partOf(known, asked);
    const listed = await this.#listed(part);
    const all = await mapInTurns(part, (one) => listedAs(listed.get(one.serial), one, origin));
    if (!asked.has('state')) return all;
    const chosen = await filterInTurns(all, ({ serialNumber: serial, group, state }) =>
      isChosen({ serial, group, state }),
    );
    return partOf(chosen, asked);
  }

  async overview(): Promise<object> {
    const answers = await this.#ask('/fleet');
    return {
      ...sumOf(answers.map(({ content }) => content)),
      scanners: this.size,
      workers: this.#options.routes.workers.length,
      uptime: process.uptime(),
    };
  }

  async metrics(): Promise<string> {
    const { metrics } = this.#options;
    if (metrics !== undefined) return metrics();
    const pages = (await this.#ask('/metrics')).map(({ content }) => content);
    // Workers are followed by the gateway alone.
    return sumOfMetrics(pages, new Map([['azimuth_fleet_event_followers', this.events.followers]]));
  }

  /** Each worker switches those that it runs, and answers when all are. Those that no worker runs now are told as failed. */
  async power(body: string): Promise<object> {
    const { routes, connections } = this.#options;
    const { scanners: pattern } = powerAsked(body);
    const meant = [...routes.scanners.values()].filter(matcherOf(pattern));
    if (meant.length === 0) throw noneMatches(pattern);
    const failed = meant
      .filter(({ serial }) => routes.workerOf(serial) === undefined)
      .map(({ serial }) => ({ serialNumber: serial, reason: refusals.waiting }));
    const { workers } = routes;
    const answers = await Promise.all(
      workers.map((worker) => connections.ask(worker, '/fleet/power', body, switchedWithin)),
    );
    this.#all.forget();
    // HTTP 400: it runs none of them.
    const silent = answers.filter(({ ok, status }) => !ok && status !== 400).length;
    if (silent > 0)
      throw new Error(
        `${silent} of ${workers.length} workers have not answered: their scanners may have been switched or not`,
      );
    const done = answers.filter(({ ok }) => ok).map(({ content }) => content);
    return sumOf([{ scanners: failed.length, changed: 0, failed }, ...done]);
  }

  close(): void {
    this.events.close();
  }

  /** What workers tell of scanners. A worker may tell of more. */
  #listed(scanners: readonly KnownScanner[]): Promise<ReadonlyMap<string, Told>> {
    if (scanners.length === 0) return Promise.resolve(new Map());
    if (scanners.length > mostNamed) return this.#all.get();
    const named = String(new URLSearchParams({ serials: scanners.map(({ serial }) => serial).join() }));
    // A page of a list costs workers no more than its scanners.
    return named.length <= longestQuery ? this.#told(`?${named}`) : this.#all.get();
  }

  async #told(query: string): Promise<ReadonlyMap<string, Told>> {
    const listed = new Map<string, Told>();
    for (const { worker, content } of await this.#ask(scannersPath + query)) {
      await mapInTurns(isList(content) ? content : [], (one) => {
        if (!isObject(one)) return;
        // Only the gateway is known outside, but for ports of the scanner itself.
        const isThere = typeof one.url === 'string' && one.url.startsWith(`${worker.url}/`);
        listed.set(String(one.serialNumber), isThere ? { ...one, url: undefined } : one);
      });
    }
    return listed;
  }

  /** The answers of the workers that answer: one that has just ended tells nothing. */
  async #ask(
    path: string,
  ): Promise<readonly { readonly worker: WorkerAddress; readonly content: unknown }[]> {
    const answers = await Promise.all(
      this.#options.routes.workers.map(async (worker) => {
        const { ok, content } = await this.#options.connections.ask(worker, path);
        return ok ? [{ worker, content }] : [];
      }),
    );
    return answers.flat();
  }
}

/** What a worker tells of a scanner, for a client. Which scanner it is, and where it is reached, the gateway knows itself. */
function listedAs(told: Told | undefined, known: KnownScanner, origin: string): ListedUnit {
  const nothing = waiting(known, origin);
  const state = listedStates.find((one) => one === told?.state);
  if (told === undefined || state === undefined) return nothing;
  const { ports, release, url, failure } = told;
  const port = (name: string) => (isObject(ports) && typeof ports[name] === 'number' ? ports[name] : null);
  const count = (name: string) => (typeof told[name] === 'number' ? told[name] : 0);
  return {
    ...nothing,
    state,
    release: typeof release === 'string' && isRelease(release) ? release : known.release,
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
    ...(typeof failure === 'string' ? { failure } : {}),
  };
}

/** A scanner that no worker runs now. */
function waiting({ serial, group, release }: KnownScanner, origin: string): ListedUnit {
  const path = `${scannersPath}/${serial}`;
  return {
    ...{ serialNumber: serial, group, release, path, url: origin + path, state: 'waiting' },
    ports: { http: null, https: null, legacyA: null, legacyB: null },
    ...{ requests: 0, telegrams: 0, unsaved: 0, faults: 0 },
  };
}

function isList(content: unknown): content is readonly unknown[] {
  return Array.isArray(content);
}
