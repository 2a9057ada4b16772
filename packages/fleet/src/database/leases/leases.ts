import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { Mutex } from '@azimuth/async';
import type { Database, DatabaseOptions } from '../database.js';
import {
  acquire,
  acquireStandalone,
  leave,
  ownerOf,
  reclaim,
  release,
  renew,
  standaloneShard,
} from './lease-statements.js';

/** The right to run the scanners of a shard. {@link Leases} knows when it ends. */
export interface Lease {
  readonly shard: number;
  /** The number of the takeover. Each later takeover, of any shard, has a higher number. */
  readonly epoch: number;
}

/** A worker for other processes: its URL, and the number of scanners that it can run. */
export interface Worker {
  readonly url: string;
  readonly capacity: number;
  /** Identifies its listening socket: while it listens, no other process can. Undefined if unknown. */
  readonly socketId?: string | undefined;
}

interface LeasesOptions {
  /** ms from a renewal to the end of a lease. */
  readonly milliseconds: number;
  /** Undefined for a process that others need not find. */
  readonly worker?: Worker | undefined;
}

/** Another process has the lease of this scanner, or the scanner belongs to a fleet. */
export class ScannerInUse extends Error {
  override readonly name = 'ScannerInUse';
}

/** The leases that a renewal has not renewed. */
export interface Renewed {
  /** Leases that others have: stop working with them. */
  readonly lost: readonly Lease[];
  /** Leases whose rows are locked. They end as before, and must be renewed soon. */
  readonly skipped: readonly Lease[];
}

interface Held extends Lease {
  /**
   * Time of the monotonic clock of this process at which others may acquire it, in ms. It advances while the process is
   * paused.
   */
  readonly until: number;
}

/**
 * The leases of one process. The database decides by its clock whether a lease has expired. This process counts on its own
 * monotonic clock from before the query, so a lease never ends later here than in the database.
 */
export class Leases {
  /**
   * The name of this process. No other process, and no later one, has this name. If the socket is known, the name ends with
   * it.
   */
  readonly owner: string;
  /** ms from a renewal to the end of a lease. */
  readonly milliseconds: number;
  readonly #database: Database;
  readonly #worker: Worker | undefined;
  readonly #held = new Map<number, Held>();
  #isLeaving = false;
  /** Released leases that the database does not know of yet. */
  #released: Lease[] = [];
  readonly #releasing = new Mutex();
  readonly #renewing = new Mutex();

  /** @param database with connections of its own: leases must not wait behind saves */
  constructor(database: Database, { milliseconds, worker }: LeasesOptions) {
    this.#database = database;
    this.milliseconds = milliseconds;
    this.#worker = worker;
    this.owner = `${hostname()}-${process.pid}-${randomUUID().slice(0, 8)}${endOf(worker)}`;
  }

  /** The leases that have not expired by the clock of this process. */
  get held(): readonly Lease[] {
    return [...this.#held.values()].filter(({ until }) => performance.now() < until);
  }

  /** Returns the lease of a shard; undefined if this process does not have it, or has not renewed it in time. */
  of(shard: number): Lease | undefined {
    const held = this.#held.get(shard);
    return held !== undefined && performance.now() < held.until ? held : undefined;
  }

  /** ms until the first lease expires without a renewal; negative if it has expired; undefined if there are no leases. */
  get remaining(): number | undefined {
    const ends = [...this.#held.values()].map(({ until }) => until);
    return ends.length === 0 ? undefined : Math.min(...ends) - performance.now();
  }

  /** Returns the leases that end in this many ms without a renewal. */
  endingIn(milliseconds: number): readonly Lease[] {
    const by = performance.now() + milliseconds;
    return [...this.#held.values()].filter(({ until }) => until <= by);
  }

  /**
   * Acquires shards that have no owner, or whose owner has not renewed in time.
   * @param count the largest number
   * @throws DatabaseUnavailable. Then this process holds none of them; the next call acquires them
   */
  async acquire(count: number): Promise<readonly Lease[]> {
    if (count <= 0) return [];
    const queriedAt = performance.now();
    const acquired = await this.#database.query<Row>(acquire, [
      this.owner,
      this.milliseconds,
      count,
      this.#epochs,
    ]);
    return this.#hold(acquired, queriedAt);
  }

  /**
   * Acquires the shards of earlier processes that have listened at the socket of this process, even before their leases end.
   * @throws DatabaseUnavailable. Then this process holds none of them; the next call acquires them
   */
  async reclaim(): Promise<readonly Lease[]> {
    if (this.#worker?.socketId === undefined) return [];
    const queriedAt = performance.now();
    const acquired = await this.#database.query<Row>(reclaim, [
      this.owner,
      this.milliseconds,
      endOf(this.#worker),
    ]);
    return this.#hold(acquired, queriedAt);
  }

  /**
   * Acquires the lease of one scanner that is run without a fleet.
   * @throws ScannerInUse, DatabaseUnavailable
   */
  async acquireStandalone(serial: string): Promise<Lease> {
    const [registered] = await this.#database.query<{ shard: number | null }>(standaloneShard, [serial]);
    const shard = registered?.shard ?? undefined;
    if (shard === undefined)
      throw new ScannerInUse(
        `The scanner ${serial} belongs to the fleet in ${this.#database.where}: its workers run it`,
      );
    const queriedAt = performance.now();
    const acquired = await this.#database.query<Row>(acquireStandalone, [
      this.owner,
      this.milliseconds,
      shard,
      this.#epochs,
    ]);
    const [lease] = this.#hold(acquired, queriedAt);
    if (lease !== undefined) return lease;
    const [other] = await this.#database.query<{ owner: string | null; seconds: number | null }>(ownerOf, [
      shard,
    ]);
    throw new ScannerInUse(
      `The scanner ${serial} is run by ${other?.owner ?? 'another process'}. If that is gone, its lease ends in ${other?.seconds ?? 0} s`,
    );
  }

  /**
   * Renews all leases in one statement that waits for no lock. It also shows others that this process is alive.
   * @throws DatabaseUnavailable
   */
  renew(): Promise<Renewed> {
    // One renewal after the other: the result of an older one must not come after that of a newer one.
    return this.#renewing.run(() => this.#renewNow());
  }

  async #renewNow(): Promise<Renewed> {
    const held = [...this.#held.values()];
    const queriedAt = performance.now();
    const { url = null, capacity = null } = this.#worker ?? {};
    const renewals = await this.#database.query<{ shard: number; renewed: boolean }>(renew, [
      this.owner,
      this.milliseconds,
      held.map(({ shard }) => shard),
      held.map(({ epoch }) => epoch),
      url,
      capacity,
      this.#isLeaving ? 0 : this.milliseconds,
    ]);
    const renewed = new Map(renewals.map((row) => [row.shard, row.renewed]));
    const lost: Lease[] = [];
    const skipped: Lease[] = [];
    for (const lease of held) {
      // Only if the lease was not released, or acquired anew, in between.
      if (this.#held.get(lease.shard)?.epoch !== lease.epoch) continue;
      const isRenewed = renewed.get(lease.shard);
      if (isRenewed === true) this.#held.set(lease.shard, { ...lease, until: queriedAt + this.milliseconds });
      else if (isRenewed === false) skipped.push(lease);
      else {
        this.#held.delete(lease.shard);
        lost.push(lease);
      }
    }
    return { lost, skipped };
  }

  /** Forgets leases without telling the database: nothing is saved with them any more. */
  forget(shards: Iterable<number>): void {
    for (const shard of shards) this.#held.delete(shard);
  }

  /**
   * Tells others to share the shards of this process. It still renews its leases.
   * @throws DatabaseUnavailable; others then share them when this process has ended
   */
  retire(): Promise<Renewed> {
    this.#isLeaving = true;
    return this.renew();
  }

  /**
   * Releases shards at once, so that others may acquire them. Nothing is saved with them from now on, even if this fails.
   * Calls during a running statement share the next one.
   * @throws DatabaseUnavailable. Then the next call reports them to the database, too, unless they have expired
   */
  async release(leases: readonly Lease[]): Promise<void> {
    // The lease may have been lost, and acquired anew.
    this.forget(
      leases.filter(({ shard, epoch }) => this.#held.get(shard)?.epoch === epoch).map(({ shard }) => shard),
    );
    this.#released.push(...leases);
    await this.#releasing.run(() => this.#reportReleased());
  }

  async #reportReleased(): Promise<void> {
    const leases = this.#released.splice(0);
    if (leases.length === 0) return;
    const shards = leases.map(({ shard }) => shard);
    const epochs = leases.map(({ epoch }) => epoch);
    try {
      await this.#database.query(release, [this.owner, shards, epochs], { repeatFor: 1000 });
    } catch (error) {
      this.#released.unshift(...leases);
      throw error;
    }
  }

  /**
   * Releases all shards, and removes this process from the list of workers.
   * @throws DatabaseUnavailable. Then others may acquire the shards when they have expired
   */
  async leave(): Promise<void> {
    await this.release([...this.#held.values()]);
    if (this.#worker !== undefined) await this.#database.query(leave, [this.owner], { repeatFor: 1000 });
  }

  get #epochs(): readonly number[] {
    return [...this.#held.values()].map(({ epoch }) => epoch);
  }

  #hold(acquired: readonly Row[], queriedAt: number): readonly Lease[] {
    for (const { shard, epoch } of acquired)
      this.#held.set(shard, { shard, epoch, until: queriedAt + this.milliseconds });
    return acquired;
  }
}

/** Returns the end of the names of all processes at a socket. */
function endOf(worker: Worker | undefined): string {
  return worker?.socketId === undefined ? '' : `@${worker.socketId}`;
}

type Row = Readonly<Record<'shard' | 'epoch', number>>;

/** Longest wait of a save for a row that another program has locked, in ms. */
const longestLock = 1000;

/**
 * Returns the limits of the connections that save. While a save waits for a lock, others wait for the rows that it has
 * locked.
 * @param lease ms from a renewal to the end of a lease
 */
export function limitsOfSaves(lease: number): Pick<DatabaseOptions, 'lockMilliseconds'> {
  return { lockMilliseconds: Math.min(longestLock, Math.round(lease / 10)) };
}

/**
 * Returns the limits of the connections that renew leases. If two renewals get no response, there is time for a third one
 * before the lease ends.
 * @param lease ms from a renewal to the end of a lease
 */
export function limitsOfLeases(
  lease: number,
): Pick<
  DatabaseOptions,
  'connections' | 'connectMilliseconds' | 'statementMilliseconds' | 'graceMilliseconds'
> {
  const milliseconds = Math.round(lease / 5);
  return {
    connections: 2,
    connectMilliseconds: milliseconds,
    statementMilliseconds: milliseconds,
    graceMilliseconds: Math.min(250, Math.round(lease / 20)),
  };
}
