import type { Log, Storage } from '@azimuth/device';
import { asideName, countersDocument, inPieces, secretDocuments } from '@azimuth/device/documents';
import { SealBroken, type Sealing } from '../../sealing.js';
import type { Database, Row, Statement } from '../database.js';
import type { Lease } from '../leases/leases.js';
import { fence, NotTheOwner, nextNumber } from './fence.js';
import { filePieces, removeOldFiles, sendPieces } from './files.js';

/** Shared by the storages of all scanners. */
export interface Shared {
  readonly database: Database;
  readonly owner: string;
  readonly log: Log;
  /** Time during which a statement waits for a database that does not respond, in ms. */
  readonly patience: number;
  readonly isActive: (name: string, content: Uint8Array) => boolean | undefined;
  readonly sealing: Sealing;
  /** Called after a document of a scanner was stored. */
  readonly stored: (serial: string, name: string, content: Uint8Array) => void;
  /** Called after each attempt to save. */
  readonly saved: (isSaved: boolean) => void;
  /** Running changes of all scanners. */
  readonly underWay: Set<Promise<unknown>>;
}

/** Documents that are accepted only if they are sealed. */
const mustBeSecret: ReadonlySet<string> = new Set(Object.values(secretDocuments));

const read: Statement = {
  name: 'azimuth-read',
  text: `SELECT d.content, d.secret, d.file, f.pieces FROM azimuth.documents d
    LEFT JOIN azimuth.files f ON f.file = d.file WHERE d.serial = $1 AND d.name = $2`,
};

const anyRow: Statement = {
  name: 'azimuth-any-document',
  text: 'SELECT name FROM azimuth.documents WHERE serial = $1 LIMIT 1',
};

/**
 * True for a newer statement. An older one that arrives late changes nothing. A repeated one changes nothing either: its
 * response was lost.
 */
const isNewer = '(d.epoch, d.number) < (excluded.epoch, excluded.number)';

/** A row of a later owner is never older than a save. The save is refused, not silently ignored. */
const unlessLater = `WHERE NOT EXISTS (SELECT FROM azimuth.documents later
      WHERE later.serial = fence.serial AND later.name = $5 AND later.epoch > fence.epoch)`;

/** @param extra a further change by the statement, if this process is the owner */
function writing(name: string, extra = ''): Statement {
  return {
    name,
    text: `WITH ${fence}, saved AS (
      INSERT INTO azimuth.documents AS d (serial, name, content, secret, is_active, epoch, number)
      SELECT serial, $5, $6::bytea, $7, $8, epoch, $4::bigint FROM fence
      ON CONFLICT (serial, name) DO UPDATE SET content = excluded.content, file = NULL, secret = excluded.secret,
        is_active = excluded.is_active, epoch = excluded.epoch, number = excluded.number, written_at = clock_timestamp()
      WHERE ${isNewer}
    )${extra}
    SELECT epoch FROM fence ${unlessLater}`,
  };
}

const write = writing('azimuth-write');

/** The counters contain the power-ons counted before this statement. */
const writeCounters = writing(
  'azimuth-write-counters',
  `, counted AS (
      UPDATE azimuth.power_ons p SET count = 0, epoch = fence.epoch, number = $4::bigint FROM fence
      WHERE p.serial = fence.serial AND (p.epoch, p.number) < (fence.epoch, $4::bigint)
    )`,
);

/** Empties the row but does not remove it, so that no older statement brings the document back. */
const remove: Statement = {
  name: 'azimuth-remove',
  text: `WITH ${fence}, replaced AS (
      UPDATE azimuth.files f SET touched_at = clock_timestamp()
      FROM fence JOIN azimuth.documents d ON d.serial = fence.serial WHERE d.name = $5 AND f.file = d.file
    ), removed AS (
      INSERT INTO azimuth.documents AS d (serial, name, epoch, number)
      SELECT serial, $5, epoch, $4::bigint FROM fence
      ON CONFLICT (serial, name) DO UPDATE SET content = NULL, file = NULL, is_active = NULL,
        epoch = excluded.epoch, number = excluded.number, written_at = clock_timestamp()
      WHERE ${isNewer}
    )
    SELECT epoch FROM fence ${unlessLater}`,
};

const setAside: Statement = {
  name: 'azimuth-set-aside',
  text: `WITH ${fence}, moved AS (
      INSERT INTO azimuth.documents (serial, name, content, file, secret, epoch, number)
      SELECT d.serial, $6, d.content, d.file, d.secret, fence.epoch, $4::bigint
      FROM azimuth.documents d JOIN fence ON d.serial = fence.serial WHERE d.name = $5
      ON CONFLICT DO NOTHING
    ), removed AS (
      UPDATE azimuth.documents d SET content = NULL, file = NULL, is_active = NULL, epoch = fence.epoch,
        number = $4::bigint, written_at = clock_timestamp()
      FROM fence WHERE d.serial = fence.serial AND d.name = $5 AND (d.epoch, d.number) < (fence.epoch, $4::bigint)
    )
    SELECT epoch FROM fence`,
};

/** Makes a file count. All its pieces are stored already. */
const completeFile: Statement = {
  name: 'azimuth-complete-file',
  text: `WITH ${fence}, whole AS (
      UPDATE azimuth.files f SET pieces = $7::integer, touched_at = clock_timestamp() FROM fence
      WHERE f.file = $6::bigint AND (SELECT count(*) FROM azimuth.pieces p WHERE p.file = $6::bigint) = $7::integer
      RETURNING f.file, fence.serial, fence.epoch
    ), replaced AS (
      UPDATE azimuth.files f SET touched_at = clock_timestamp()
      FROM whole JOIN azimuth.documents d ON d.serial = whole.serial
      WHERE d.name = $5 AND f.file = d.file AND f.file <> whole.file
    ), saved AS (
      INSERT INTO azimuth.documents AS d (serial, name, file, epoch, number)
      SELECT serial, $5, file, epoch, $4::bigint FROM whole
      ON CONFLICT (serial, name) DO UPDATE SET content = NULL, file = excluded.file, secret = false, is_active = NULL,
        epoch = excluded.epoch, number = excluded.number, written_at = clock_timestamp()
      WHERE ${isNewer}
    )
    SELECT fence.epoch, whole.file FROM fence LEFT JOIN whole ON true ${unlessLater}`,
};

interface Stored extends Row {
  readonly content: Buffer | null;
  readonly secret: boolean;
  readonly file: string | null;
  readonly pieces: number | null;
}

/**
 * The stored data of one scanner, in rows of a database. Each change is one statement. It changes nothing if this process is
 * no longer the owner of the scanner.
 */
export class DatabaseStorage implements Storage {
  readonly #shared: Shared;
  readonly #serial: string;
  readonly #lease: Lease | undefined;
  readonly #underWay = new Set<Promise<unknown>>();
  #closed = false;

  /** @param lease undefined if this process may only read */
  constructor(shared: Shared, serial: string, lease: Lease | undefined) {
    this.#shared = shared;
    this.#serial = serial;
    this.#lease = lease;
  }

  /** @throws DatabaseUnavailable, SealBroken */
  async read(name: string): Promise<Uint8Array | undefined> {
    const stored = await this.#stored(name);
    if (stored === undefined) return undefined;
    if (stored.content !== null) return this.#opened(name, stored.content, stored.secret);
    const pieces: Uint8Array[] = [];
    for await (const piece of this.#fileOf(stored)) pieces.push(piece);
    return Buffer.concat(pieces);
  }

  /** @throws NotTheOwner, DatabaseUnavailable */
  async write(name: string, content: Uint8Array, { secret = false } = {}): Promise<void> {
    const { sealing, isActive, stored } = this.#shared;
    await this.#change(name === countersDocument ? writeCounters : write, name, [
      secret ? sealing.seal(this.#serial, name, content) : bufferOf(content),
      secret,
      isActive(name, content) ?? null,
    ]);
    stored(this.#serial, name, content);
  }

  /** @throws NotTheOwner, DatabaseUnavailable, and the errors of `pieces` */
  receive(name: string, pieces: AsyncIterable<Uint8Array>): Promise<void> {
    return this.#whileOpen(name, async () => {
      const { database, log } = this.#shared;
      const { epoch } = this.#ownedBy(name);
      const received = await sendPieces(this.#shared, { serial: this.#serial, epoch, name }, pieces);
      const row = await this.#run<{ file: string | null }>(completeFile, name, [
        received.file,
        received.pieces,
      ]);
      if (row.file === null) throw new Error(`${name} did not come in time: its first pieces were removed`);
      // The new file is stored. If the removal of old files fails, the next call removes them.
      await database
        .query(removeOldFiles)
        .catch((error: unknown) => log.warn('Old files could not be removed', { reason: String(error) }));
    });
  }

  /** @throws DatabaseUnavailable, SealBroken */
  async pieces(name: string): Promise<AsyncIterable<Uint8Array> | undefined> {
    const stored = await this.#stored(name);
    if (stored === undefined) return undefined;
    if (stored.content === null) return this.#fileOf(stored);
    return inPieces(this.#opened(name, stored.content, stored.secret));
  }

  /** @throws NotTheOwner, DatabaseUnavailable */
  async remove(name: string): Promise<void> {
    await this.#change(remove, name, []);
  }

  /** @throws NotTheOwner, DatabaseUnavailable */
  async setAside(name: string): Promise<string> {
    const aside = `${asideName(name)}-${nextNumber()}`;
    await this.#change(setAside, name, [aside]);
    return aside;
  }

  /** True if it has rows, also rows of removed documents. @throws DatabaseUnavailable */
  async isUsed(): Promise<boolean> {
    const { database, patience } = this.#shared;
    const rows = await database.query(anyRow, [this.#serial], { repeatFor: patience });
    return rows.length > 0;
  }

  /** Waits for running statements. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.allSettled(this.#underWay);
  }

  async #change(statement: Statement, name: string, values: readonly unknown[]): Promise<void> {
    await this.#whileOpen(name, () => this.#run(statement, name, values));
  }

  /** @throws NotTheOwner if the statement shows that this process is not the owner */
  async #run<R extends Row>(statement: Statement, name: string, values: readonly unknown[]): Promise<R> {
    const { database, owner, patience, saved } = this.#shared;
    const { epoch } = this.#ownedBy(name);
    let row: R | undefined;
    try {
      const given = [owner, this.#serial, epoch, nextNumber(), name, ...values];
      [row] = await database.query<R>(statement, given, { repeatFor: patience });
    } finally {
      saved(row !== undefined);
    }
    if (row === undefined) throw new NotTheOwner([this.#serial], name);
    return row;
  }

  #ownedBy(name: string): Lease {
    if (this.#lease === undefined) throw new NotTheOwner([this.#serial], name);
    return this.#lease;
  }

  async #whileOpen<T>(name: string, act: () => Promise<T>): Promise<T> {
    if (this.#closed) throw new Error(`the scanner ${this.#serial} is off: ${name} is no longer written`);
    const acting = act();
    const lists = [this.#underWay, this.#shared.underWay];
    for (const list of lists) list.add(acting);
    try {
      return await acting;
    } finally {
      for (const list of lists) list.delete(acting);
    }
  }

  async #stored(name: string): Promise<Stored | undefined> {
    const { database, patience } = this.#shared;
    const [row] = await database.query<Stored>(read, [this.#serial, name], { repeatFor: patience });
    if (row === undefined || (row.content === null && row.file === null)) return undefined;
    // A program that may write rows could mark a row of its own as not secret.
    if (!row.secret && mustBeSecret.has(name)) throw new SealBroken(this.#serial, name);
    return row;
  }

  #fileOf({ file, pieces }: Stored): AsyncIterable<Uint8Array> {
    const { database, patience } = this.#shared;
    if (file === null || pieces === null) throw new Error(`the pieces of a file of ${this.#serial} are gone`);
    return filePieces(database, file, pieces, patience);
  }

  #opened(name: string, content: Buffer, secret: boolean): Buffer {
    return secret ? this.#shared.sealing.open(this.#serial, name, content) : content;
  }
}

/** Returns a Buffer. The client library sends other arrays of bytes as lists of numbers. */
function bufferOf(content: Uint8Array): Buffer {
  return Buffer.from(content.buffer, content.byteOffset, content.byteLength);
}
