import type { SiteCurve } from '@azimuth/http/site';
import type { HistoryPoint } from './history-answer.js';

/** A stretch of time that a page shows. */
export interface Span {
  readonly label: string;
  /** ms. */
  readonly length: number;
  /** ms until the curves are read again. */
  readonly every: number;
}

const hour = 3_600_000;

export const spans: readonly [Span, ...Span[]] = [
  { label: '1 h', length: hour, every: 30_000 },
  { label: '24 h', length: 24 * hour, every: 60_000 },
  { label: '7 d', length: 7 * 24 * hour, every: 300_000 },
  { label: '30 d', length: 30 * 24 * hour, every: 300_000 },
];

/** A curve with its points. */
export interface ReadCurve extends SiteCurve {
  readonly points: readonly HistoryPoint[];
}

/** A curve, and what its points have in common. */
export interface Summed extends ReadCurve {
  readonly least: number;
  readonly largest: number;
  /** The newest known value. */
  readonly newest: number;
  /** True if the newest value is that of the last point: it is known now. */
  readonly isCurrent: boolean;
}

/** The curves of a scanner as a page shows them. */
export interface SortedCurves {
  /** Those whose value changes, in the order of the server. */
  readonly changing: readonly Summed[];
  /** Those with one value all the time. */
  readonly constant: readonly Summed[];
  /** Those of which nothing is known in this time. */
  readonly unknown: readonly SiteCurve[];
}

export function sortedCurves(curves: readonly ReadCurve[]): SortedCurves {
  const summed = curves.flatMap((curve) => summedOf(curve) ?? []);
  return {
    changing: summed.filter(({ least, largest }) => least < largest),
    constant: summed.filter(({ least, largest }) => least === largest),
    unknown: curves.filter(({ points }) => points.every(([, value]) => value === null)),
  };
}

function summedOf(curve: ReadCurve): Summed | undefined {
  let [least, largest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  let newest: number | undefined;
  for (const [, value] of curve.points) {
    if (value === null) continue;
    least = Math.min(least, value);
    largest = Math.max(largest, value);
    newest = value;
  }
  if (newest === undefined) return undefined;
  return { ...curve, least, largest, newest, isCurrent: curve.points.at(-1)?.[1] !== null };
}

/**
 * Returns points that begin and end at the same times as all others, so that curves stand below each other. The time
 * without a value is a gap.
 */
export function between(points: readonly HistoryPoint[], from: number, to: number): readonly HistoryPoint[] {
  const inside = points.filter(([at]) => at >= from && at <= to);
  const [first, last] = [inside[0], inside.at(-1)];
  return [
    ...(first === undefined || first[0] > from ? [[from, null] as const] : []),
    ...inside,
    // The last value holds until the next one.
    ...(last === undefined || last[0] < to ? [[to, last?.[1] ?? null] as const] : []),
  ];
}

/** The part of a stretch of time in which a scanner has answered. */
export type Presence = 'all' | 'part' | 'none' | 'unknown';

/** A stretch of time with one presence. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly presence: Presence;
}

/** Returns the stretches of a curve of percents of the time in which the scanner has answered. */
export function stretchesOf(points: readonly HistoryPoint[]): readonly Stretch[] {
  const stretches: { from: number; to: number; presence: Presence }[] = [];
  points.forEach(([from, value], index) => {
    const to = points[index + 1]?.[0] ?? from;
    const presence = presenceOf(value);
    const before = stretches.at(-1);
    if (before?.presence === presence) before.to = to;
    else if (to > from) stretches.push({ from, to, presence });
  });
  return stretches;
}

function presenceOf(percent: number | null): Presence {
  if (percent === null) return 'unknown';
  if (percent >= 100) return 'all';
  return percent > 0 ? 'part' : 'none';
}

/** Returns the share of the known time in percent; undefined if nothing is known. */
export function shareOf(points: readonly HistoryPoint[]): number | undefined {
  let [known, answered] = [0, 0];
  points.forEach(([from, value], index) => {
    const length = (points[index + 1]?.[0] ?? from) - from;
    if (value === null) return;
    known += length;
    answered += (length * Math.min(100, Math.max(0, value))) / 100;
  });
  return known === 0 ? undefined : (100 * answered) / known;
}

/** A value with as many digits as its range means something. */
export function figure(value: number, { least, largest }: Pick<Summed, 'least' | 'largest'>): string {
  const span = largest - least;
  const digits = Number.isInteger(value) && span >= 4 ? 0 : span >= 20 ? 0 : span >= 1 ? 1 : 2;
  return String(Number(value.toFixed(digits)));
}
