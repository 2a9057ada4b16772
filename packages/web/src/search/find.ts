import type { Entry } from './entries.js';

/** An entry that has all words, with the part of it that has those which the title and the text lack. */
export interface Hit {
  readonly entry: Entry;
  /** Undefined if title and text have all words. */
  readonly part: string | undefined;
}

/**
 * The entries that have all the words, anywhere in them. The best are first: those whose title is what was typed, then those
 * whose title begins with it, has it, whose parts have it, and whose text has it.
 */
export function found(entries: readonly Entry[], typed: string): readonly Hit[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const whole = words.join(' ');
  return entries
    .flatMap((entry) => {
      const hit = hitIn(entry, words);
      return hit === undefined ? [] : [{ hit, rank: rankOf(hit, words, whole) }];
    })
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ hit }) => hit);
}

const hasAll = (text: string, words: readonly string[]) => words.every((word) => text.includes(word));

function hitIn(entry: Entry, words: readonly string[]): Hit | undefined {
  const head = `${entry.title} ${entry.text}`.toLowerCase();
  if (hasAll(head, words)) return { entry, part: undefined };
  const others = words.filter((word) => !head.includes(word));
  const part = entry.parts.find((one) => hasAll(one.toLowerCase(), others));
  return part === undefined ? undefined : { entry, part };
}

function rankOf({ entry, part }: Hit, words: readonly string[], whole: string): number {
  const title = entry.title.toLowerCase();
  if (title === whole) return 0;
  if (title.startsWith(whole)) return 1;
  if (hasAll(title, words)) return 2;
  return part === undefined ? 4 : 3;
}
