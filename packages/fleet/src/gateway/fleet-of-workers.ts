import { partOf, Refused } from '../front/asked.js';
import type { ListedUnit } from '../front/listed-unit.js';
import { scannersPath } from '../front/scanner-path.js';
import type { WholeFleet } from '../front/whole-fleet.js';
import { matcherOf } from '../units/pattern.js';
import { FollowedWorkers } from './followed-workers.js';
import type { KnownScanner, Routes } from './routes.js';
import { sumOf, sumOfMetrics } from './sums.js';
import type { WorkerAddress, WorkerConnections } from './worker-connections.js';

/** ms until a worker has switched all of its scanners. */
const switchedWithin = 120_000;

interface Options {
  readonly routes: Routes;
  readonly connections: WorkerConnections;
  /** Of the gateway: `http://127.0.0.1:8000`. */
  readonly origin: () => string;
  /** In place of the sums over all workers. */
  readonly metrics?: () => string;
}

/** A fleet that runs in several processes: all of them are asked about the whole. */
export class FleetOfWorkers implements WholeFleet {
  readonly events: FollowedWorkers;
  readonly #options: Options;

  constructor(options: Options) {
    this.#options = options;
    this.events = new FollowedWorkers(options.routes, options.connections);
  }

  get size(): number {
    return this.#options.routes.scanners.size;
  }

  /** In the order of the fleet. What no worker runs now has the state `waiting`. */
  async list(asked: URLSearchParams): Promise<readonly ListedUnit[]> {
    const pattern = asked.get('q');
    const [group, state] = [asked.get('group'), asked.get('state')];
    const isMeant = pattern === null ? () => true : matcherOf(pattern);
    const chosen = [...this.#options.routes.scanners.values()].filter(
      (one) => isMeant(one) && (group === null || one.group === group),
    );
    const listed = await this.#listed(pattern);
    const all = chosen.map((one) => listed.get(one.serial) ?? waiting(one, this.#options.origin()));
    return partOf(state === null ? all : all.filter((one) => one.state === state), asked);
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

  /** Each worker switches those that it runs, and answers when all are. */
  async power(body: string): Promise<object> {
    const { workers } = this.#options.routes;
    const answers = await Promise.all(
      workers.map((worker) => this.#options.connections.ask(worker, '/fleet/power', body, switchedWithin)),
    );
    const silent = answers.filter(({ ok, status }) => !ok && status !== 400).length;
    if (silent > 0)
      throw new Error(
        `${silent} of ${workers.length} workers have not answered: their scanners may have been switched or not`,
      );
    const done = answers.filter(({ ok }) => ok).map(({ content }) => content);
    if (done.length > 0) return sumOf(done);
    const [refused] = answers;
    if (refused !== undefined) throw new Refused(String(refused.content).trim());
    throw new Error('the fleet has no worker now');
  }

  close(): void {
    this.events.close();
  }

  async #listed(pattern: string | null): Promise<ReadonlyMap<string, ListedUnit>> {
    const query = pattern === null ? '' : `?q=${encodeURIComponent(pattern)}`;
    const lists = await this.#ask(`${scannersPath}${query}`);
    const listed = new Map<string, ListedUnit>();
    for (const { worker, content } of lists) {
      for (const one of isList(content) ? content : []) {
        // Only the gateway is known outside, but for ports of the scanner itself.
        const isThere = one.url === worker.url + one.path;
        listed.set(one.serialNumber, isThere ? { ...one, url: this.#options.origin() + one.path } : one);
      }
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

/** A scanner that no worker runs now. */
function waiting({ serial, group, release }: KnownScanner, origin: string): ListedUnit {
  const path = `${scannersPath}/${serial}`;
  return {
    ...{ serialNumber: serial, group, release, path, url: origin + path, state: 'waiting' },
    ports: { http: null, https: null, legacyA: null, legacyB: null },
    ...{ requests: 0, telegrams: 0, unsaved: 0, faults: 0 },
  };
}

function isList(content: unknown): content is readonly ListedUnit[] {
  return Array.isArray(content);
}
