import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { Mutex } from '@azimuth/async';
import type { Database, DatabaseOptions } from '../database.js';
import { leave, loneShard, release, renew, take, takeAlone, takeBack, whoHas } from './lease-statements.js';

/** The right to run the scanners of a shard. When it ends, {@link Leases} knows. */
export interface Lease {
  readonly shard: number;
  /** The number of the takeover. A later one of any shard is higher. */
  readonly epoch: number;
}

/** How other processes reach this one, and how many scanners it can run. */
export interface Worker {
  readonly url: string;
  readonly capacity: number;
  /** Names where it listens: no other process can while it does. Undefined if nobody knows. */
  readonly place?: string | undefined;
}

interface LeasesOptions {
  /** How long a lease is good for without being renewed, in ms. */
  readonly milliseconds: number;
  /** Undefined for a process that nobody has to find. */
  readonly worker?: Worker | undefined;
}

/** Another process has the lease of this scanner, or it is one of a fleet. */
export class ScannerInUse extends Error {
  override readonly name = 'ScannerInUse';
}

/** What became of the leases that a renewal has not renewed. */
export interface Renewed {
  /** Others have them: whoever works with them stops. */
  readonly lost: readonly Lease[];
  /** Somebody has locked their rows. They are good as long as before, and have to be renewed soon. */
  readonly skipped: readonly Lease[];
}

interface Held extends Lease {
  /** Time of the monotonic clock of this process at which others may take it, in ms. It counts on while the process is paused. */
  readonly until: number;
}

/**
 * The leases of one process. The database decides by its clock whether one has expired. This process counts on its own
 * monotonic clock from before it asked, so its own end of a lease is never later.
 */
export class Leases {
  /** Names this process. No other one, and no later one, has the same name. It ends with the place, if there is one. */
  readonly owner: string;
  /** How long a lease is good for without being renewed, in ms. */
  readonly milliseconds: number;
  readonly #database: Database;
  readonly #worker: Worker | undefined;
  readonly #held = new Map<number, Held>();
  #isLeaving = false;
  /** Leases that the database is to be told of. */
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

  /** Undefined if this process does not have it, or has not renewed it in time. */
  of(shard: number): Lease | undefined {
    const held = this.#held.get(shard);
    return held !== undefined && performance.now() < held.until ? held : undefined;
  }

  /** ms until the first of the leases expires if it is not renewed; negative if it has; undefined if there are none. */
  get remaining(): number | undefined {
    const ends = [...this.#held.values()].map(({ until }) => until);
    return ends.length === 0 ? undefined : Math.min(...ends) - performance.now();
  }

  /** The leases that end within so many ms if they are not renewed. */
  endingWithin(milliseconds: number): readonly Lease[] {
    const by = performance.now() + milliseconds;
    return [...this.#held.values()].filter(({ until }) => until <= by);
  }

  /**
   * Takes shards that nobody has, or whose owner has not renewed in time.
   * @param count at most so many
   * @throws DatabaseAway. Then nothing is held of what may have been taken: the next time takes it
   */
  async take(count: number): Promise<readonly Lease[]> {
    if (count <= 0) return [];
    const asked = performance.now();
    const taken = await this.#database.query<Row>(take, [this.owner, this.milliseconds, count, this.#epochs]);
    return this.#hold(taken, asked);
  }

  /**
   * Takes the shards of earlier processes that have listened where this one listens now, also before their leases end.
   * @throws DatabaseAway. Then nothing is held of what may have been taken: the next time takes it
   */
  async takeBack(): Promise<readonly Lease[]> {
    if (this.#worker?.place === undefined) return [];
    const asked = performance.now();
    const taken = await this.#database.query<Row>(takeBack, [
      this.owner,
      this.milliseconds,
      endOf(this.#worker),
    ]);
    return this.#hold(taken, asked);
  }

  /**
   * Takes the lease of one scanner that is run without a fleet.
   * @throws ScannerInUse, DatabaseAway
   */
  async takeAlone(serial: string): Promise<Lease> {
    const [lone] = await this.#database.query<{ shard: number | null }>(loneShard, [serial]);
    const shard = lone?.shard ?? undefined;
    if (shard === undefined)
      throw new ScannerInUse(
        `The scanner ${serial} belongs to the fleet in ${this.#database.where}: its workers run it`,
      );
    const asked = performance.now();
    const taken = await this.#database.query<Row>(takeAlone, [
      this.owner,
      this.milliseconds,
      shard,
      this.#epochs,
    ]);
    const [lease] = this.#hold(taken, asked);
    if (lease !== undefined) return lease;
    const [other] = await this.#database.query<{ owner: string | null; seconds: number | null }>(whoHas, [
      shard,
    ]);
    throw new ScannerInUse(
      `The scanner ${serial} is run by ${other?.owner ?? 'another process'}. If that is gone, its lease ends in ${other?.seconds ?? 0} s`,
    );
  }

  /**
   * Renews all leases in one statement that waits for nobody, and says that this process lives.
   * @throws DatabaseAway
   */
  renew(): Promise<Renewed> {
    // One after the other: an older one must not say anything else behind a newer one.
    return this.#renewing.run(() => this.#renewNow());
  }

  async #renewNow(): Promise<Renewed> {
    const held = [...this.#held.values()];
    const asked = performance.now();
    const { url = null, capacity = null } = this.#worker ?? {};
    const found = await this.#database.query<{ shard: number; renewed: boolean }>(renew, [
      this.owner,
      this.milliseconds,
      held.map(({ shard }) => shard),
      held.map(({ epoch }) => epoch),
      url,
      capacity,
      this.#isLeaving ? 0 : this.milliseconds,
    ]);
    const renewed = new Map(found.map((row) => [row.shard, row.renewed]));
    const lost: Lease[] = [];
    const skipped: Lease[] = [];
    for (const lease of held) {
      // Only if it was not released, or taken anew, meanwhile.
      if (this.#held.get(lease.shard)?.epoch !== lease.epoch) continue;
      const isRenewed = renewed.get(lease.shard);
      if (isRenewed === true) this.#held.set(lease.shard, { ...lease, until: asked + this.milliseconds });
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
   * Tells others to share among them what this process has. It still renews its leases.
   * @throws DatabaseAway. Then they do when it has gone
   */
  retire(): Promise<Renewed> {
    this.#isLeaving = true;
    return this.renew();
  }

  /**
   * Gives shards back at once, so that others may take them. Nothing is saved with them from now on, even if this fails. What
   * comes while one statement is under way has the next one together.
   * @throws DatabaseAway. Then the next call tells the database of them, too, unless they have expired
   */
  async release(leases: readonly Lease[]): Promise<void> {
    // It may have been lost, and taken anew.
    this.forget(
      leases.filter(({ shard, epoch }) => this.#held.get(shard)?.epoch === epoch).map(({ shard }) => shard),
    );
    this.#released.push(...leases);
    await this.#releasing.run(() => this.#tellReleased());
  }

  async #tellReleased(): Promise<void> {
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
   * Gives all shards back, and takes this process off the list of workers.
   * @throws DatabaseAway. Then others may take them when they have expired
   */
  async leave(): Promise<void> {
    await this.release([...this.#held.values()]);
    if (this.#worker !== undefined) await this.#database.query(leave, [this.owner], { repeatFor: 1000 });
  }

  get #epochs(): readonly number[] {
    return [...this.#held.values()].map(({ epoch }) => epoch);
  }

  #hold(taken: readonly Row[], asked: number): readonly Lease[] {
    for (const { shard, epoch } of taken)
      this.#held.set(shard, { shard, epoch, until: asked + this.milliseconds });
    return taken;
  }
}

/** How the names of all processes of a place end. */
function endOf(worker: Worker | undefined): string {
  return worker?.place === undefined ? '' : `@${worker.place}`;
}

type Row = Readonly<Record<'shard' | 'epoch', number>>;

/** How long a save waits for a row that another program has locked, in ms, at most. */
const longestLock = 1000;

/**
 * Limits of the connections that save. While a save waits for a lock, others that need what it has locked wait for it.
 * @param lease ms that a lease is good for without being renewed
 */
export function limitsOfSaves(lease: number): Pick<DatabaseOptions, 'lockMilliseconds'> {
  return { lockMilliseconds: Math.min(longestLock, Math.round(lease / 10)) };
}

/**
 * Limits of the connections that renew leases. Two renewals that get no answer leave time for a third one before the lease ends.
 * @param lease ms that a lease is good for without being renewed
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
