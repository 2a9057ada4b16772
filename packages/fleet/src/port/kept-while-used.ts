import { nextTurn } from '@azimuth/http';
import type { Row } from './site-rows.js';

/** ms for which something is kept that nobody uses. */
const keptFor = 5 * 60_000;

/** Replaced rows that are taken over in one turn of the event loop: some ms. */
export const mostAtOnce = 25;

/** What is made of all rows of a site, and follows them. */
export interface Derived {
  /** Makes it, in turns of the event loop. Called once. */
  make(): Promise<void>;
  /** Takes a replaced row over. @param before the row as it was when this was made, or at the last call for this place */
  replace(before: Row, row: Row): void;
}

interface Entry<T> {
  readonly derived: T;
  /** Rows that were replaced since, as they were before, by place. */
  readonly replaced: Map<number, Row>;
  readonly unused: NodeJS.Timeout;
  isMade: boolean;
  /** Undefined while nothing is done. */
  making: Promise<void> | undefined;
}

/**
 * Keeps what is derived from the rows of a site as long as it is used. Replaced rows are only noted, and taken over with the
 * next use. So nothing is done for what nobody uses.
 */
export class KeptWhileUsed<T extends Derived> {
  readonly #rows: readonly Row[];
  readonly #most: number;
  /** The one that was used last is the last one. */
  readonly #entries = new Map<string, Entry<T>>();

  /**
   * @param rows by place; `note` is called for each that is replaced
   * @param most number of those that are kept; of more, the one is dropped that was used least recently
   */
  constructor(rows: readonly Row[], most: number) {
    this.#rows = rows;
    this.#most = most;
  }

  /** Called when a row has been replaced. */
  note(before: Row): void {
    for (const { replaced } of this.#entries.values())
      if (!replaced.has(before.place)) replaced.set(before.place, before);
  }

  /** Returns what is kept under a key, as it is for the rows of this moment; undefined if it is not kept, or not ready. */
  get(key: string): T | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    entry.unused.refresh();
    if (!entry.isMade || entry.replaced.size > mostAtOnce) return undefined;
    this.#takeOver(entry);
    return entry.derived;
  }

  /** Makes what is kept under a key ready, in turns. Returns undefined if nothing is kept. */
  ready(key: string): Promise<void> | undefined {
    const entry = this.#entries.get(key);
    return entry && this.#ready(key, entry);
  }

  /** Keeps something under a key, and makes it. */
  make(key: string, derived: T): Promise<void> {
    return this.#ready(key, this.#add(key, derived));
  }

  async #ready(key: string, entry: Entry<T>): Promise<void> {
    const making = entry.making ?? this.#make(entry);
    entry.making = making;
    try {
      await making;
    } catch (error) {
      this.#drop(key, entry);
      throw error;
    } finally {
      if (entry.making === making) entry.making = undefined;
    }
  }

  #add(key: string, derived: T): Entry<T> {
    // A timer must not hold the rows of a site that has others by now.
    const weak = new WeakRef(this);
    const expire = () => {
      const kept = weak.deref();
      if (kept !== undefined) kept.#expire(key);
    };
    const entry: Entry<T> = {
      ...{ derived, replaced: new Map(), isMade: false, making: undefined },
      unused: setTimeout(expire, keptFor).unref(),
    };
    this.#expire(key);
    this.#entries.set(key, entry);
    for (const [oldest, other] of this.#entries) {
      if (this.#entries.size <= this.#most) break;
      // Those that are being made are waited for.
      if (other !== entry && other.making === undefined) this.#drop(oldest, other);
    }
    return entry;
  }

  #expire(key: string): void {
    const entry = this.#entries.get(key);
    if (entry !== undefined) this.#drop(key, entry);
  }

  #drop(key: string, entry: Entry<T>): void {
    clearTimeout(entry.unused);
    if (this.#entries.get(key) === entry) this.#entries.delete(key);
  }

  async #make(entry: Entry<T>): Promise<void> {
    if (!entry.isMade) await entry.derived.make();
    entry.isMade = true;
    while (entry.replaced.size > mostAtOnce) {
      await nextTurn();
      this.#takeOver(entry);
    }
  }

  /** Takes some of the replaced rows over. */
  #takeOver({ derived, replaced }: Entry<T>): void {
    let taken = 0;
    for (const [place, before] of replaced) {
      if (taken++ >= mostAtOnce) return;
      replaced.delete(place);
      const row = this.#rows[place];
      if (row !== undefined) derived.replace(before, row);
    }
  }
}
