import type { Database } from '@azimuth/fleet/database';
import type { LogEntry } from '../log-entry.js';
import type { LogQuery } from '../log-store.js';
import { matcherOf } from '../matching-entries.js';
import { type EntryRow, entryColumns, entryOfRow } from './entry-rows.js';

/** Rows that are fetched at once. */
const page = 1000;

/** The condition of every statement. A monitor reads its own entries, and those of commands. */
const wanted = `at >= to_timestamp($1::float8 / 1000) AND at <= to_timestamp($2::float8 / 1000)
  AND ($3::text[] IS NULL OR kind = ANY($3)) AND ($4::text IS NULL OR monitor IN ($4, ''))`;

const statements = {
  now: {
    name: 'azimuth-log-now',
    text: 'SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS oldest',
  },
  forwards: {
    name: 'azimuth-log-forwards',
    text: `SELECT ${entryColumns} FROM azimuth_log.entries WHERE ${wanted}
      AND (at, number) > ($5::timestamptz, $6::bigint) ORDER BY at, number LIMIT ${page}`,
  },
  backwards: {
    name: 'azimuth-log-backwards',
    text: `SELECT ${entryColumns} FROM azimuth_log.entries WHERE ${wanted}
      AND (at, number) < ($5::timestamptz, $6::bigint) ORDER BY at DESC, number DESC LIMIT ${page}`,
  },
  since: {
    name: 'azimuth-log-since',
    text: `SELECT ${entryColumns} FROM azimuth_log.entries WHERE ${wanted}
      AND (transaction, number) > ($5::text::xid8, $6::bigint) ORDER BY transaction, number LIMIT ${page}`,
  },
};

/** Places before the first row, and behind the last one. */
const ends = { forwards: ['-infinity', '-1'], backwards: ['infinity', '9223372036854775807'] } as const;

/** Reads the log in a database. Each call of `next` yields what has come since the one before. */
export class DatabaseReader {
  readonly #database: Pick<Database, 'query'>;
  readonly #monitor: string | undefined;
  /** No transaction before this one can still add an entry. Undefined before the first call. */
  #oldest: bigint | undefined;
  /** Rows that were read of this transaction and later ones, with their transactions. */
  #read = new Map<string, bigint>();

  /** @param monitor only entries of this monitor and of commands; those of all monitors by default */
  constructor(database: Pick<Database, 'query'>, monitor?: string) {
    this.#database = database;
    this.#monitor = monitor;
  }

  /**
   * Yields the entries that a query wants, by their times; after the first call, in the order in which they were stored.
   * @throws DatabaseUnavailable, DatabaseRefused
   */
  async *next(query: LogQuery): AsyncGenerator<LogEntry> {
    const before = this.#oldest;
    const [now] = await this.#database.query<{ oldest: string }>(statements.now);
    this.#oldest = BigInt(now?.oldest ?? 0);
    if (before !== undefined) yield* this.#since(before, query);
    else if (query.limit === undefined) yield* this.#forwards(query);
    else yield* await this.#last(query, query.limit);
    for (const [number, transaction] of this.#read) if (transaction < this.#oldest) this.#read.delete(number);
  }

  async *#forwards(query: LogQuery): AsyncGenerator<LogEntry> {
    const matches = matcherOf(query);
    for await (const rows of this.#pages('forwards', query)) {
      for (const row of rows) {
        const entry = entryOfRow(row);
        if (entry !== undefined && matches(entry)) yield entry;
      }
    }
  }

  async #last(query: LogQuery, limit: number): Promise<readonly LogEntry[]> {
    const matches = matcherOf(query);
    const found: LogEntry[] = [];
    for await (const rows of this.#pages('backwards', query)) {
      for (const row of rows) {
        if (found.length >= limit) return found.reverse();
        const entry = entryOfRow(row);
        if (entry !== undefined && matches(entry)) found.push(entry);
      }
    }
    return found.reverse();
  }

  async *#since(oldest: bigint, query: LogQuery): AsyncGenerator<LogEntry> {
    const matches = matcherOf(query);
    for (let last: readonly string[] = [String(oldest), '-1']; ; ) {
      const rows = await this.#database.query<EntryRow>(statements.since, [...this.#filter(query), ...last]);
      for (const row of rows) {
        last = [row.transaction, row.number];
        if (this.#read.has(row.number)) continue;
        this.#remember(row);
        const entry = entryOfRow(row);
        if (entry !== undefined && matches(entry)) yield entry;
      }
      if (rows.length < page) return;
    }
  }

  /** Yields all rows in pages. */
  async *#pages(direction: keyof typeof ends, query: LogQuery): AsyncGenerator<readonly EntryRow[]> {
    const filter = this.#filter(query);
    for (let behind: readonly string[] = ends[direction]; ; ) {
      const rows = await this.#database.query<EntryRow>(statements[direction], [...filter, ...behind]);
      for (const row of rows) this.#remember(row);
      yield rows;
      const last = rows.at(-1);
      if (last === undefined || rows.length < page) return;
      behind = [last.time, last.number];
    }
  }

  /** The next call may find a row of a running transaction again. */
  #remember({ number, transaction }: EntryRow): void {
    const id = BigInt(transaction);
    if (this.#oldest !== undefined && id >= this.#oldest) this.#read.set(number, id);
  }

  #filter({ since, until, kinds, parameter, condition }: LogQuery): readonly unknown[] {
    const possible = [
      kinds,
      parameter === undefined ? undefined : ['parameter', 'command'],
      condition === undefined ? undefined : ['condition'],
    ].filter((list) => list !== undefined);
    const [first, ...others] = possible;
    const common = first?.filter((kind) => others.every((list) => list.some((each) => each === kind)));
    return [since ?? '-Infinity', until ?? 'Infinity', common ?? null, this.#monitor ?? null];
  }
}
