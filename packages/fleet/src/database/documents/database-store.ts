import {
  countersDocument,
  firmwareDocument,
  type Log,
  parametersDocument,
  releaseIn,
  secretDocuments,
} from '@azimuth/device';
import type { Release } from '@azimuth/model';
import type { DeploymentKeys } from '../../deployment-keys.js';
import type { ScannerStore } from '../../scanners/scanner-store.js';
import { isSending } from '../../scanners/scanner-store.js';
import type { Database, Statement } from '../database.js';
import type { Lease } from '../leases/leases.js';
import { DatabaseStorage, type Shared } from './database-storage.js';
import { fenceOfMany, NotTheOwner, nextNumber } from './fence.js';
import { Sealing } from './sealing.js';

export interface DatabaseStoreOptions {
  readonly database: Database;
  /** Names this process, as its leases do. */
  readonly owner: string;
  /** The lease with which a scanner is saved, by {@link leaseOfScanner}; undefined if this process does not have it. */
  readonly leaseOf: (serial: string) => Lease | undefined;
  /** They seal secret documents, and are the same for all workers. */
  readonly keys: DeploymentKeys;
  readonly log: Log;
  /** For how long a save waits for a database that is away, in ms; by default, 3,000. */
  readonly patience?: number | undefined;
}

/**
 * A power-on that was counted already by the same statement, which is run once more, is not counted again. Numbers of statements
 * tell an order within one epoch only: those of another process may be higher.
 */
const powerOn: Statement = {
  name: 'azimuth-power-on',
  text: `WITH ${fenceOfMany}
    INSERT INTO azimuth.power_ons AS p (serial, count, epoch, number)
    SELECT serial, 1, epoch, $4::bigint FROM fence
    ON CONFLICT (serial) DO UPDATE SET
      count = p.count + CASE WHEN (p.epoch, p.number) < (excluded.epoch, excluded.number) THEN 1 ELSE 0 END,
      epoch = excluded.epoch,
      number = CASE WHEN p.epoch = excluded.epoch THEN greatest(p.number, excluded.number) ELSE excluded.number END
    RETURNING serial, count`,
};

const atPowerOn: Statement = {
  name: 'azimuth-at-power-on',
  text: `SELECT serial, name, is_active, CASE WHEN name = '${firmwareDocument}' THEN content END AS firmware
    FROM azimuth.documents
    WHERE serial = ANY ($1::text[]) AND name = ANY ($2::text[]) AND content IS NOT NULL`,
};

/**
 * What the scanners of a fleet store, in a database. Each save is one statement that checks whether this process still is the
 * owner of the scanner. No content stays in memory.
 */
export class DatabaseStore implements ScannerStore {
  readonly #options: DatabaseStoreOptions;
  readonly #shared: Shared;
  #saves = 0;
  #refusedSaves = 0;
  /** Of scanners that have any. */
  readonly #powerOns = new Map<string, number>();
  /** Of scanners that have stored parameters when they are switched on. */
  readonly #sends = new Map<string, boolean>();
  /** Those that have stored certificates when they are switched on. */
  readonly #withCertificates = new Set<string>();
  /** The releases that they have stored. */
  readonly #releases = new Map<string, Release>();

  /** @throws RangeError if a key is too short */
  constructor(options: DatabaseStoreOptions) {
    const { database, owner, log, patience = 3000, keys } = options;
    this.#options = options;
    this.#shared = {
      database,
      owner,
      log,
      patience,
      isActive: (name, content) => (name === parametersDocument ? isSending(content) : undefined),
      sealing: new Sealing(keys),
      saved: (isSaved) => {
        if (isSaved) this.#saves++;
        else this.#refusedSaves++;
      },
      stored: (serial, name, content) => {
        if (name === countersDocument) this.#powerOns.delete(serial);
        if (name === firmwareDocument) this.#noteRelease(serial, content);
      },
      underWay: new Set(),
    };
  }

  /**
   * Counts that power was switched on at these scanners, as far as this process has their leases: a shard that is lost meanwhile
   * keeps no other one off.
   * @returns those that were counted
   * @throws NotTheOwner if this process has the lease of none of them, DatabaseAway
   */
  async powerOn(serials: readonly string[]): Promise<ReadonlySet<string>> {
    const { database, owner, leaseOf } = this.#options;
    if (serials.length === 0) return new Set();
    const epochs = new Map<string, number>();
    for (const serial of serials) {
      const lease = leaseOf(serial);
      if (lease !== undefined) epochs.set(serial, lease.epoch);
    }
    if (epochs.size === 0) throw new NotTheOwner(serials, 'a power-on');
    const owned = [...epochs.keys()];
    // First: if it fails, nothing is counted.
    await this.#lookWhatStarts(owned);
    const rows = await database.query<{ serial: string; count: number }>(
      powerOn,
      [owner, owned, [...epochs.values()], nextNumber()],
      { repeatFor: this.#shared.patience },
    );
    if (rows.length === 0) throw new NotTheOwner(owned, 'a power-on');
    for (const { serial, count } of rows) this.#powerOns.set(serial, count);
    return new Set(rows.map(({ serial }) => serial));
  }

  /** Changes of documents that the database has acknowledged. */
  get saves(): number {
    return this.#saves;
  }

  /** Those that it has not: it was away, or another process has the lease. */
  get refusedSaves(): number {
    return this.#refusedSaves;
  }

  /** Power-ons of a scanner that its operating counters do not contain, as far as this process has counted one. */
  powerOns(serial: string): number {
    return this.#powerOns.get(serial) ?? 0;
  }

  /**
   * What one scanner stores. It saves with the lease that this process has now: when that has ended, it never saves again,
   * even if this process gets another one.
   */
  storageOf(serial: string): DatabaseStorage {
    return new DatabaseStorage(this.#shared, serial, this.#options.leaseOf(serial));
  }

  /** One statement for all, without their documents. */
  async #lookWhatStarts(serials: readonly string[]): Promise<void> {
    const rows = await this.#options.database.query<{
      serial: string;
      name: string;
      is_active: boolean | null;
      firmware: Buffer | null;
    }>(atPowerOn, [serials, [parametersDocument, secretDocuments.certificates, firmwareDocument]], {
      repeatFor: this.#shared.patience,
    });
    for (const { serial, name, is_active: isActive, firmware } of rows) {
      if (firmware !== null) this.#noteRelease(serial, firmware);
      if (name === parametersDocument) this.#sends.set(serial, isActive === true);
      if (name === secretDocuments.certificates) this.#withCertificates.add(serial);
    }
  }

  #noteRelease(serial: string, firmware: Uint8Array): void {
    const release = releaseIn(firmware);
    if (release !== undefined) this.#releases.set(serial, release);
  }

  hasCertificates(serial: string): boolean {
    return this.#withCertificates.has(serial);
  }

  release(serial: string): Release | undefined {
    return this.#releases.get(serial);
  }

  sendsFromPowerOn(serial: string): boolean | undefined {
    return this.#sends.get(serial);
  }

  /** Forgets what was counted of scanners that this process no longer has. */
  forget(serials: Iterable<string>): void {
    for (const serial of serials) {
      this.#powerOns.delete(serial);
      this.#sends.delete(serial);
      this.#withCertificates.delete(serial);
      this.#releases.delete(serial);
    }
  }

  /** Waits for saves that are under way. The database stays open: it is its owner's. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#shared.underWay);
  }
}
