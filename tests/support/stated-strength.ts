/** The nearest signal strength to this one that a scanner can state, for what is no reflector: 257 × n, n from 1 to 253. */
export function statedStrength(strength: number): number {
  return 257 * Math.min(Math.max(Math.round(strength / 257), 1), 253);
}
