import type { Draws } from './draws.js';

/** Changes so many bytes at random places from `from` up to below `to`. No place is changed back. */
export function changeBytes(
  bytes: Uint8Array,
  { from, to }: { readonly from: number; readonly to: number },
  count: number,
  draws: Draws,
): void {
  const places = new Set<number>();
  while (places.size < Math.min(count, to - from)) places.add(from + draws.below(to - from));
  for (const place of places) bytes[place] = (bytes[place] ?? 0) ^ (1 + draws.below(255));
}
