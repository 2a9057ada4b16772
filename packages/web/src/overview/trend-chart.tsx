import type { Point } from '../charts/lines.js';
import { TimeChart } from '../charts/time-chart.js';
import { useNow } from '../parts/texts.js';
import type { Trend } from './trend.js';

/** °C: the least range, so that noise does not look like a change. */
const leastSpan = 4;

/** ms: a shorter curve says nothing. */
const shortest = 10_000;

interface Curve {
  readonly trend: Trend;
  /** Points from before this page was opened, the oldest first. */
  readonly before: readonly Point[];
  readonly label: string;
  readonly unit: string;
}

/** The curve of a trend, in the unit of its values. */
export function TrendChart({ trend, before, label, unit }: Curve) {
  useNow(5000);
  const own = trend.samples.value.map(({ at, value }) => [1000 * at, value] as const);
  const begin = own[0]?.[0] ?? Date.now();
  const points = [...before.filter(([at]) => at < begin), ...own];
  const last = points.at(-1);
  // What draws curves is loaded when there is one to see.
  if (Date.now() - (points[0]?.[0] ?? Date.now()) < shortest)
    return <p class="soft small">The curve begins after ten seconds.</p>;
  // The last value holds until the next one: the curve continues until now.
  const lines = [{ label, points: last === undefined ? [] : [...points, [Date.now(), last[1]] as const] }];
  return (
    <TimeChart
      lines={lines}
      label={before.length > 0 ? `${label} of the last hour` : `${label} since this page was opened`}
      unit={unit}
      leastSpan={leastSpan}
    />
  );
}
