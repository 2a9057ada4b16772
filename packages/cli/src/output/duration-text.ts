const lengths = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1000],
] as const;

/** Returns the two largest units of a duration in ms: `2 d 3 h`, `40 s`. */
export function durationText(milliseconds: number): string {
  let left = Math.max(0, milliseconds);
  const parts: string[] = [];
  for (const [unit, length] of lengths) {
    const count = Math.floor(left / length);
    left -= count * length;
    if (count > 0) parts.push(`${count} ${unit}`);
  }
  return parts.slice(0, 2).join(' ') || '0 s';
}
