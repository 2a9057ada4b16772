import type { Clock } from '@azimuth/device';
import type { Journal, JournalEvent } from '@azimuth/device/journal';

/** An event of the journal, with its number and its time. */
export type JournalEntry = JournalEvent & {
  /** 1 for the first one since the start of the scanner. */
  readonly number: number;
  /** ms of the clock that never goes back. The virtual clock of a test begins at 0. */
  readonly time: number;
  /** ms since 1970 UTC of the same clock. */
  readonly utc: number;
};

/** Most entries that are kept. */
export const mostEntries = 10_000;
/** Most bytes of requests that are kept. */
const mostBytes = 16 * 1024 * 1024;

/** Entries that were asked for. */
export interface JournalPart {
  /** Number of entries that were dropped since the start, because there were too many. */
  readonly dropped: number;
  readonly entries: readonly JournalEntry[];
}

/** What clients have done to a scanner: the last 10,000 events, with at most 16 MiB of requests. */
export class ScannerJournal implements Journal {
  readonly #clock: Pick<Clock, 'monotonic' | 'utc'>;
  readonly #listeners = new Set<(entry: JournalEntry) => void>();
  /** The bytes of each entry beside it. The entries before `#first` are dropped. */
  #kept: { readonly entry: JournalEntry; readonly bytes: number }[] = [];
  #first = 0;
  #bytes = 0;
  #last = 0;

  constructor(clock: Pick<Clock, 'monotonic' | 'utc'>) {
    this.#clock = clock;
  }

  add(event: JournalEvent, bytes: number): void {
    this.#last += 1;
    const entry = {
      ...event,
      number: this.#last,
      time: this.#clock.monotonic(),
      utc: this.#clock.utc(),
    };
    this.#kept.push({ entry, bytes });
    this.#bytes += bytes;
    this.#drop();
    for (const listener of [...this.#listeners]) listener(entry);
  }

  /** Number of the newest entry, 0 before the first one. */
  get last(): number {
    return this.#last;
  }

  /** Returns the entries after the one with this number, the oldest first. */
  since(number: number, most = mostEntries): JournalPart {
    const dropped = this.#last - (this.#kept.length - this.#first);
    const from = this.#first + Math.max(0, number - dropped);
    return { dropped, entries: this.#kept.slice(from, from + most).map(({ entry }) => entry) };
  }

  /** Calls `listener` with each new entry. Returns a function that ends it. */
  onAdded(listener: (entry: JournalEntry) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Moves the array only when half of it is dropped. */
  #drop(): void {
    while (this.#kept.length - this.#first > mostEntries || this.#bytes > mostBytes) {
      this.#bytes -= this.#kept[this.#first]?.bytes ?? 0;
      this.#first += 1;
    }
    if (this.#first <= mostEntries) return;
    this.#kept = this.#kept.slice(this.#first);
    this.#first = 0;
  }
}
