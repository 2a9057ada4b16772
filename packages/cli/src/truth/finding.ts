/** What is wrong with the points of a driver, for programs. */
export const findingKinds = [
  'mirrored',
  'turned',
  'scaled',
  'offset',
  'mounting',
  'stale',
  'repeated',
  'not-deskewed',
  'deskewed-wrongly',
  'late-poses',
  'ambiguous',
  'unexplained',
  'last-echo',
  'first-echo',
  'echo-order',
  'missing',
  'doubled',
  'times-late',
  'times-of-last-beam',
  'times-at-arrival',
  'times-of-another-clock',
  'times-uneven',
  'stray-points',
] as const;

export type FindingKind = (typeof findingKinds)[number];

/** Something that is wrong with points, and what to do. Both texts without a full stop. */
export interface Finding {
  readonly kind: FindingKind;
  readonly text: string;
  readonly remedy: string;
}

/** Returns a number with as many digits as people read: three, and no more than thousandths. */
export function short(value: number): string {
  const size = Math.abs(value);
  if (size >= 100) return value.toFixed(0);
  if (size >= 10) return value.toFixed(1);
  return value.toFixed(size >= 1 ? 2 : 3);
}

/** Returns the middle value; NaN if there is none. Values that are not finite do not count. */
export function median(values: Iterable<number>): number {
  return share(values, 0.5);
}

/** Returns the value that this share of the values do not exceed; NaN if there is none. */
export function share(values: Iterable<number>, part: number): number {
  const sorted = Float64Array.from(values).filter(Number.isFinite).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}
