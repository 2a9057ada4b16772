import type { Log, Storage } from '@azimuth/device';
import { type Database, DatabaseStore, Leases } from '../database/index.js';

export interface LoneStorageOptions {
  readonly database: Database;
  readonly serial: string;
  /** The key of the deployment: it seals secret documents. */
  readonly key: string;
  readonly log: Log;
  /** ms that the lease is good for without being renewed; by default, 10,000. */
  readonly leaseMilliseconds?: number;
  /** Called once when another process may run the scanner: this one must end. */
  readonly lost: (why: string) => void;
}

/** Part of the time of the lease after which it is renewed. */
const renewAfter = 1 / 4;

/**
 * The storage in a database of one scanner that is run without a fleet. Only one process at a time has it: closing it hands the
 * scanner over.
 */
export class LoneStorage implements Storage {
  readonly #options: LoneStorageOptions;
  readonly #leases: Leases;
  readonly #storage: Storage;
  readonly #renewing: NodeJS.Timeout;
  #isAway = false;
  #isClosed = false;

  private constructor(options: LoneStorageOptions, leases: Leases, storage: Storage) {
    this.#options = options;
    this.#leases = leases;
    this.#storage = storage;
    this.#renewing = setInterval(() => void this.#renew(), leases.milliseconds * renewAfter);
  }

  /** @throws ScannerInUse if another process has it, or a fleet; DatabaseAway */
  static async open(options: LoneStorageOptions): Promise<LoneStorage> {
    const { database, serial, key, log, leaseMilliseconds: milliseconds } = options;
    const leases = new Leases(database, milliseconds === undefined ? {} : { milliseconds });
    const { shard } = await leases.takeAlone(serial);
    const store = new DatabaseStore({
      database,
      owner: leases.owner,
      leaseOf: () => leases.of(shard),
      key,
      log,
    });
    return new LoneStorage(options, leases, store.unit(serial));
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

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#renewing);
    await this.#storage.close();
    await this.#leases.leave().catch((error: unknown) => this.#noteAway(error));
    await this.#options.database.close();
  }

  async #renew(): Promise<void> {
    try {
      if ((await this.#leases.renew()).length > 0) this.#lose('another process runs this scanner now');
      this.#isAway = false;
    } catch (error) {
      this.#noteAway(error);
    }
    if ((this.#leases.remaining ?? 0) <= 0)
      this.#lose('its lease could not be renewed in time, and another process may run this scanner');
  }

  #lose(why: string): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearInterval(this.#renewing);
    this.#options.lost(why);
  }

  #noteAway(error: unknown): void {
    if (!this.#isAway) this.#options.log.error('The database does not answer', { reason: String(error) });
    this.#isAway = true;
  }
}
