import type { Log } from '@azimuth/device';
import {
  countersDocument,
  firmwareDocument,
  parametersDocument,
  releaseIn,
  secretDocuments,
} from '@azimuth/device/documents';
import type { Release } from '@azimuth/model';
import type { DeploymentKeys } from '../../deployment-keys.js';
import type { ScannerStore } from '../../scanners/scanner-store.js';
import { isSendingAsWritten } from '../../scanners/scanner-store.js';
import { Sealing } from '../../sealing.js';
import type { Database, Statement } from '../database.js';
import type { Lease } from '../leases/leases.js';
import { DatabaseStorage, type Shared } from './database-storage.js';
import { fenceOfMany, NotTheOwner, nextNumber } from './fence.js';

export interface DatabaseStoreOptions {
  readonly database: Database;
  /** The name of this process, as in its leases. */
  readonly owner: string;
  /** Returns the lease with which a scanner is saved, by {@link leaseOfScanner}; undefined if this process does not have it. */
  readonly leaseOf: (serial: string) => Lease | undefined;
  /** Keys that seal secret documents. They are the same for all workers. */
  readonly keys: DeploymentKeys;
  readonly log: Log;
  /** Time during which a save waits for a database that does not respond, in ms; by default, 3,000. */
  readonly patience?: number | undefined;
}

/**
 * Counts power-ons. If the statement is repeated, it does not count them again. Numbers of statements are in order within one
 * epoch only: another process may have higher ones.
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
 * The stored data of the scanners of a fleet, in a database. Each save is one statement that checks whether this process is
 * still the owner of the scanner. No content stays in memory.
 */
export class DatabaseStore implements ScannerStore {
  readonly #options: DatabaseStoreOptions;
  readonly #shared: Shared;
  #saves = 0;
  #refusedSaves = 0;
  /** Power-ons by serial number, only of scanners that have any. */
  readonly #powerOns = new Map<string, number>();
  /** Scanners with stored parameters at power-on: true if they send. */
  readonly #sends = new Map<string, boolean>();
  /** Scanners with stored certificates at power-on. */
  readonly #withCertificates = new Set<string>();
  /** The stored releases of scanners. */
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
      isActive: (name, content) => (name === parametersDocument ? isSendingAsWritten(content) : undefined),
      sealing: new Sealing(keys),
      saved: (isSaved) => {
        if (isSaved) this.#saves++;
        else this.#refusedSaves++;
      },
      stored: (serial, name, content) => {
        if (name === countersDocument) this.#powerOns.delete(serial);
        if (name === firmwareDocument) this.#recordRelease(serial, content);
      },
      underWay: new Set(),
    };
  }

  /**
   * Counts a power-on of these scanners. It counts only scanners whose leases this process has: a lost shard does not stop
   * the others.
   * @returns the counted scanners
   * @throws NotTheOwner if this process has the lease of none of them, DatabaseUnavailable
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
    await this.#readStartFacts(owned);
    const rows = await database.query<{ serial: string; count: number }>(
      powerOn,
      [owner, owned, [...epochs.values()], nextNumber()],
      { repeatFor: this.#shared.patience },
    );
    if (rows.length === 0) throw new NotTheOwner(owned, 'a power-on');
    for (const { serial, count } of rows) this.#powerOns.set(serial, count);
    return new Set(rows.map(({ serial }) => serial));
  }

  /** Number of changes of documents that the database has acknowledged. */
  get saves(): number {
    return this.#saves;
  }

  /** Number of changes that failed: the database did not respond, or another process has the lease. */
  get refusedSaves(): number {
    return this.#refusedSaves;
  }

  /** Returns the power-ons of a scanner that its operating counters do not contain, as far as this process has counted them. */
  powerOns(serial: string): number {
    return this.#powerOns.get(serial) ?? 0;
  }

  /**
   * Returns the storage of one scanner. It saves with the lease that this process has now. If this lease ends, the storage
   * never saves again, even if this process gets another lease.
   */
  storageOf(serial: string): DatabaseStorage {
    return new DatabaseStorage(this.#shared, serial, this.#options.leaseOf(serial));
  }

  /** Reads what starts at power-on, in one statement for all scanners. It reads no documents. */
  async #readStartFacts(serials: readonly string[]): Promise<void> {
    const rows = await this.#options.database.query<{
      serial: string;
      name: string;
      is_active: boolean | null;
      firmware: Buffer | null;
    }>(atPowerOn, [serials, [parametersDocument, secretDocuments.certificates, firmwareDocument]], {
      repeatFor: this.#shared.patience,
    });
    for (const { serial, name, is_active: isActive, firmware } of rows) {
      if (firmware !== null) this.#recordRelease(serial, firmware);
      if (name === parametersDocument) this.#sends.set(serial, isActive === true);
      if (name === secretDocuments.certificates) this.#withCertificates.add(serial);
    }
  }

  #recordRelease(serial: string, firmware: Uint8Array): void {
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

  /** Forgets the counts of scanners that this process no longer has. */
  forget(serials: Iterable<string>): void {
    for (const serial of serials) {
      this.#powerOns.delete(serial);
      this.#sends.delete(serial);
      this.#withCertificates.delete(serial);
      this.#releases.delete(serial);
    }
  }

  /** Waits for running saves. The database stays open: the caller owns it. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#shared.underWay);
  }
}
