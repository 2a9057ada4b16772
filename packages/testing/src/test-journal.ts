import { clearTimeout, setTimeout } from 'node:timers';
import type { MethodName, RequestOf, ValueOf, VariableName } from '@azimuth/model';
import { type JournalEntry, type ScannerJournal, textOfEntry } from '@azimuth/simulation/journal';

type Of<K extends JournalEntry['kind']> = Extract<JournalEntry, { readonly kind: K }>;

/** A write that was carried out, with its value. */
export type JournalWrite<N extends VariableName> = Of<'write'> & { readonly value: ValueOf<N> };
/** A call that was carried out, with those members of its request that were sent and are no secrets. */
export type JournalCall<N extends MethodName> = Of<'call'> & { readonly request: Partial<RequestOf<N>> };

/** Options of a wait. */
export interface WaitOptions {
  /** Real ms until the wait rejects; 1000 by default. Infinity: it never does. */
  readonly timeout?: number | undefined;
  /** Number of an entry: only later ones count. By default, the entry that the last wait has found. */
  readonly since?: number | undefined;
}

const usualTimeout = 1000;
/** Longest time of a timer of Node, in ms. */
const longestTimer = 2 ** 31 - 1;
/** Entries in the message of a wait that found none. */
const mostNamed = 10;

/**
 * What clients have done to a scanner: requests, legacy telegrams, registrations for events and file transfers, without
 * secrets. It keeps the last 10,000 entries.
 *
 * A wait is fulfilled with the first matching entry after the one that the last wait has found, even if that entry came
 * before the call: nothing is missed between two waits. It rejects after a second of real time.
 */
export class TestJournal implements AsyncIterable<JournalEntry> {
  readonly #journal: ScannerJournal;
  readonly #standsStill: () => boolean;
  readonly #ends = new Set<() => void>();
  #isClosed = false;
  #mark = 0;

  /** @param standsStill true if time passes only when the test lets it */
  constructor(journal: ScannerJournal, standsStill: () => boolean) {
    this.#journal = journal;
    this.#standsStill = standsStill;
  }

  /** All entries that are kept, the oldest first. */
  get entries(): readonly JournalEntry[] {
    return this.#journal.since(0).entries;
  }

  /** Number of entries that are no longer kept. */
  get dropped(): number {
    return this.#journal.since(0).dropped;
  }

  /** Number of the newest entry. As `since`, it lets a wait look only at what comes from now on. */
  get last(): number {
    return this.#journal.last;
  }

  /** The first write of a variable over REST that was carried out. */
  write<N extends VariableName>(name: N, options?: WaitOptions): Promise<JournalWrite<N>>;
  write(name: VariableName, options?: WaitOptions): Promise<Of<'write'>> {
    return this.#first(
      `no write of ${name} was carried out`,
      (entry): entry is Of<'write'> => entry.kind === 'write' && entry.name === name && entry.status === 0,
      options,
    );
  }

  /** The first call of a method over REST that was carried out. */
  call<N extends MethodName>(name: N, options?: WaitOptions): Promise<JournalCall<N>>;
  call(name: MethodName, options?: WaitOptions): Promise<Of<'call'>> {
    return this.#first(
      `no call of ${name} was carried out`,
      (entry): entry is Of<'call'> => entry.kind === 'call' && entry.name === name && entry.status === 0,
      options,
    );
  }

  /** The first read of a variable over REST. */
  read(name: VariableName, options?: WaitOptions): Promise<Of<'read'>> {
    return this.#first(
      `no read of ${name} came`,
      (entry): entry is Of<'read'> => entry.kind === 'read' && entry.name === name,
      options,
    );
  }

  /**
   * The first request of the legacy protocol with this command and name, at any interface and in any framing.
   * @param telegram for example `sWN LocationName`
   */
  legacy(telegram: string, options?: WaitOptions): Promise<Of<'legacy'>> {
    return this.#first(
      `no telegram ${telegram} came`,
      (entry): entry is Of<'legacy'> => entry.kind === 'legacy' && entry.telegram === telegram,
      options,
    );
  }

  /** The first registration for an event that was accepted. Under `/x/events`: of a variable, or `*` for all. */
  registration(event: string, options?: WaitOptions): Promise<Of<'registration'>> {
    return this.#first(
      `no registration for ${event} was accepted`,
      (entry): entry is Of<'registration'> =>
        entry.kind === 'registration' &&
        entry.action === 'register' &&
        entry.event === event &&
        entry.accepted,
      options,
    );
  }

  /** The first entry for which `matches` is true. */
  next<T extends JournalEntry>(
    matches: (entry: JournalEntry) => entry is T,
    options?: WaitOptions,
  ): Promise<T>;
  next(matches?: (entry: JournalEntry) => boolean, options?: WaitOptions): Promise<JournalEntry>;
  next(matches: (entry: JournalEntry) => boolean = () => true, options?: WaitOptions): Promise<JournalEntry> {
    const isWanted = (entry: JournalEntry): entry is JournalEntry => matches(entry);
    return this.#first('no entry came for which the function is true', isWanted, options);
  }

  /** All kept entries, then each new one as it comes. It ends when the scanner is closed. */
  async *[Symbol.asyncIterator](): AsyncGenerator<JournalEntry, void, undefined> {
    let seen = 0;
    while (true) {
      for (const entry of this.#journal.since(seen).entries) {
        seen = entry.number;
        yield entry;
      }
      if (this.#journal.last > seen) continue;
      if (this.#isClosed) return;
      await new Promise<void>((resolve) => {
        const over = () => {
          end();
          this.#ends.delete(over);
          resolve();
        };
        const end = this.#journal.onAdded(over);
        this.#ends.add(over);
      });
    }
  }

  /** Rejects all waits, and ends all iterators. */
  close(): void {
    this.#isClosed = true;
    for (const end of [...this.#ends]) end();
  }

  async #first<T extends JournalEntry>(
    missing: string,
    matches: (entry: JournalEntry) => entry is T,
    { timeout = usualTimeout, since = this.#mark }: WaitOptions = {},
  ): Promise<T> {
    if (!(timeout >= 0)) throw new RangeError(`timeout: expected 0 ms or more, got ${timeout}`);
    for (const entry of this.#journal.since(since).entries) if (matches(entry)) return this.#found(entry);
    return await new Promise((resolve, reject) => {
      const over = () => {
        clearTimeout(timer);
        end();
        this.#ends.delete(closed);
      };
      const fail = (why: string) => {
        over();
        reject(new Error(`${missing} ${why}${this.#insteadOf(since)}`));
      };
      const closed = () => fail('before the scanner was closed');
      const end = this.#journal.onAdded((entry) => {
        try {
          if (!matches(entry)) return;
        } catch (error) {
          over();
          reject(error);
          return;
        }
        over();
        resolve(this.#found(entry));
      });
      const timer = timeout > longestTimer ? undefined : setTimeout(() => fail(`in ${timeout} ms`), timeout);
      this.#ends.add(closed);
      if (this.#isClosed) closed();
    });
  }

  #found<T extends JournalEntry>(entry: T): T {
    this.#mark = Math.max(this.#mark, entry.number);
    return entry;
  }

  /** What came instead, for a message. */
  #insteadOf(since: number): string {
    const { entries } = this.#journal.since(since);
    const hint = this.#standsStill()
      ? '\nTime stands still: if your program waits for time to pass, call advance().'
      : '';
    if (entries.length === 0) return `: since entry ${since}, nothing came at all.${hint}`;
    const lines = entries.slice(-mostNamed).map((entry) => `\n  ${textOfEntry(entry)}`);
    const more = entries.length - lines.length;
    const before = more === 0 ? '' : `\n  … (${more} before)`;
    return `. Since entry ${since} came instead:${before}${lines.join('')}${hint}`;
  }
}
