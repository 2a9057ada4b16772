/** What the pages need, and only newer browsers have. The oldest that have all of it are named in index.html. */
const needed: readonly (readonly [string, () => boolean])[] = [
  ['light-dark() in styles', () => CSS.supports('color', 'light-dark(#000, #fff)')],
  [':has() in styles', () => CSS.supports('selector(:has(a))')],
  ['AbortSignal.any', () => 'any' in AbortSignal],
  ['Array.prototype.toSorted', () => 'toSorted' in Array.prototype],
  ['WebSocket', () => 'WebSocket' in globalThis],
];

/** What this browser lacks of it. */
export function missingHere(): readonly string[] {
  return needed.filter(([, isThere]) => !isThere()).map(([name]) => name);
}
