import type { TimelineEntry } from './timeline-entry.js';

type Follow = (entry: TimelineEntry) => void;

/**
 * All that passes between a scanner and its programs, in the order in which it was seen. It keeps nothing: each follower
 * gets each entry once, at once.
 */
export class Timeline {
  readonly #followers = new Set<Follow>();

  /** Passes an entry on. A follower that throws does not keep it from the others: the first error is thrown afterwards. */
  add(entry: TimelineEntry): void {
    let failure: { readonly error: unknown } | undefined;
    for (const follow of this.#followers) {
      try {
        follow(entry);
      } catch (error) {
        failure ??= { error };
      }
    }
    if (failure !== undefined) throw failure.error;
  }

  /** Calls `follow` with each entry from now on. @returns ends it */
  follow(follow: Follow): () => void {
    // A function may follow twice: each call has a place of its own.
    const own: Follow = (entry) => follow(entry);
    this.#followers.add(own);
    return () => void this.#followers.delete(own);
  }

  /** True if somebody follows. Entries that nobody follows need not be made. */
  get isFollowed(): boolean {
    return this.#followers.size > 0;
  }
}
