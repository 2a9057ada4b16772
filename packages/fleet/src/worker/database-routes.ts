import type { Log } from '@azimuth/device';
import { type Database, DatabaseAway, fleetChannel, owners, shardsChannel } from '../database/index.js';
import { type KnownScanner, knownScanners, type Routes } from '../gateway/routes.js';
import type { WorkerAddress } from '../gateway/worker-connections.js';
import { Wake } from '../wake.js';
import { type DesiredUnits, desiredUnits, noUnits, type ReadFleet } from './desired-units.js';

interface Options {
  readonly database: Database;
  readonly log: Log;
  readonly read: ReadFleet;
  /** Are only workers used that have TLS? By default, all are. */
  readonly onlySecure?: boolean;
}

/** ms between two looks at the database if it notifies of nothing. */
const lookEvery = 1000;
/** ms between two looks at most, however many requests wait. */
const lookAfter = 50;

/**
 * Who runs what, from the database. It is kept, so that requests need no look, and the database may be away. A worker that does not
 * have a scanner any more says so.
 */
export class DatabaseRoutes implements Routes {
  readonly #options: Options;
  readonly #wake = new Wake();
  readonly #unlisten: readonly (() => void)[];
  #desired: DesiredUnits = noUnits;
  #scanners: ReadonlyMap<string, KnownScanner> = new Map();
  #addresses: ReadonlyMap<number, WorkerAddress> = new Map();
  #workers: readonly WorkerAddress[] = [];
  #waiting: (() => void)[] = [];
  #loop: Promise<void> = Promise.resolve();
  #isAway = false;
  #isUnreadable = false;
  #isClosed = false;

  private constructor(options: Options) {
    this.#options = options;
    const { database } = options;
    const wake = () => this.#wake.now();
    this.#unlisten = [database.listen(shardsChannel, wake), database.listen(fleetChannel, wake)];
  }

  /** @throws DatabaseAway */
  static async open(options: Options): Promise<DatabaseRoutes> {
    const routes = new DatabaseRoutes(options);
    try {
      await routes.#look();
    } catch (error) {
      routes.close();
      throw error;
    }
    routes.#loop = routes.#run();
    return routes;
  }

  get scanners(): ReadonlyMap<string, KnownScanner> {
    return this.#scanners;
  }

  get workers(): readonly WorkerAddress[] {
    return this.#workers;
  }

  /** Does the database answer? */
  get isAway(): boolean {
    return this.#isAway;
  }

  workerOf(serial: string): WorkerAddress | undefined {
    const shard = this.#desired.shardOf.get(serial);
    return shard === undefined ? undefined : this.#addresses.get(shard);
  }

  look(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#wake.now();
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const unlisten of this.#unlisten) unlisten();
    this.#wake.now();
    await this.#loop;
    this.#answerAll();
  }

  async #run(): Promise<void> {
    while (!this.#isClosed) {
      await this.#wake.after(lookEvery);
      if (this.#isClosed) return;
      const waiting = this.#waiting;
      this.#waiting = [];
      try {
        await this.#look();
        this.#noteAway(undefined);
      } catch (error) {
        this.#noteAway(error);
      }
      for (const resolve of waiting) resolve();
      await new Promise((resolve) => setTimeout(resolve, lookAfter));
    }
  }

  async #look(): Promise<void> {
    try {
      await this.#follow();
      this.#isUnreadable = false;
    } catch (error) {
      // Without any fleet there is nothing to serve. Otherwise that which is known stays, and its scanners may move.
      if (error instanceof DatabaseAway || this.#desired === noUnits) throw error;
      this.#noteUnreadable(error);
    }
    await this.#findOwners();
  }

  async #follow(): Promise<void> {
    const { database, read } = this.#options;
    const desired = await desiredUnits(database, read, this.#desired);
    if (desired === this.#desired) return;
    this.#desired = desired;
    this.#scanners = knownScanners(desired.units);
  }

  async #findOwners(): Promise<void> {
    const { database, onlySecure = false } = this.#options;
    const byUrl = new Map<string, WorkerAddress>();
    const addresses = new Map<number, WorkerAddress>();
    for (const { shard, url } of await owners(database)) {
      // Whoever may write there may write nonsense, too: its scanners have no worker then.
      if (!URL.canParse(url) || (onlySecure && new URL(url).protocol !== 'https:')) continue;
      const address = byUrl.get(url) ?? { url };
      byUrl.set(url, address);
      addresses.set(shard, address);
    }
    this.#addresses = addresses;
    this.#workers = [...byUrl.values()];
  }

  #answerAll(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  #noteUnreadable(error: unknown): void {
    if (!this.#isUnreadable)
      this.#options.log.error('The gateway cannot follow the fleet that was applied', {
        reason: String(error),
      });
    this.#isUnreadable = true;
  }

  #noteAway(error: unknown): void {
    const { log } = this.#options;
    if (error !== undefined && !this.#isAway)
      log.error('The gateway goes on with the owners that it knows', { reason: String(error) });
    if (error === undefined && this.#isAway) log.info('The database answers again');
    this.#isAway = error !== undefined;
  }
}
