import type { LogEntry } from './log-entry.js';
import type { LogCounts, LogQuery, LogStore } from './log-store.js';
import { matcherOf } from './matching-entries.js';

/** A log that ends with the process: for monitors that keep nothing, and for tests. */
export class MemoryLog implements LogStore {
  readonly entries: LogEntry[] = [];
  readonly #most: number;
  #stored = 0;

  /** @param most entries that are kept: the oldest ones are forgotten */
  constructor(most = Number.POSITIVE_INFINITY) {
    this.#most = most;
  }

  get counts(): LogCounts {
    return { stored: this.#stored, waiting: 0, lost: 0 };
  }

  append(entry: LogEntry): Promise<void> {
    this.entries.push(entry);
    this.#stored++;
    if (this.entries.length > this.#most) this.entries.shift();
    return Promise.resolve();
  }

  async *read(query: LogQuery): AsyncGenerator<LogEntry> {
    const found = this.entries.filter(matcherOf(query));
    yield* query.limit === undefined ? found : lastOf(found, query.limit);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

function lastOf(entries: readonly LogEntry[], limit: number): readonly LogEntry[] {
  return entries.slice(Math.max(0, entries.length - limit));
}
