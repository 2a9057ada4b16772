import { InterruptiblePause, pause } from '@azimuth/async';
import type { Log } from '@azimuth/device';
import type { Database, Statement } from '../database.js';
import { DatabaseUnavailable } from '../database-errors.js';

export type HistoryName = 'detections' | 'events';

/** An event of a scanner. */
export interface HistoryRow {
  readonly serial: string;
  readonly at: Date;
  readonly kind: string;
  /** Any value of JSON. */
  readonly data: unknown;
}

/** Selects a part of a history. */
export interface HistoryPart {
  readonly serial?: string;
  /** Start of the time range, included. */
  readonly from?: Date;
  /** End of the time range, excluded. */
  readonly to?: Date;
  /** Largest number of rows, from 1 to 10,000. The newest rows are returned. */
  readonly limit: number;
}

interface Numbered extends HistoryRow {
  readonly number: number;
}

interface HistoryOptions {
  readonly database: Database;
  readonly log: Log;
  /** Rows that may wait for the database; by default, 10,000. Further ones are dropped, and counted. */
  readonly waiting?: number | undefined;
}

/** Rows in one statement. */
const atOnce = 500;
/**
 * ms after the first waiting row until rows are written. If one statement is full, they are written at once. So the number of
 * statements of a worker does not grow with the saves of its scanners.
 */
const batchDelay = 2000;
/** ms between two attempts while the database does not respond. */
const retryPause = 500;
/** ms between two searches for rows that are too old. */
const removalInterval = 600_000;
const mostRead = 10_000;
/** Largest number of rows of each history that one statement removes. */
const mostRemoved = 10_000;

const append = (table: HistoryName): Statement => ({
  name: `azimuth-append-${table}`,
  text: `INSERT INTO azimuth.${table} (serial, at, number, kind, data)
    SELECT * FROM unnest($1::text[], $2::timestamptz[], $3::bigint[], $4::text[], $5::jsonb[])
    ON CONFLICT DO NOTHING`,
});

const select = (table: HistoryName): Statement => ({
  name: `azimuth-select-${table}`,
  text: `SELECT serial, at, kind, data FROM azimuth.${table}
    WHERE ($1::text IS NULL OR serial = $1) AND ($2::timestamptz IS NULL OR at >= $2)
      AND ($3::timestamptz IS NULL OR at < $3)
    ORDER BY at DESC, number DESC LIMIT $4`,
});

const removeOld: Statement = {
  name: 'azimuth-remove-old-history',
  text: 'SELECT azimuth.remove_old_history() AS removed',
};

const statements = {
  detections: { append: append('detections'), select: select('detections') },
  events: { append: append('events'), select: select('events') },
};

/** The history of all scanners, as rows that can be queried. Appending never waits. */
export class History {
  readonly #options: HistoryOptions;
  readonly #waiting: { readonly [name in HistoryName]: Numbered[] } = { detections: [], events: [] };
  readonly #ending = new AbortController();
  readonly #full = new InterruptiblePause();
  #writing: Promise<void> | undefined;
  /** True if the database did not respond at the last attempt. */
  #isUnavailable = false;
  #dropped = 0;
  #reported = 0;
  /** Number of the last row of this process. It starts with the time, so that rows of two processes differ. */
  #number = Date.now() * 1000;
  #removedAt = Number.NEGATIVE_INFINITY;

  constructor(options: HistoryOptions) {
    this.#options = options;
  }

  /** Number of rows that were dropped: the database did not respond for too long, or refused them. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Number of rows that wait for the database. */
  get waiting(): number {
    return this.#waiting.detections.length + this.#waiting.events.length;
  }

  append(name: HistoryName, rows: readonly HistoryRow[]): void {
    const room = Math.max(0, (this.#options.waiting ?? 10_000) - this.waiting);
    this.#drop(rows.length - room);
    for (const row of rows.slice(0, room)) this.#waiting[name].push({ ...row, number: this.#number++ });
    if (this.#waiting[name].length >= atOnce) this.#full.end();
    this.#start();
  }

  #start(): void {
    if (this.waiting === 0 || this.#ending.signal.aborted) return;
    this.#writing ??= this.#write().finally(() => {
      this.#writing = undefined;
      this.#start();
    });
  }

  /** Writes the waiting rows, unless the database does not respond. */
  async close(): Promise<void> {
    this.#ending.abort();
    this.#full.end();
    await this.#writing;
    // Rows may have come while old rows were removed.
    if (this.waiting > 0 && !this.#isUnavailable) await this.#write();
    this.#drop(this.waiting);
    this.#report();
  }

  async #write(): Promise<void> {
    if (!this.#ending.signal.aborted) await this.#full.wait(batchDelay);
    // If there are fewer rows than one statement can have, they wait for others, unless the history closes.
    do {
      try {
        await this.#writeSome('detections');
        await this.#writeSome('events');
        this.#isUnavailable = false;
        this.#report();
      } catch {
        this.#isUnavailable = true;
        if (this.#ending.signal.aborted) return;
        await pause(retryPause, this.#ending.signal, { keepsAlive: false });
      }
    } while (
      this.#isUnavailable ||
      this.waiting >= atOnce ||
      (this.#ending.signal.aborted && this.waiting > 0)
    );
    await this.#removeOld();
  }

  async #writeSome(name: HistoryName): Promise<void> {
    const waiting = this.#waiting[name];
    if (waiting.length === 0) return;
    const some = waiting.slice(0, atOnce);
    await this.#insert(name, some);
    waiting.splice(0, some.length);
  }

  /** Writes rows. Rows that the database refuses are dropped. @throws DatabaseUnavailable */
  async #insert(name: HistoryName, rows: readonly Numbered[]): Promise<void> {
    try {
      await this.#options.database.query(statements[name].append, [
        rows.map(({ serial }) => serial),
        rows.map(({ at }) => at),
        rows.map(({ number }) => number),
        rows.map(({ kind }) => kind),
        rows.map(({ data }) => JSON.stringify(data) ?? 'null'),
      ]);
    } catch (error) {
      if (error instanceof DatabaseUnavailable) throw error;
      if (rows.length === 1) this.#drop(1, error);
      else for (const row of rows) await this.#insert(name, [row]);
    }
  }

  #drop(count: number, reason?: unknown): void {
    if (count <= 0) return;
    this.#dropped += count;
    if (reason !== undefined)
      this.#options.log.warn('The database refuses a row of the history', { reason: String(reason) });
  }

  #report(): void {
    if (this.#dropped === this.#reported) return;
    this.#options.log.warn('Rows of the history were dropped', { rows: this.#dropped - this.#reported });
    this.#reported = this.#dropped;
  }

  async #removeOld(): Promise<void> {
    if (performance.now() - this.#removedAt < removalInterval) return;
    this.#removedAt = performance.now();
    try {
      // Repeats while more rows are left than one statement removes.
      while (!this.#ending.signal.aborted && (await removeOldHistory(this.#options.database)) >= mostRemoved);
    } catch (error) {
      this.#options.log.warn('Old history could not be removed', { reason: String(error) });
    }
  }
}

/**
 * Returns the newest rows of a history, the newest first.
 * @throws RangeError for a limit outside of 1 to 10,000; DatabaseUnavailable
 */
export async function readHistory(
  database: Database,
  name: HistoryName,
  { serial, from, to, limit }: HistoryPart,
): Promise<readonly HistoryRow[]> {
  if (!Number.isInteger(limit) || limit < 1 || limit > mostRead)
    throw new RangeError(`the limit of a history is 1 to ${mostRead}, not ${limit}`);
  return database.query<{ serial: string; at: Date; kind: string; data: unknown }>(statements[name].select, [
    serial ?? null,
    from ?? null,
    to ?? null,
    limit,
  ]);
}

/**
 * Removes rows that are older than the setting in the database, at most 10,000 of each history.
 * @returns the number of removed rows
 */
export async function removeOldHistory(database: Database): Promise<number> {
  const [row] = await database.query<{ removed: number }>(removeOld);
  return row?.removed ?? 0;
}
