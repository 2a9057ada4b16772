import type { Log, Storage } from '@azimuth/device';
import {
  checkKeysAtStart,
  type Database,
  type DatabaseStorage,
  DatabaseStore,
  Leases,
  OutageLog,
} from '../database/index.js';
import type { DeploymentKeys } from '../deployment-keys.js';
import { LeaseKeeper } from './lease-keeper.js';

export interface StandaloneStorageOptions {
  readonly database: Database;
  /** The database with a connection of its own, so that the lease never waits behind saves. */
  readonly forLease: Database;
  readonly serial: string;
  /** The keys of the deployment: they seal secret documents. */
  readonly keys: DeploymentKeys;
  readonly log: Log;
  /** ms from a renewal to the end of the lease. */
  readonly leaseMilliseconds: number;
  /** Called once when another process may run the scanner: this one must end. */
  readonly lost: (why: string) => void;
}

/**
 * The storage in a database of one standalone scanner. Only one process at a time has it. Closing it hands the scanner over.
 */
export class StandaloneStorage implements Storage {
  readonly #options: StandaloneStorageOptions;
  readonly #leases: Leases;
  readonly #keeper: LeaseKeeper;
  readonly #outages: OutageLog;
  readonly #storage: DatabaseStorage;
  #isOver = false;

  private constructor(options: StandaloneStorageOptions, leases: Leases, storage: DatabaseStorage) {
    this.#options = options;
    this.#leases = leases;
    this.#storage = storage;
    this.#outages = new OutageLog(options.log);
    this.#keeper = new LeaseKeeper({
      leases,
      outages: this.#outages,
      lost: (_, why) => this.#lose(why),
    });
    this.#keeper.start();
  }

  /** @throws ScannerInUse if another process has it, or a fleet; KeyMismatch, DatabaseUnavailable */
  static async open(options: StandaloneStorageOptions): Promise<StandaloneStorage> {
    const { database, forLease, serial, keys, log, leaseMilliseconds: milliseconds } = options;
    await checkKeysAtStart(database, keys, log);
    const leases = new Leases(forLease, { milliseconds });
    const { shard } = await leases.acquireStandalone(serial);
    const store = new DatabaseStore({
      database,
      owner: leases.owner,
      leaseOf: () => leases.of(shard),
      keys,
      log,
    });
    return new StandaloneStorage(options, leases, store.storageOf(serial));
  }

  read(name: string): Promise<Uint8Array | undefined> {
    return this.#storage.read(name);
  }

  write(name: string, content: Uint8Array, options?: { readonly secret?: boolean }): Promise<void> {
    return this.#storage.write(name, content, options);
  }

  receive(name: string, pieces: AsyncIterable<Uint8Array>): Promise<void> {
    return this.#storage.receive(name, pieces);
  }

  pieces(name: string): Promise<AsyncIterable<Uint8Array> | undefined> {
    return this.#storage.pieces(name);
  }

  remove(name: string): Promise<void> {
    return this.#storage.remove(name);
  }

  setAside(name: string): Promise<string> {
    return this.#storage.setAside(name);
  }

  isUsed(): Promise<boolean> {
    return this.#storage.isUsed();
  }

  async close(): Promise<void> {
    this.#isOver = true;
    // The lease is renewed until the last save has ended.
    await this.#storage.close();
    await this.#keeper.close();
    await this.#leases
      .leave()
      .catch((error: unknown) => this.#outages.failed(error, 'The lease could not be given back'));
    await Promise.all([this.#options.database.close(), this.#options.forLease.close()]);
  }

  #lose(why: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#options.lost(`${why}, and another process may run this scanner`);
  }
}
