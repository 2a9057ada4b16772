import type { Single } from './entry-text.js';

/** Number of different entries that are shown in a second: a hostile sender would fill the disk with lines. */
const mostCounted = 256;

/** An entry that came again, and how often. */
export interface Repeated {
  readonly entry: Single;
  readonly times: number;
}

/**
 * Counts faults and findings that repeat within a second: telegrams come so often that lines for each of them would hide
 * everything else.
 */
export class RepeatedEntries {
  #others = 0;
  readonly #counts = new Map<string, { entry: Single; times: number }>();

  /** True if the entry is to be shown: it is the first of its kind since the last sum. */
  isFirst(entry: Single): boolean {
    const key = keyOf(entry);
    if (key === undefined) return true;
    const known = this.#counts.get(key);
    if (known !== undefined) {
      known.times += 1;
      return false;
    }
    if (this.#counts.size >= mostCounted) {
      this.#others += 1;
      return false;
    }
    this.#counts.set(key, { entry, times: 0 });
    return true;
  }

  /** Returns those that came again since the last call, and the number of those that were not shown. Forgets all. */
  take(): { readonly repeated: readonly Repeated[]; readonly others: number } {
    const repeated = [...this.#counts.values()].filter(({ times }) => times > 0);
    const others = this.#others;
    this.#counts.clear();
    this.#others = 0;
    return { repeated, others };
  }
}

/** Returns what entries have in common that count as the same; undefined if each is shown. */
function keyOf(entry: Single): string | undefined {
  if (entry.kind === 'fault') return `${entry.fault} ${entry.on}`;
  return entry.kind === 'finding' ? `${entry.of} ${entry.where} ${entry.expected}` : undefined;
}
