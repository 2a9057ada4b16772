import {
  type Site,
  type SiteHistory,
  type SiteLogQuery,
  type SiteScanner,
  SiteUnavailable,
  TimedCache,
} from '@azimuth/http';
import { printable } from '../output/output.js';
import { type GuiSite, pathOf, type ShownScanner } from './gui-site.js';
import type { MonitorClient, MonitorList } from './monitor-client.js';

/** A monitor that does not answer. */
interface Away {
  /** Milliseconds since 1970-01-01 UTC. */
  readonly since: number;
  readonly reason: string;
}

/** The scanners of `azimuth gui`, as a running monitor knows them. While it is away, they are as they were last known. */
export class MonitoredSite implements GuiSite {
  readonly history: SiteHistory = {
    curves: async (path) => this.#client.curves(this.#keyOf(path)),
    points: async (path, curve, since) => this.#client.points(this.#keyOf(path), curve, since),
  };
  readonly log: Site['log'] = (query) => this.#log(query);
  readonly #client: MonitorClient;
  readonly #scanners: ShownScanner[];
  readonly #rows = new TimedCache(() => this.#asked());
  #list: MonitorList | undefined;
  #away: Away | undefined;

  constructor(client: MonitorClient, scanners: readonly ShownScanner[]) {
    this.#client = client;
    this.#scanners = [...scanners];
  }

  rows(): Promise<readonly SiteScanner[]> {
    return this.#rows.get();
  }

  moved(index: number, url: string): Promise<void> {
    const moved = this.#scanners[index];
    if (moved !== undefined) this.#scanners[index] = { ...moved, url };
    this.#rows.forget();
    return Promise.resolve();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  async #asked(): Promise<readonly SiteScanner[]> {
    try {
      this.#list = await this.#client.list();
      this.#away = undefined;
    } catch (error) {
      if (!(error instanceof SiteUnavailable)) throw error;
      this.#away = { since: this.#away?.since ?? Date.now(), reason: error.message };
    }
    const find = finderIn(this.#list?.scanners ?? []);
    return this.#scanners.map((scanner, index) => this.#rowOf(scanner, index, find(scanner)));
  }

  #rowOf(scanner: ShownScanner, index: number, known: SiteScanner | undefined): SiteScanner {
    const { url, group } = scanner;
    const path = pathOf(index);
    const name = hostOf(scanner.name) === hostOf(url) ? (known?.name ?? url) : scanner.name;
    const row: SiteScanner =
      known === undefined
        ? { path, url, name, group, ...this.#unknown() }
        : { ...known, path, url, name, group: group || known.group };
    return this.#away === undefined ? row : lastKnown(row, this.#away);
  }

  #unknown(): Pick<SiteScanner, 'state' | 'severity' | 'trouble'> {
    if (this.#list === undefined) return { state: 'Connecting', severity: 'idle', trouble: [] };
    return { state: 'Not watched', severity: 'warn', trouble: ['The monitor does not watch this scanner'] };
  }

  /** The path of a scanner at the monitor. @throws SiteUnavailable if the monitor does not watch it */
  #keyOf(path: string): string {
    const index = this.#scanners.findIndex((_, each) => pathOf(each) === path);
    const scanner = this.#scanners[index];
    const known = scanner && finderIn(this.#list?.scanners ?? [])(scanner);
    if (known === undefined) throw new SiteUnavailable('the monitor does not watch this scanner');
    return known.path;
  }

  async #log({ scanner, words, severity, before, limit }: SiteLogQuery) {
    // The list says which scanner has which path at the monitor.
    await this.rows();
    const query = new URLSearchParams({ q: words.join(' '), limit: String(limit) });
    if (scanner !== undefined) query.set('scanner', this.#keyOf(scanner));
    if (severity !== undefined) query.set('severity', severity);
    if (before !== undefined) query.set('before', String(before));
    const { entries, ...rest } = await this.#client.log(query);
    const find = finderIn(this.#list?.scanners ?? []);
    const paths = new Map(
      this.#scanners.flatMap((each, index) => {
        const known = find(each);
        return known === undefined ? [] : [[known.path, pathOf(index)] as const];
      }),
    );
    return { ...rest, entries: entries.map((entry) => ({ ...entry, path: paths.get(entry.path) ?? '' })) };
  }
}

/** Returns a function that finds a scanner among those of a monitor: by its name there, else by its address. */
function finderIn(scanners: readonly SiteScanner[]): (shown: ShownScanner) => SiteScanner | undefined {
  const byName = new Map(scanners.map((each) => [each.path, each]));
  const byHost = new Map(scanners.map((each) => [hostOf(each.url), each]));
  return ({ name, url }) => byName.get(name) ?? byHost.get(hostOf(url));
}

function hostOf(url: string): string {
  return url
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/\/$/, '');
}

function lastKnown(row: SiteScanner, { since, reason }: Away): SiteScanner {
  const { severity, trouble, troubleSince = since } = row;
  const minutes = Math.floor((Date.now() - since) / 60_000);
  const line = `No news from the monitor${minutes === 0 ? '' : ` for ${minutes} min`}: ${printable(reason)}`;
  return {
    ...row,
    severity: severity === 'bad' ? 'bad' : 'warn',
    trouble: [line, ...trouble],
    troubleSince,
  };
}
