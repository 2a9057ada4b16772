import { InterruptiblePause, pause } from '@azimuth/async';
import type { Log } from '@azimuth/device';
import { type KnownScanner, knownScanners, type Routes } from '../../gateway/routes.js';
import type { WorkerAddress } from '../../gateway/worker-connections.js';
import type { Database } from '../database.js';
import { OutageLog } from '../database-errors.js';
import { shardsChannel } from '../leases/lease-statements.js';
import { owners } from '../leases/living-workers.js';
import { fleetChannel } from './desired-fleet.js';
import { FollowedFleet, type ReadFleet } from './desired-scanners.js';

interface Options {
  readonly database: Database;
  readonly log: Log;
  readonly read: ReadFleet;
  /** True: only workers with an https URL are used. By default, all. */
  readonly onlySecure?: boolean;
}

/** ms between two polls of the database while it sends no notification. */
const pollInterval = 1000;
/** Least ms between two polls, no matter how many requests wait. */
const shortestPollPause = 50;

/**
 * Knows the worker of each scanner, from the database. The result is stored, so requests need no query, and the database may
 * be unavailable. If a worker does not have a scanner any more, it says so.
 */
export class DatabaseRoutes implements Routes {
  readonly #options: Options;
  readonly #pause = new InterruptiblePause();
  readonly #unlisten: readonly (() => void)[];
  readonly #fleet: FollowedFleet;
  readonly #outages: OutageLog;
  /** The version of the fleet to which `#scanners` belong. */
  #version = 0;
  #scanners: ReadonlyMap<string, KnownScanner> = new Map();
  #addresses: ReadonlyMap<number, WorkerAddress> = new Map();
  #workers: readonly WorkerAddress[] = [];
  #waiting: (() => void)[] = [];
  #loop: Promise<void> = Promise.resolve();
  #isClosed = false;

  private constructor(options: Options) {
    this.#options = options;
    const { database, log } = options;
    this.#fleet = new FollowedFleet(options);
    this.#outages = new OutageLog(log);
    const pollNow = () => this.#pause.end();
    this.#unlisten = [database.listen(shardsChannel, pollNow), database.listen(fleetChannel, pollNow)];
  }

  /** @throws DatabaseUnavailable */
  static async open(options: Options): Promise<DatabaseRoutes> {
    const routes = new DatabaseRoutes(options);
    try {
      await routes.#poll();
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

  workerOf(serial: string): WorkerAddress | undefined {
    const scanner = this.#fleet.current.scanners.get(serial);
    return scanner === undefined ? undefined : this.#addresses.get(scanner.shard);
  }

  refresh(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#pause.end();
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const unlisten of this.#unlisten) unlisten();
    this.#pause.end();
    await this.#loop;
    this.#resolveWaiting();
  }

  async #run(): Promise<void> {
    while (!this.#isClosed) {
      await this.#pause.wait(pollInterval);
      if (this.#isClosed) return;
      const waiting = this.#waiting;
      this.#waiting = [];
      try {
        await this.#poll();
        this.#outages.succeeded();
      } catch (error) {
        this.#outages.failed(error, 'The gateway goes on with the owners that it knows');
      }
      for (const resolve of waiting) resolve();
      await pause(shortestPollPause);
    }
  }

  async #poll(): Promise<void> {
    await this.#fleet.refresh();
    const { version, facts } = this.#fleet.current;
    if (version !== this.#version) this.#scanners = knownScanners(facts);
    this.#version = version;
    await this.#findOwners();
  }

  async #findOwners(): Promise<void> {
    const { database, onlySecure = false } = this.#options;
    const byUrl = new Map<string, WorkerAddress>();
    const addresses = new Map<number, WorkerAddress>();
    for (const { shard, url } of await owners(database)) {
      // The rows may contain nonsense. Then the scanners have no worker.
      if (!URL.canParse(url) || (onlySecure && new URL(url).protocol !== 'https:')) continue;
      const address = byUrl.get(url) ?? { url };
      byUrl.set(url, address);
      addresses.set(shard, address);
    }
    this.#addresses = addresses;
    this.#workers = [...byUrl.values()];
  }

  #resolveWaiting(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}
