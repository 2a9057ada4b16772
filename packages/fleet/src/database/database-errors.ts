import { doubledPause } from '@azimuth/async';
import { type Log, StorageUnavailable } from '@azimuth/device';
import { DatabaseError } from 'pg';

/**
 * The database does not respond: it is down, it restarts, it cannot be reached, or it is too slow. A running statement may or
 * may not have been committed.
 */
export class DatabaseUnavailable extends StorageUnavailable {
  /** The name in log entries. Programs that evaluate logs rely on it. */
  override readonly name = 'DatabaseAway';

  constructor(where: string, reason: string) {
    super(
      `${where} does not answer: ${reason}`,
      'the database does not answer; the scanner goes on, try again in a moment',
    );
  }
}

/** The database has responded, and refuses a statement. */
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

/** SQLSTATEs of a server that responds, but cannot work for the moment. */
const unavailable = new Set([
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

/** SQLSTATEs of statements that conflicted with each other. They are run once more. */
const conflicts = new Set(['40001', '40P01']);

/**
 * Converts an error of the client library.
 * @param where the database, as named in messages
 */
export function meaningOf(error: unknown, where: string): unknown {
  if (error instanceof DatabaseError && error.code !== undefined) {
    const { code, message } = error;
    // Class 08: the connection.
    return unavailable.has(code) || code.startsWith('08')
      ? new DatabaseUnavailable(where, message)
      : new DatabaseRefused(where, code, message);
  }
  // The program made a mistake, for example a wrong argument.
  if (!(error instanceof Error) || error instanceof TypeError || error instanceof StorageUnavailable)
    return error;
  return new DatabaseUnavailable(where, reasonsOf(error).join(', '));
}

/** True if the client got nothing before its time-out. Then other connections may be dead, too. */
export function isSilence(error: unknown): boolean {
  return error instanceof Error && error.message === 'Query read timeout';
}

/** True if an idempotent statement should be run once more. */
export function isWorthRepeating(error: unknown): boolean {
  return (
    error instanceof DatabaseUnavailable ||
    (error instanceof DatabaseRefused && conflicts.has(error.sqlState))
  );
}

/**
 * Returns the ms until the next attempt to reach a database that does not respond. @param failures in a row before the last
 * one
 */
export function pauseBeforeAttempt(failures: number): number {
  return doubledPause(25, failures, 400);
}

/**
 * Returns the reasons of an error. For a name with several addresses, the error has no message, but one error for each
 * address.
 */
function reasonsOf(error: Error): readonly string[] {
  if (error instanceof AggregateError) return error.errors.map(String);
  return [error.message];
}

/**
 * Logs once that a database does not respond, and why it refuses, no matter how often this happens. Then it logs that the
 * database responds again.
 */
export class OutageLog {
  readonly #log: Log;
  #isUnavailable = false;
  /** Reason of the last failure. */
  #reason: string | undefined;

  constructor(log: Log) {
    this.#log = log;
  }

  /** True if the database did not respond at the last attempt, or refused. */
  get isUnavailable(): boolean {
    return this.#isUnavailable;
  }

  /** Logs a failure. @param what was not done */
  failed(error: unknown, what: string): void {
    const reason = String(error);
    // The wording may differ each time.
    const isKnown = error instanceof DatabaseUnavailable ? this.#isUnavailable : reason === this.#reason;
    if (!isKnown) this.#log.error(what, { reason });
    this.#reason = reason;
    if (error instanceof DatabaseUnavailable || error instanceof DatabaseRefused) this.#isUnavailable = true;
  }

  succeeded(): void {
    if (this.#isUnavailable) this.#log.info('The database answers again');
    this.#isUnavailable = false;
    this.#reason = undefined;
  }
}
