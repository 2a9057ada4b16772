import type { LoggedChange } from '../connection/event-log.js';

/** Changes whose name or value contains all words. Names of values in words count, too. */
export function matching(
  changes: readonly LoggedChange[],
  typed: string,
  textOf: (change: LoggedChange) => string,
): readonly LoggedChange[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return changes;
  return changes.filter((change) => {
    const text = `${change.name} ${textOf(change)} ${change.json}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
