/**
 * The pause before the next attempt at something that fails, in the unit of `first`: twice as long each time.
 * @param failures attempts in a row that have failed before the last one: 0 gives the first pause
 * @param longest no pause is longer
 */
export function doubledPause(first: number, failures: number, longest = Number.POSITIVE_INFINITY): number {
  return Math.min(first * 2 ** failures, longest);
}
