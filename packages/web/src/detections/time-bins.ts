/** ms */
const lengths = { minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const;
const { hour, day } = lengths;

/** Length of the bins: minutes, hours or days of the local clock. */
export type BinLength = keyof typeof lengths;

/** A part of time, in ms since 1970 UTC, with the number of things in it. */
export interface Bin {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

/** Minutes by which UTC is ahead of the local clock at a time (ms since 1970 UTC). */
type Offset = (at: number) => number;

const offsetHere: Offset = (at) => new Date(at).getTimezoneOffset();

/** Bins at most: older things are left out. */
const mostBins = 62;

/** The length with which a time is shown: not so long that all is in a few bins. */
export function binLengthFor(from: number, to: number): BinLength {
  const span = to - from;
  if (span <= hour) return 'minute';
  return span <= 2 * day ? 'hour' : 'day';
}

/**
 * Counts times in the minutes, hours or days of the local clock, without gaps from the first to the last one. When the
 * clock is set back, the hour that comes twice has two bins.
 * @param times ms since 1970 UTC
 */
export function binsOf(
  times: readonly number[],
  length: BinLength,
  offset: Offset = offsetHere,
): readonly Bin[] {
  const start = (at: number) => (length === 'day' ? dayStart(at, offset) : unitStart(at, length, offset));
  // In the next day, also if the clock is set in between.
  const further = length === 'day' ? 25.5 * hour : lengths[length];
  const [least, last] = [Math.min(...times), Math.max(...times)];
  if (!Number.isFinite(last - least)) return [];
  const most = (mostBins - 1) * lengths[length];
  const bins: Bin[] = [];
  let from = start(Math.max(least, last - most));
  while (from <= last && bins.length <= mostBins) {
    const to = start(from + further);
    const count = times.filter((at) => at >= from && at < to).length;
    bins.push({ from, to, count });
    from = to;
  }
  return bins;
}

function unitStart(at: number, length: 'minute' | 'hour', offset: Offset): number {
  return at - modulo(at - offset(at) * lengths.minute, lengths[length]);
}

function dayStart(at: number, offset: Offset): number {
  const local = at - offset(at) * lengths.minute;
  const midnight = local - modulo(local, day);
  // The clock may have been set between midnight and now.
  return midnight + offset(midnight + offset(at) * lengths.minute) * lengths.minute;
}

function modulo(value: number, by: number): number {
  return ((value % by) + by) % by;
}
