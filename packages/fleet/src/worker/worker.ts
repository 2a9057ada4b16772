import { isDeepStrictEqual } from 'node:util';
import type { Log } from '@azimuth/device';
import {
  type Database,
  DatabaseAway,
  DatabaseStore,
  fleetChannel,
  History,
  type Lease,
  Leases,
  NotTheOwner,
  shardsChannel,
  shardsToMove,
} from '../database/index.js';
import type { FleetEvent } from '../events/fleet-event.js';
import { Fleet, type FleetOptions } from '../fleet.js';
import { metricText } from '../front/metric-text.js';
import type { UnitFacts } from '../units/unit-facts.js';
import { type DesiredUnits, desiredUnits, noUnits, type ReadFleet } from './desired-units.js';
import { LeaseKeeper } from './lease-keeper.js';
import { Wake } from './wake.js';

export interface WorkerOptions extends Omit<FleetOptions, 'units' | 'store' | 'macAddresses'> {
  readonly database: Database;
  /** The same with connections of its own, so that leases never wait behind saves. */
  readonly forLeases: Database;
  readonly log: Log;
  /** The key of the deployment. It seals secret documents. */
  readonly key: string;
  /** Where gateways reach it. */
  readonly url: string;
  /** Scanners that it can bear. */
  readonly capacity: number;
  /** ms that a lease is good for without being renewed; by default, 10,000. */
  readonly leaseMilliseconds?: number;
  readonly read: ReadFleet;
}

/** The shards that it takes or gives in one step. */
const mostTaken = 16;

/** ms between two steps while there is more to move. */
const balanceEvery = 500;

/** ms that requests which are being answered may take when a shard is handed over. */
const drainWithin = 5000;

/** Scanners that run with a lease. */
interface Running extends Lease {
  readonly serials: readonly string[];
  /** When they have been switched on, or could not be. Before, they cannot be stopped. */
  readonly started: Promise<unknown>;
}

/**
 * Runs the scanners of the shards that it leases from the database. It takes shards that nobody has, and gives few
 * at a time to others that have too few. Scanners whose lease could not be renewed in time are stopped before others may take them.
 */
export class Worker {
  readonly #options: WorkerOptions;
  readonly #leases: Leases;
  readonly #keeper: LeaseKeeper;
  readonly #store: DatabaseStore;
  readonly #history: History;
  readonly #running = new Map<number, Running>();
  /** Shards whose scanners are being stopped: they are not started again before they have ended. */
  readonly #stopping = new Map<number, Promise<void>>();
  readonly #wake = new Wake();
  readonly #unlisten: readonly (() => void)[];
  #fleet: Fleet | undefined;
  #desired: DesiredUnits = noUnits;
  #loop: Promise<void> = Promise.resolve();
  /** Is there more to take or to give than one step moves? */
  #isBalancing = false;
  #isUnreadable = false;
  #isEnding = false;

  private constructor(options: WorkerOptions) {
    const { database, forLeases, url, capacity, leaseMilliseconds, log, key } = options;
    this.#options = options;
    const lease = leaseMilliseconds === undefined ? {} : { milliseconds: leaseMilliseconds };
    this.#leases = new Leases(forLeases, { ...lease, worker: { url, capacity } });
    this.#keeper = new LeaseKeeper({
      leases: this.#leases,
      log,
      lost: (shards, why) => this.#stopAll(shards, why),
    });
    this.#store = new DatabaseStore({
      database,
      owner: this.#leases.owner,
      leaseOf: (serial) => this.#leaseOf(serial),
      key,
      log,
    });
    this.#history = new History({ database, log });
    const wake = () => this.#wake.now();
    this.#unlisten = [forLeases.listen(shardsChannel, wake), forLeases.listen(fleetChannel, wake)];
  }

  /**
   * Begins to take shards.
   * @throws DatabaseAway if the database does not answer at the start
   */
  static async start(options: WorkerOptions): Promise<Worker> {
    const worker = new Worker(options);
    try {
      await worker.#begin();
      return worker;
    } catch (error) {
      await worker.close();
      throw error;
    }
  }

  get fleet(): Fleet {
    if (this.#fleet === undefined) throw new Error('the worker has not started');
    return this.#fleet;
  }

  get leases(): Leases {
    return this.#leases;
  }

  /** Whether it may answer for a scanner now: its lease has not expired. */
  owns(serial: string): boolean {
    return this.#leaseOf(serial) !== undefined;
  }

  /** Why it cannot serve now; undefined if it can. A database that is away is borne as long as the leases are good. */
  notReady(): string | undefined {
    if (this.#isEnding) return 'The worker ends.';
    if (!this.#keeper.isAway) return undefined;
    const { remaining } = this.#leases;
    return remaining === undefined || remaining <= 0
      ? 'The database does not answer, and no lease is left.'
      : undefined;
  }

  /** Its own metrics, in the text format of Prometheus. */
  metrics(): string {
    const { remaining = 0 } = this.#leases;
    return (
      metricText('azimuth_worker_shards', 'gauge', 'Shards that this worker runs.', this.#running.size) +
      metricText(
        'azimuth_worker_lease_seconds',
        'gauge',
        'Time until the first of the leases ends if it is not renewed.',
        Math.max(0, remaining) / 1000,
      ) +
      metricText(
        'azimuth_worker_saves_total',
        'counter',
        'Documents that scanners have saved.',
        this.#store.saves,
      ) +
      metricText(
        'azimuth_worker_refused_saves_total',
        'counter',
        'Documents that were not saved: the database was away, or the lease had gone.',
        this.#store.refusedSaves,
      )
    );
  }

  /**
   * Hands all shards over: requests that are being answered are answered, then the scanners stop, then others may take them.
   */
  async close(): Promise<void> {
    if (this.#isEnding) return this.#loop;
    this.#isEnding = true;
    this.#wake.now();
    await this.#loop;
    for (const unlisten of this.#unlisten) unlisten();
    // Leases are renewed until the last scanner has ended.
    await this.#fleet?.remove([...this.#fleet.units.keys()], drainWithin);
    await this.#keeper.close();
    await this.#leases.leave().catch((error: unknown) => this.#keeper.noteAway(error));
    await this.#fleet?.close();
    await this.#history.close();
  }

  async #begin(): Promise<void> {
    const { database, read } = this.#options;
    this.#desired = await desiredUnits(database, read, noUnits);
    this.#fleet = await Fleet.start({
      ...this.#options,
      units: [],
      store: this.#store,
      macAddresses: { get: (serial: string) => this.#desired.macAddresses.get(serial) },
    });
    this.#fleet.events.follow([], (event) => this.#keep(event));
    await this.#leases.renew();
    this.#keeper.start();
    await this.#balance();
    this.#loop = this.#run();
  }

  /** What happens goes into the history of the database, which nobody waits for. */
  #keep({ time, serialNumber: serial, group, ...happening }: FleetEvent): void {
    const at = new Date(time);
    const { event: kind, ...data } = happening;
    if (happening.event === 'detection')
      this.#history.append('detections', [
        { serial, at, kind: happening.detection.Name, data: { group, ...happening.detection } },
      ]);
    else this.#history.append('events', [{ serial, at, kind, data: { group, ...data } }]);
  }

  async #run(): Promise<void> {
    while (!this.#isEnding) {
      const { period } = this.#keeper;
      await this.#wake.after(this.#isBalancing ? Math.min(period, balanceEvery) : period);
      if (this.#isEnding) return;
      try {
        await this.#followIfReadable();
        await this.#balance();
        this.#keeper.noteBack();
      } catch (error) {
        this.#keeper.noteAway(error);
      }
    }
  }

  async #followIfReadable(): Promise<void> {
    try {
      await this.#follow();
      this.#isUnreadable = false;
    } catch (error) {
      if (error instanceof DatabaseAway) throw error;
      this.#noteUnreadable(error);
    }
  }

  /** Then the fleet stays as it was: leases are renewed, and shards taken, all the same. */
  #noteUnreadable(error: unknown): void {
    if (!this.#isUnreadable)
      this.#options.log.error('The worker cannot follow the fleet that was applied', {
        reason: String(error),
      });
    this.#isUnreadable = true;
  }

  /** Takes what nobody has, up to the part of this worker, and gives a few shards to workers that have too few. */
  async #balance(): Promise<void> {
    const toMove = await shardsToMove(this.#options.forLeases, this.#leases);
    if (toMove > 0) await this.#leases.take(Math.min(toMove, mostTaken));
    if (toMove < 0) await this.#giveAway(-toMove);
    this.#keeper.watch();
    for (const lease of this.#leases.held) if (!this.#running.has(lease.shard)) await this.#startShard(lease);
    this.#isBalancing = toMove > mostTaken || toMove < 0;
  }

  async #giveAway(count: number): Promise<void> {
    const given = this.#leases.held.slice(0, count);
    await Promise.all(given.map(({ shard }) => this.#stop(shard, undefined, drainWithin)));
    await this.#leases.release(given);
  }

  async #startShard(lease: Lease): Promise<void> {
    await this.#stopping.get(lease.shard);
    const units = this.#unitsOf(lease.shard);
    const adding = units.length > 0 ? this.fleet.add(units) : Promise.resolve();
    const serials = units.map(({ serial }) => serial);
    this.#running.set(lease.shard, { ...lease, serials, started: Promise.allSettled([adding]) });
    try {
      await adding;
    } catch (error) {
      this.#running.delete(lease.shard);
      if (!(error instanceof NotTheOwner)) throw error;
    }
    // While they were switched on, the lease may have ended, and the watchdog has not seen those that were not there yet.
    if (this.#leases.of(lease.shard)?.epoch === lease.epoch) return;
    await this.#stop(lease.shard, 'its lease has ended');
    await this.fleet.remove(units.map(({ serial }) => serial));
  }

  /** Stops the scanners of a shard. @param drain ms that requests which are being answered may take */
  async #stop(shard: number, why: string | undefined, drain?: number): Promise<void> {
    const running = this.#running.get(shard);
    if (running === undefined) return;
    this.#running.delete(shard);
    if (why !== undefined && running.serials.length > 0)
      this.#options.log.warn('Scanners were stopped', { shard, scanners: running.serials.length, why });
    const stopped = running.started
      .then(() => this.fleet.remove(running.serials, drain))
      .finally(() => this.#stopping.delete(shard));
    this.#stopping.set(shard, stopped);
    await stopped;
    this.#store.forget(running.serials);
  }

  /** Stops the scanners of shards, and does not wait for it. */
  #stopAll(shards: readonly number[], why: string): void {
    for (const shard of shards)
      this.#stop(shard, why).catch((error: unknown) =>
        this.#options.log.error('Scanners could not be stopped', { shard, reason: String(error) }),
      );
  }

  /** Follows a fleet that was applied anew: a scanner that is another one now is switched off and on. */
  async #follow(): Promise<void> {
    const { database, read } = this.#options;
    const before = new Map(this.#desired.units.map((facts) => [facts.serial, facts]));
    const desired = await desiredUnits(database, read, this.#desired);
    if (desired === this.#desired) return;
    this.#desired = desired;
    for (const running of [...this.#running.values()]) {
      const wanted = this.#unitsOf(running.shard);
      const isSame = ({ serial, ...facts }: UnitFacts) =>
        isDeepStrictEqual(before.get(serial), { serial, ...facts });
      const kept = new Set(wanted.filter(isSame).map(({ serial }) => serial));
      await running.started;
      await this.fleet.remove(running.serials.filter((serial) => !kept.has(serial)));
      // Meanwhile its lease may have ended: then its scanners were stopped.
      if (this.#running.get(running.shard) !== running) continue;
      const added = wanted.filter(({ serial }) => !kept.has(serial));
      const adding = added.length > 0 ? this.fleet.add(added) : Promise.resolve();
      const serials = wanted.map(({ serial }) => serial);
      this.#running.set(running.shard, { ...running, serials, started: Promise.allSettled([adding]) });
      await adding;
    }
  }

  #unitsOf(shard: number): readonly UnitFacts[] {
    return this.#desired.units.filter(({ serial }) => this.#desired.shardOf.get(serial) === shard);
  }

  #leaseOf(serial: string): Lease | undefined {
    const shard = this.#desired.shardOf.get(serial);
    return shard === undefined ? undefined : this.#leases.of(shard);
  }
}
