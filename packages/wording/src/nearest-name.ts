/** Longer texts are not compared. */
const longest = 100;

/**
 * The most similar name: the one with the fewest changed letters, ignoring case. Undefined if more than a third of the
 * letters, and more than two, or all of them differ.
 */
export function nearestName(typed: string, names: readonly string[]): string | undefined {
  if (typed.length > longest) return undefined;
  let nearest: string | undefined;
  let fewest = Math.min(Math.max(2, Math.floor(typed.length / 3)) + 1, typed.length);
  for (const name of names) {
    const changes = editDistance(typed.toLowerCase(), name.toLowerCase());
    if (changes >= fewest) continue;
    fewest = changes;
    nearest = name;
  }
  return nearest;
}

/** Number of letters to insert, delete or replace to convert one text into the other (Levenshtein). */
export function editDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 0; i < one.length; i++) {
    const next = [i + 1];
    for (let j = 0; j < other.length; j++) {
      const replaced = (row[j] ?? 0) + (one[i] === other[j] ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}
