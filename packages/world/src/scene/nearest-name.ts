/** Names longer than this are nobody's slip of the pen. */
const longest = 40;

/** The known name that one was most likely meant by a wrong one; undefined where none is near. */
export function nearestName(wrong: string, known: readonly string[]): string | undefined {
  if (wrong.length > longest) return undefined;
  let nearest: string | undefined;
  // Half of a name may be wrong, but not more than three letters.
  let fewest = Math.min(3, Math.floor(wrong.length / 2)) + 1;
  for (const name of known) {
    const edits = editsBetween(wrong.toLowerCase(), name.toLowerCase());
    if (edits < fewest) {
      fewest = edits;
      nearest = name;
    }
  }
  return nearest;
}

/** Letters to add, drop or replace (Levenshtein). */
function editsBetween(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let line = 1; line <= from.length; line++) {
    const next = [line];
    for (let column = 1; column <= to.length; column++) {
      const replaced = (row[column - 1] ?? 0) + (from[line - 1] === to[column - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
