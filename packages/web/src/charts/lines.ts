/** A time in ms since 1970 UTC, and the value then; null: it is not known, and the curve has a gap. */
export type Point = readonly [time: number, value: number | null];

/** A curve. */
export interface Line {
  readonly label: string;
  /** In the order of their times. */
  readonly points: readonly Point[];
}

/** Curves of values over time. */
export interface Chart {
  readonly lines: readonly Line[];
  /** What it shows, for those who do not see it. */
  readonly label: string;
  readonly unit: string;
  /** The least range of times in ms: it begins with the first point. Default: 1 min. */
  readonly leastTime?: number;
  /** The least range of values, so that noise does not look like a change. Default: 1. */
  readonly leastSpan?: number;
  /** CSS pixels. Default: 140. */
  readonly height?: number;
}

/** The range of an axis. */
export type Range = readonly [from: number, to: number];

/** The times of all lines in s, and the values of each line then: what a plot draws. */
export type AlignedLines = [times: number[], ...values: (number | null | undefined)[][]];

/** Returns lines whose times may differ at common times. A time that a line does not have is undefined there: no gap. */
export function alignedLines(lines: readonly Line[]): AlignedLines {
  const times = [...new Set(lines.flatMap(({ points }) => points.map(([time]) => time)))].sort(
    (one, other) => one - other,
  );
  const values = lines.map(({ points }) => {
    const known = new Map(points);
    return times.map((time) => known.get(time));
  });
  return [times.map((time) => time / 1000), ...values];
}

/** Returns the range around values that is at least so wide, so that noise does not look like a change. */
export function rangeAround(least: number, largest: number, leastSpan: number): Range {
  const more = Math.max((largest - least) * 0.05, (leastSpan - (largest - least)) / 2);
  return [least - more, largest + more];
}

/** Returns the places of values between two gaps: a line through one value is nothing. */
export function isolatedIn(values: readonly (number | null | undefined)[]): number[] {
  return values.flatMap((value, index) => {
    const isAlone = (values[index - 1] ?? null) === null && (values[index + 1] ?? null) === null;
    return isAlone && (value ?? null) !== null ? [index] : [];
  });
}

/** Returns the newest point up to a time: its value holds until the next one. */
export function pointAt(points: readonly Point[], time: number): Point | undefined {
  return points.findLast(([at]) => at <= time);
}
