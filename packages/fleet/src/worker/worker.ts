import { atMost, InterruptiblePause } from '@azimuth/async';
import type { Log } from '@azimuth/device';
import type { Metric } from '@azimuth/http';
import {
  checkKeysAtStart,
  type Database,
  DatabaseStore,
  FollowedFleet,
  fleetChannel,
  History,
  type Lease,
  Leases,
  leaseOfScanner,
  NotTheOwner,
  OutageLog,
  type ReadFleet,
  readFleetLoad,
  shardsChannel,
  shardsToMove,
} from '../database/index.js';
import type { DeploymentKeys } from '../deployment-keys.js';
import type { FleetEvent } from '../events/fleet-event.js';
import { Fleet, type FleetOptions } from '../fleet.js';
import { LeaseKeeper, otherOwnerReason } from './lease-keeper.js';
import { RunningShards } from './running-shards.js';
import { CapacityLog, warnOfSameUrl, workerMetrics } from './worker-reports.js';

export interface WorkerOptions extends Omit<FleetOptions, 'scanners' | 'store' | 'owns' | 'macAddresses'> {
  readonly database: Database;
  /** The database with connections of its own, so that leases never wait behind saves. */
  readonly forLeases: Database;
  readonly log: Log;
  /** The keys of the deployment. They seal secret documents. */
  readonly keys: DeploymentKeys;
  /** Its URL for gateways. */
  readonly url: string;
  /**
   * Identifies its listening socket, which only one process can have. The worker reclaims the leases of earlier processes
   * that have listened there.
   */
  readonly socketId?: string | undefined;
  /** Number of scanners that it can run. */
  readonly capacity: number;
  /** ms from a renewal to the end of a lease. */
  readonly leaseMilliseconds: number;
  readonly read: ReadFleet;
}

/** Largest number of shards that it acquires in one step. */
const mostAcquired = 16;

/** ms between two steps while there is more to move. */
const balanceInterval = 500;

/** ms between two checks for expired leases. The database sends no notification of these. */
const pollInterval = 2500;

/** ms for running requests when a shard is handed over. New requests to its scanners wait as long. */
const drainTimeout = 8000;

/** ms for telling the database that a worker ends, before the worker hands its shards over. */
const longestRetirement = 1000;

interface Runs {
  readonly fleet: Fleet;
  readonly shards: RunningShards;
}

/**
 * Runs the scanners of the shards that it leases from the database. It acquires free shards, and gives a few at a time to
 * workers that have too few. If the lease of scanners could not be renewed in time, they are stopped before others may
 * acquire it.
 */
export class Worker {
  readonly #options: WorkerOptions;
  readonly #leases: Leases;
  readonly #keeper: LeaseKeeper;
  readonly #outages: OutageLog;
  readonly #capacity: CapacityLog;
  readonly #desired: FollowedFleet;
  readonly #store: DatabaseStore;
  readonly #history: History;
  readonly #pause = new InterruptiblePause();
  readonly #unlisten: readonly (() => void)[];
  /** The running fleet and shards, once the database has responded. */
  #runs: Runs | undefined;
  #loop: Promise<void> = Promise.resolve();
  /** Shards that are being handed over to others. */
  readonly #handingOver = new Set<number>();
  #handedOver: Promise<void> = Promise.resolve();
  /** True if one step has not moved all shards: the next one comes sooner. */
  #isBalancing = false;
  /** Time of the monotonic clock at which the leases of all earlier processes have expired. */
  readonly #earlierEndAt: number;
  #isEnding = false;

  private constructor(options: WorkerOptions) {
    const {
      database,
      forLeases,
      url,
      socketId,
      capacity,
      leaseMilliseconds: milliseconds,
      log,
      keys,
    } = options;
    this.#options = options;
    this.#earlierEndAt = performance.now() + milliseconds;
    this.#leases = new Leases(forLeases, { milliseconds, worker: { url, capacity, socketId } });
    this.#outages = new OutageLog(log);
    this.#capacity = new CapacityLog(log);
    this.#desired = new FollowedFleet(options);
    this.#keeper = new LeaseKeeper({
      leases: this.#leases,
      outages: this.#outages,
      lost: (leases, why) => this.#stopAll(leases, why),
    });
    this.#store = new DatabaseStore({
      database,
      owner: this.#leases.owner,
      leaseOf: (serial) => this.#leaseOf(serial),
      keys,
      log,
    });
    this.#history = new History({ database, log });
    const pollNow = () => this.#pause.end();
    this.#unlisten = [forLeases.listen(shardsChannel, pollNow), forLeases.listen(fleetChannel, pollNow)];
  }

  /**
   * Begins to acquire shards.
   * @throws KeyMismatch; DatabaseUnavailable if the database does not respond at the start
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
    if (this.#runs === undefined) throw new Error('the worker has not started');
    return this.#runs.fleet;
  }

  get leases(): Leases {
    return this.#leases;
  }

  /** True if it may respond for a scanner now: its lease has not expired. */
  owns(serial: string): boolean {
    return this.#leaseOf(serial) !== undefined;
  }

  /**
   * Returns the reason why it cannot serve now; undefined if it can. If the database does not respond, it serves as long as
   * the leases are valid.
   */
  notReady(): string | undefined {
    if (this.#isEnding) return 'The worker ends.';
    if (!this.#outages.isUnavailable) return undefined;
    const { remaining } = this.#leases;
    return remaining === undefined || remaining <= 0
      ? 'The database does not answer or refuses, and no lease is left.'
      : undefined;
  }

  /** Returns its own metrics. */
  metrics(): readonly Metric[] {
    const { remaining } = this.#leases;
    return workerMetrics({ shards: this.#runs?.shards.size ?? 0, remaining, store: this.#store });
  }

  /**
   * Hands all shards over: first running requests get their responses, then the scanners stop, then others may acquire the
   * shards.
   */
  async close(): Promise<void> {
    if (this.#isEnding) return this.#loop;
    this.#isEnding = true;
    this.#pause.end();
    await this.#loop;
    for (const unlisten of this.#unlisten) unlisten();
    // Leases are renewed until the last scanner has ended.
    await atMost(longestRetirement, this.#retire());
    await Promise.all([this.#handedOver, this.#handOver(this.#stayingLeases)]);
    try {
      await this.#runs?.fleet.remove([...this.#runs.fleet.members.keys()]);
    } finally {
      await this.#keeper.close();
      // Also after a failure: when its port is closed, a later process of the same socket reclaims its shards.
      await this.#leases
        .leave()
        .catch((error: unknown) => this.#outages.failed(error, 'Shards could not be given back'));
    }
    await this.#runs?.fleet.close();
    await this.#history.close();
  }

  async #retire(): Promise<void> {
    try {
      const { lost } = await this.#leases.retire();
      this.#stopAll(lost, otherOwnerReason);
    } catch (error) {
      this.#outages.failed(error, 'The end of the worker could not be told');
    }
  }

  async #begin(): Promise<void> {
    const { database, keys, log } = this.#options;
    await checkKeysAtStart(database, keys, log);
    await this.#desired.refresh();
    const fleet = await Fleet.start({
      ...this.#options,
      scanners: [],
      store: this.#store,
      owns: (serial) => this.owns(serial),
      macAddresses: { get: (serial: string) => this.#desired.current.macAddresses.get(serial) },
    });
    fleet.events.follow([], (event) => this.#recordEvent(event));
    const shards = new RunningShards({
      fleet,
      log: this.#options.log,
      leaseOf: (shard) => this.#leases.of(shard),
      ended: (serials) => this.#store.forget(serials),
    });
    this.#runs = { fleet, shards };
    await this.#leases.renew();
    this.#keeper.start();
    await this.#balance();
    // Earlier processes of the same socket are off the list already.
    const { forLeases, url } = this.#options;
    await warnOfSameUrl({ database: forLeases, log }, { url, owner: this.#leases.owner });
    // Scanners that cannot be switched on now do not stop the others.
    await this.#runAll().catch((error: unknown) => this.#logFailure(error));
    this.#loop = this.#run();
  }

  /** Writes an event into the history of the database. Nothing waits for it. */
  #recordEvent({ time, serialNumber: serial, group, ...happening }: FleetEvent): void {
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
      await this.#pause.wait(Math.min(period, this.#isBalancing ? balanceInterval : pollInterval));
      if (this.#isEnding) return;
      try {
        await this.#desired.refresh();
        await this.#balance();
        await this.#runAll();
        this.#outages.succeeded();
      } catch (error) {
        this.#logFailure(error);
      }
    }
  }

  #logFailure(error: unknown): void {
    this.#outages.failed(error, 'Scanners could not be run as the fleet wants them');
  }

  /** Acquires free shards, up to the part of this worker, and gives a few shards to workers that have too few. */
  async #balance(): Promise<void> {
    const { owner } = this.#leases;
    // Locked shards are acquired the next time.
    if (performance.now() < this.#earlierEndAt) await this.#leases.reclaim();
    const spread = await readFleetLoad(this.#options.forLeases, owner);
    this.#capacity.record(spread);
    const toMove = shardsToMove(spread, owner, this.#stayingLeases.length);
    // Releases shards that could not be released the last time.
    await this.#leases.release([]);
    if (toMove > 0) await this.#leases.acquire(Math.min(toMove, mostAcquired));
    if (toMove < 0) this.#giveShardsAway(-toMove);
    this.#keeper.watch();
    this.#isBalancing = toMove > mostAcquired || toMove < 0;
  }

  /** Gives shards away in the background. */
  #giveShardsAway(count: number): void {
    const given = this.#handOver(this.#stayingLeases.slice(0, count));
    this.#handedOver = this.#handedOver.then(() => given);
  }

  /** Hands shards over. A shard with slow requests does not delay the others. */
  async #handOver(leases: readonly Lease[]): Promise<void> {
    const handOver = async (lease: Lease) => {
      this.#handingOver.add(lease.shard);
      try {
        await this.#runs?.shards.stop(lease, undefined, drainTimeout);
        await this.#leases.release([lease]);
      } catch (error) {
        this.#outages.failed(error, 'A shard could not be handed over');
      } finally {
        this.#handingOver.delete(lease.shard);
      }
    };
    await Promise.all(leases.map(handOver));
  }

  get #stayingLeases(): readonly Lease[] {
    return this.#leases.held.filter((lease) => !this.#isHandingOver(lease));
  }

  #isHandingOver({ shard }: Lease): boolean {
    return this.#handingOver.has(shard);
  }

  /**
   * Runs the scanners of each shard, and tries failed power-ons again. If one shard fails, the others continue.
   * @throws the first error but NotTheOwner: the next step tries again
   */
  async #runAll(): Promise<void> {
    const failures: unknown[] = [];
    for (const lease of this.#leases.held) {
      if (this.#isEnding) return;
      // It may have been given away in between.
      if (this.#isHandingOver(lease) || this.#leases.of(lease.shard)?.epoch !== lease.epoch) continue;
      await this.#runs?.shards
        .run(lease, this.#desired.current)
        .catch((error: unknown) => void failures.push(error));
    }
    await this.#runs?.fleet.retryPowerOn().catch((error: unknown) => void failures.push(error));
    const [failure] = failures.filter((error) => !(error instanceof NotTheOwner));
    if (failure !== undefined) throw failure;
  }

  /** Stops the scanners of shards in the background. */
  #stopAll(leases: readonly Lease[], why: string): void {
    for (const lease of leases)
      this.#runs?.shards.stop(lease, why).catch((error: unknown) =>
        this.#options.log.error('Scanners could not be stopped', {
          shard: lease.shard,
          reason: String(error),
        }),
      );
  }

  #leaseOf(serial: string): Lease | undefined {
    const scanner = this.#desired.current.scanners.get(serial);
    const lease = scanner && this.#leases.of(scanner.shard);
    return lease && leaseOfScanner(lease, scanner.since);
  }
}
