import type { LogEntry, LogQuery } from '@azimuth/monitor';

/** Reads a log: each call of `next` yields what has come since the one before. */
export interface LogReader {
  next(query: LogQuery): AsyncIterable<LogEntry>;
  close(): Promise<void>;
}
