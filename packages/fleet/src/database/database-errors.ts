import { doubledPause } from '@azimuth/async';
import { type Log, StorageUnavailable } from '@azimuth/device';
import { DatabaseError } from 'pg';

/**
 * The database does not answer: it is down, it restarts, it cannot be reached, or it takes too long. Whether a statement that
 * was under way has been committed is not known.
 */
export class DatabaseAway extends StorageUnavailable {
  override readonly name = 'DatabaseAway';

  constructor(where: string, reason: string) {
    super(
      `${where} does not answer: ${reason}`,
      'the database does not answer; the scanner goes on, try again in a moment',
    );
  }
}

/** The database has answered, and refuses a statement. */
export class DatabaseRefused extends StorageUnavailable {
  override readonly name = 'DatabaseRefused';
  /** The SQLSTATE: five characters. */
  readonly sqlState: string;

  constructor(where: string, sqlState: string, reason: string) {
    super(
      `${where} refuses: ${reason} (SQLSTATE ${sqlState})`,
      'the database refuses it; the log of the scanner says why',
    );
    this.sqlState = sqlState;
  }
}

/** SQLSTATEs of a server that is there, and cannot work for the moment. */
const away = new Set([
  '57P01', // admin_shutdown
  '57P02', // crash_shutdown
  '57P03', // cannot_connect_now
  '57P05', // idle_session_timeout
  '55P03', // lock_not_available: by the time-out of locks
  '57014', // query_canceled: by the time-out of statements
  '53100', // disk_full
  '53200', // out_of_memory
  '53300', // too_many_connections
  '53400', // configuration_limit_exceeded
  '25006', // read_only_sql_transaction: it is a standby now
  '25P03', // idle_in_transaction_session_timeout
]);

/** SQLSTATEs of statements that were in each other's way. They are run once more. */
const inTheWay = new Set(['40001', '40P01']);

/**
 * What an error of the client library means.
 * @param where the database, as the message names it
 */
export function meaningOf(error: unknown, where: string): unknown {
  if (error instanceof DatabaseError && error.code !== undefined) {
    const { code, message } = error;
    // Class 08: the connection.
    return away.has(code) || code.startsWith('08')
      ? new DatabaseAway(where, message)
      : new DatabaseRefused(where, code, message);
  }
  // A mistake of ours, as a wrong argument.
  if (!(error instanceof Error) || error instanceof TypeError || error instanceof StorageUnavailable)
    return error;
  return new DatabaseAway(where, reasonsOf(error).join(', '));
}

/** Has nothing come within the time-out of the client? Then other connections may be dead, too. */
export function isSilence(error: unknown): boolean {
  return error instanceof Error && error.message === 'Query read timeout';
}

/** Is it worth the try to run an idempotent statement once more? */
export function isWorthRepeating(error: unknown): boolean {
  return error instanceof DatabaseAway || (error instanceof DatabaseRefused && inTheWay.has(error.sqlState));
}

/** ms until the next try to reach a database that is away. @param failures in a row before the last one */
export function untilNextTry(failures: number): number {
  return doubledPause(25, failures, 400);
}

/** A name with several addresses gives an error without a message, with one for each address. */
function reasonsOf(error: Error): readonly string[] {
  if (error instanceof AggregateError) return error.errors.map(String);
  return [error.message];
}

/** Logs once that a database does not answer, and why it refuses, however often that is noticed; then that it answers again. */
export class OutageLog {
  readonly #log: Log;
  #isAway = false;
  /** Of the last failure. */
  #reason: string | undefined;

  constructor(log: Log) {
    this.#log = log;
  }

  /** The database has not answered the last time, or has refused. */
  get isAway(): boolean {
    return this.#isAway;
  }

  /** @param what was not done */
  failed(error: unknown, what: string): void {
    const reason = String(error);
    // How it is silent may differ each time.
    const isKnown = error instanceof DatabaseAway ? this.#isAway : reason === this.#reason;
    if (!isKnown) this.#log.error(what, { reason });
    this.#reason = reason;
    if (error instanceof DatabaseAway || error instanceof DatabaseRefused) this.#isAway = true;
  }

  answered(): void {
    if (this.#isAway) this.#log.info('The database answers again');
    this.#isAway = false;
    this.#reason = undefined;
  }
}
