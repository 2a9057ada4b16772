import { pause } from '@azimuth/async';
import type { Log } from '@azimuth/device';
import { Client, type ClientBase, Pool, type PoolConfig, type QueryResult } from 'pg';
import {
  DatabaseUnavailable,
  isSilence,
  isWorthRepeating,
  meaningOf,
  pauseBeforeAttempt,
} from './database-errors.js';
import { Listening } from './listening.js';

/** The location of a database, without user and password. For errors and logs. */
interface DatabaseLocation {
  readonly host: string;
  readonly port: number;
  readonly database: string;
}

/** Shown in place of a URL that is not valid. The URL is not repeated: it may contain a password. */
const expected =
  'postgres://USER@HOST:PORT/DATABASE, with the password in the environment variable PGPASSWORD';

/** Thrown if the URL of a database cannot be used. */
export class BadDatabaseUrl extends Error {
  override readonly name = 'BadDatabaseUrl';
}

/**
 * Returns the location that a URL names. Missing parts come from the environment, as with all programs of PostgreSQL.
 * @throws BadDatabaseUrl, which never contains the URL
 */
function locationOf(url: string): DatabaseLocation {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || !/^postgres(ql)?:$/.test(parsed.protocol))
    throw new BadDatabaseUrl(`The URL of the database cannot be read: expected ${expected}`);
  const { PGHOST = 'localhost', PGPORT = '5432', PGDATABASE, PGUSER } = process.env;
  return {
    // The folder of a socket is given as `?host=/run/postgresql`.
    host: parsed.searchParams.get('host') ?? (parsed.hostname || PGHOST),
    port: Number(parsed.port || PGPORT),
    database: decoded(parsed.pathname.slice(1)) || PGDATABASE || decoded(parsed.username) || PGUSER || '',
  };
}

function nameOf({ host, port, database }: DatabaseLocation): string {
  return `The database ${database === '' ? '' : `${database} `}at ${host}:${port}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new BadDatabaseUrl(`The URL of the database has a part with a wrong % sign: expected ${expected}`);
  }
}

/** A statement that the server prepares once for each connection. Two statements never share a name. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

export interface DatabaseOptions {
  /** `postgres://…` */
  readonly url: string;
  readonly log: Log;
  /** The name of the program in the lists of the server. */
  readonly program: string;
  /** Largest number of connections, without the one that listens; by default, 16. */
  readonly connections?: number | undefined;
  /** Statements that may wait for a connection; by default, 5,000. Further ones fail at once. */
  readonly waiting?: number | undefined;
  /** Longest wait of a statement for a connection, in ms; by default, 3,000. */
  readonly connectMilliseconds?: number | undefined;
  /** Longest time of a statement on the server, in ms; by default, 10,000. */
  readonly statementMilliseconds?: number | undefined;
  /** Further ms until the client gives up, because the server does not respond. By default, 2,000. */
  readonly graceMilliseconds?: number | undefined;
  /** Longest wait of a statement for a row that others have locked, in ms; by default, the longest time of a statement. */
  readonly lockMilliseconds?: number | undefined;
}

interface Repeating {
  /**
   * Time during which the statement is repeated if the database does not respond, in ms; by default, 0. Only for a statement
   * that may run twice without harm.
   */
  readonly repeatFor?: number;
}

export type Row = Readonly<Record<string, unknown>>;

/** Runs statements in a transaction. */
export type Run = <R extends Row>(text: string, values?: readonly unknown[]) => Promise<readonly R[]>;

/** Default number of connections of a process. */
export const defaultConnections = 16;

/** Longest idle time within a transaction, in ms. Its process may have died, and it holds locks. */
const longestIdle = 10_000;

/** Connections to a PostgreSQL server: a few, shared by all. When the server returns, they return, too. */
export class Database {
  /** The database as named in messages, without the user. */
  readonly where: string;
  readonly #options: DatabaseOptions;
  readonly #config: PoolConfig;
  #pool: Pool;
  readonly #ending = new AbortController();
  readonly #listening: Listening;
  #closed = false;

  /**
   * Connects at the first statement, not before.
   * @throws BadDatabaseUrl
   */
  constructor(options: DatabaseOptions) {
    const { url, program } = options;
    const { connectMilliseconds = 3000, statementMilliseconds = 10_000 } = options;
    const { graceMilliseconds = 2000, lockMilliseconds } = options;
    this.where = nameOf(locationOf(url));
    this.#options = options;
    this.#config = {
      connectionString: url,
      application_name: program,
      connectionTimeoutMillis: connectMilliseconds,
      statement_timeout: statementMilliseconds,
      lock_timeout: lockMilliseconds,
      query_timeout: statementMilliseconds + graceMilliseconds,
      // If a process is paused within a transaction, it holds its locks no longer than this.
      idle_in_transaction_session_timeout: Math.min(statementMilliseconds, longestIdle),
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
    };
    this.#pool = this.#newPool();
    this.#listening = new Listening(() => new Client(this.#config), this.#ending.signal);
  }

  /**
   * Runs a statement, and returns the rows.
   * @throws DatabaseUnavailable, DatabaseRefused
   */
  query<R extends Row>(
    { name, text }: Statement,
    values: readonly unknown[] = [],
    { repeatFor = 0 }: Repeating = {},
  ): Promise<readonly R[]> {
    return this.#repeated(repeatFor, async () => {
      if (this.#pool.waitingCount >= (this.#options.waiting ?? 5000))
        throw new DatabaseUnavailable(this.where, 'too many statements wait for a connection');
      const pool = this.#pool;
      return this.#rowsOf(pool.query<R>({ name, text, values: [...values] }), pool);
    });
  }

  /**
   * Runs several statements in one transaction: all of them count, or none. Use it seldom: the locks stay over several round
   * trips.
   * @throws DatabaseUnavailable, DatabaseRefused, and the errors of `work`
   */
  transaction<T>(work: (run: Run) => Promise<T>, { repeatFor = 0 }: Repeating = {}): Promise<T> {
    return this.#repeated(repeatFor, () => this.#inTransaction(work));
  }

  /**
   * Calls back after each notification of a channel, and after each time that notifications may have been missed. All
   * channels share one connection, which the first of them opens. A connection that the network drops silently is noticed
   * late. If you must not miss a change, also poll.
   * @returns a function that stops it
   */
  listen(channel: string, notified: () => void): () => void {
    return this.#listening.listen(channel, notified);
  }

  /** Ends all connections, after the results of running statements have come. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#ending.abort();
    await this.#pool.end();
  }

  async #inTransaction<T>(work: (run: Run) => Promise<T>): Promise<T> {
    const pool = this.#pool;
    const client = await this.#resultOf(pool.connect(), pool);
    let failure: Error | undefined;
    // A connection may end while it is outside of the pool.
    const logFailure = (error: Error) => {
      failure = error;
    };
    client.on('error', logFailure);
    const run: Run = <R extends Row>(text: string, values: readonly unknown[] = []) =>
      this.#rowsOf(client.query<R>(text, [...values]), pool);
    try {
      await run('BEGIN');
      const result = await work(run);
      await run('COMMIT');
      return result;
    } catch (error) {
      failure ??= error instanceof Error ? error : new Error(String(error));
      throw error;
    } finally {
      client.off('error', logFailure);
      // After a failure the connection is closed, which rolls everything back.
      client.release(failure);
    }
  }

  async #rowsOf<R extends Row>(answer: Promise<QueryResult<R>>, pool: Pool): Promise<readonly R[]> {
    const { rows } = await this.#resultOf(answer, pool);
    return rows;
  }

  /** @param pool the pool of the connection */
  async #resultOf<T>(result: Promise<T>, pool: Pool): Promise<T> {
    try {
      return await result;
    } catch (error) {
      if (isSilence(error)) this.#replacePool(pool);
      throw meaningOf(error, this.where);
    }
  }

  #newPool(): Pool {
    const { connections = defaultConnections, log } = this.#options;
    const pool = new Pool({
      ...this.#config,
      max: connections,
      idleTimeoutMillis: 30_000,
      onConnect: (client) => this.#commitSafely(client),
    });
    // The connection was idle: the next statement opens a new one.
    pool.on('error', (error) =>
      log.warn('A connection to the database has ended', { reason: error.message }),
    );
    return pool;
  }

  /**
   * Sets the connection so that a commit is acknowledged only when it cannot be lost. Later changes of the server's settings
   * do not change this.
   */
  async #commitSafely(client: ClientBase): Promise<void> {
    await client.query(
      `SELECT set_config('synchronous_commit',
        CASE current_setting('synchronous_commit') WHEN 'remote_apply' THEN 'remote_apply' ELSE 'on' END, false)`,
    );
  }

  /** Lets the next statements use new connections. Running statements keep their old ones. */
  #replacePool(old: Pool): void {
    // Other statements got no response either, and have already replaced the pool.
    if (this.#closed || old !== this.#pool) return;
    this.#pool = this.#newPool();
    old.end().catch(() => undefined);
  }

  async #repeated<T>(repeatFor: number, act: () => Promise<T>): Promise<T> {
    const end = performance.now() + repeatFor;
    for (let failures = 0; ; failures++) {
      const wait = pauseBeforeAttempt(failures);
      try {
        return await act();
      } catch (error) {
        if (this.#closed || !isWorthRepeating(error) || performance.now() + wait > end) throw error;
        await pause(wait);
      }
    }
  }
}
