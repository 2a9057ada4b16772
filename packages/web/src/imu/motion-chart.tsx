import { TimeChart } from '../charts/time-chart.js';
import { useNow } from '../parts/texts.js';
import type { Columns } from './motion.js';

/** CSS pixels. */
const height = 170;
/** ms between two drawings. */
const drawnEvery = 200;

interface Properties {
  readonly label: string;
  readonly unit: string;
  /** Names of the curves. */
  readonly names: readonly string[];
  /** Times, then a curve for each name. They are filled further while the chart is shown. */
  readonly columns: Columns;
  /** The least range of the vertical axis, so that noise does not look like a motion. */
  readonly leastSpan: number;
}

/** Some curves of the last minute. */
export function MotionChart({ label, unit, names, columns, leastSpan }: Properties) {
  useNow(drawnEvery);
  const [times, ...curves] = columns;
  const lines = names.map((name, index) => ({
    label: name,
    points: times.map((time, at) => [1000 * time, curves[index]?.[at] ?? null] as const),
  }));
  return (
    <>
      <TimeChart
        lines={lines}
        label={`${label} of the last minute`}
        unit={unit}
        leastSpan={leastSpan}
        height={height}
      />
      <ul class="row small curve-names" aria-label="Curves">
        {names.map((name, index) => (
          <li key={name} class="row">
            <svg viewBox="0 0 24 4" class="curve-sample" aria-hidden="true">
              <path class={`curve curve-${index}`} d="M0 2H24" />
            </svg>
            {name}
          </li>
        ))}
      </ul>
    </>
  );
}
