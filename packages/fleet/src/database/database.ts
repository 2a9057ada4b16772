import { pause } from '@azimuth/async';
import type { Log } from '@azimuth/device';
import { Client, type ClientBase, Pool, type PoolConfig, type QueryResult } from 'pg';
import { DatabaseAway, isSilence, isWorthRepeating, meaningOf, untilNextTry } from './database-errors.js';
import { Listening } from './listening.js';

/** Where a database is, without who connects and with which password. For errors and logs. */
interface DatabasePlace {
  readonly host: string;
  readonly port: number;
  readonly database: string;
}

/** What stands in place of a URL that is none. It is not repeated: it may contain a password. */
const expected =
  'postgres://USER@HOST:PORT/DATABASE, with the password in the environment variable PGPASSWORD';

/** The URL of a database cannot be used. */
export class BadDatabaseUrl extends Error {
  override readonly name = 'BadDatabaseUrl';
}

/**
 * The place that a URL names. What it leaves out comes from the environment, as with all programs of PostgreSQL.
 * @throws BadDatabaseUrl, which never contains the URL
 */
function placeOf(url: string): DatabasePlace {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || !/^postgres(ql)?:$/.test(parsed.protocol))
    throw new BadDatabaseUrl(`The URL of the database cannot be read: expected ${expected}`);
  const { PGHOST = 'localhost', PGPORT = '5432', PGDATABASE, PGUSER } = process.env;
  return {
    // A folder with a socket is given as `?host=/run/postgresql`.
    host: parsed.searchParams.get('host') ?? (parsed.hostname || PGHOST),
    port: Number(parsed.port || PGPORT),
    database: decoded(parsed.pathname.slice(1)) || PGDATABASE || decoded(parsed.username) || PGUSER || '',
  };
}

function nameOf({ host, port, database }: DatabasePlace): string {
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
  /** What the server lists as the name of the program. */
  readonly program: string;
  /** Connections at the same time, at most, beside the one that listens; by default, 16. */
  readonly connections?: number | undefined;
  /** Statements that may wait for a connection; by default, 5,000. More fail at once. */
  readonly waiting?: number | undefined;
  /** How long a statement waits for a connection, in ms; by default, 3,000. */
  readonly connectMilliseconds?: number | undefined;
  /** How long the server may take for a statement, in ms; by default, 10,000. */
  readonly statementMilliseconds?: number | undefined;
  /** So much later the client gives up, in ms: then the server does not answer. By default, 2,000. */
  readonly graceMilliseconds?: number | undefined;
  /** How long a statement waits for a row that others have locked, in ms; by default, as long as it may take. */
  readonly lockMilliseconds?: number | undefined;
}

interface Repeating {
  /**
   * For how long the statement is run again if the database does not answer, in ms; by default, 0. Only for a statement that
   * does no harm if it is run twice.
   */
  readonly repeatFor?: number;
}

export type Row = Readonly<Record<string, unknown>>;

/** Runs statements in a transaction. */
export type Run = <R extends Row>(text: string, values?: readonly unknown[]) => Promise<readonly R[]>;

/** Connections of a process, if it says nothing else. */
export const usualConnections = 16;

/** ms that a transaction may do nothing, at most: its process may be gone, and it holds locks. */
const longestIdle = 10_000;

/** Connections to a PostgreSQL server: a few, which all share. They come back by themselves when the server does. */
export class Database {
  /** The database as messages name it, without who connects. */
  readonly where: string;
  readonly #options: DatabaseOptions;
  readonly #config: PoolConfig;
  #pool: Pool;
  readonly #ending = new AbortController();
  readonly #listening: Listening;
  #closed = false;

  /**
   * Nothing is sent yet: the first statement connects.
   * @throws BadDatabaseUrl
   */
  constructor(options: DatabaseOptions) {
    const { url, program } = options;
    const { connectMilliseconds = 3000, statementMilliseconds = 10_000 } = options;
    const { graceMilliseconds = 2000, lockMilliseconds } = options;
    this.where = nameOf(placeOf(url));
    this.#options = options;
    this.#config = {
      connectionString: url,
      application_name: program,
      connectionTimeoutMillis: connectMilliseconds,
      statement_timeout: statementMilliseconds,
      lock_timeout: lockMilliseconds,
      query_timeout: statementMilliseconds + graceMilliseconds,
      // A process that is paused within a transaction holds its locks no longer than this.
      idle_in_transaction_session_timeout: Math.min(statementMilliseconds, longestIdle),
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
    };
    this.#pool = this.#newPool();
    this.#listening = new Listening(() => new Client(this.#config), this.#ending.signal);
  }

  /**
   * Runs a statement, and returns the rows.
   * @throws DatabaseAway, DatabaseRefused
   */
  query<R extends Row>(
    { name, text }: Statement,
    values: readonly unknown[] = [],
    { repeatFor = 0 }: Repeating = {},
  ): Promise<readonly R[]> {
    return this.#repeated(repeatFor, async () => {
      if (this.#pool.waitingCount >= (this.#options.waiting ?? 5000))
        throw new DatabaseAway(this.where, 'too many statements wait for a connection');
      const pool = this.#pool;
      return this.#rowsOf(pool.query<R>({ name, text, values: [...values] }), pool);
    });
  }

  /**
   * Runs several statements in one transaction: all of them count, or none. For what is done seldom: the locks stay over
   * several round trips.
   * @throws DatabaseAway, DatabaseRefused, and what `work` throws
   */
  transaction<T>(work: (run: Run) => Promise<T>, { repeatFor = 0 }: Repeating = {}): Promise<T> {
    return this.#repeated(repeatFor, () => this.#inTransaction(work));
  }

  /**
   * Calls back when somebody notifies a channel, and after each time that notifications may have been missed. All channels
   * share one connection, which is made for the first of them. If the network
   * loses a connection in silence, that is noticed late: whoever must know looks from time to time.
   * @returns ends it
   */
  listen(channel: string, notified: () => void): () => void {
    return this.#listening.listen(channel, notified);
  }

  /** Ends all connections, when the statements that are under way have their answers. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#ending.abort();
    await this.#pool.end();
  }

  async #inTransaction<T>(work: (run: Run) => Promise<T>): Promise<T> {
    const pool = this.#pool;
    const client = await this.#answerOf(pool.connect(), pool);
    let failure: Error | undefined;
    // A connection that ends while it is out of the pool.
    const noteFailure = (error: Error) => {
      failure = error;
    };
    client.on('error', noteFailure);
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
      client.off('error', noteFailure);
      // After a failure the connection is closed, which takes everything back.
      client.release(failure);
    }
  }

  async #rowsOf<R extends Row>(answer: Promise<QueryResult<R>>, pool: Pool): Promise<readonly R[]> {
    const { rows } = await this.#answerOf(answer, pool);
    return rows;
  }

  /** @param pool whose connection it was */
  async #answerOf<T>(answer: Promise<T>, pool: Pool): Promise<T> {
    try {
      return await answer;
    } catch (error) {
      if (isSilence(error)) this.#replacePool(pool);
      throw meaningOf(error, this.where);
    }
  }

  #newPool(): Pool {
    const { connections = usualConnections, log } = this.#options;
    const pool = new Pool({
      ...this.#config,
      max: connections,
      idleTimeoutMillis: 30_000,
      onConnect: (client) => this.#commitSafely(client),
    });
    // Of a connection that nobody uses: the next statement makes a new one.
    pool.on('error', (error) =>
      log.warn('A connection to the database has ended', { reason: error.message }),
    );
    return pool;
  }

  /** No later change of the server's settings makes this connection acknowledge what could still be lost. */
  async #commitSafely(client: ClientBase): Promise<void> {
    await client.query(
      `SELECT set_config('synchronous_commit',
        CASE current_setting('synchronous_commit') WHEN 'remote_apply' THEN 'remote_apply' ELSE 'on' END, false)`,
    );
  }

  /** The next statements go over new connections. Those that are under way end as they will. */
  #replacePool(old: Pool): void {
    // Others were silent, too: there are new connections already.
    if (this.#closed || old !== this.#pool) return;
    this.#pool = this.#newPool();
    old.end().catch(() => undefined);
  }

  async #repeated<T>(repeatFor: number, act: () => Promise<T>): Promise<T> {
    const end = performance.now() + repeatFor;
    for (let failures = 0; ; failures++) {
      const wait = untilNextTry(failures);
      try {
        return await act();
      } catch (error) {
        if (this.#closed || !isWorthRepeating(error) || performance.now() + wait > end) throw error;
        await pause(wait);
      }
    }
  }
}
