import uPlot from 'uplot';
import { localMinute } from '../parts/texts.js';
import { useCanvasDrawing } from '../plan/colours.js';
import type { Trend } from './trend.js';
import 'uplot/dist/uPlot.min.css';

/** CSS pixels. */
const height = 140;
/** The least range of the vertical axis, so that noise does not look like a change. */
const leastSpan = 4;

/** The least range of the horizontal axis, in s. */
const leastTime = 300;
/** Steps of the horizontal axis, in s. */
const timeSteps = [60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 43_200, 86_400];

export default function TrendChart({ trend, label, unit }: { trend: Trend; label: string; unit: string }) {
  const place = useCanvasDrawing(
    (current, theme) => {
      const colour = (token: 'soft' | 'grid-strong' | 'accent') => () => theme.colours.peek()[token];
      const axis = {
        stroke: colour('soft'),
        grid: { stroke: colour('grid-strong'), width: 1 },
        ticks: { show: false },
      };
      const chart = new uPlot(
        {
          width: Math.max(1, current.clientWidth),
          height,
          legend: { show: false },
          cursor: { y: false, drag: { x: false, y: false } },
          axes: [
            {
              ...axis,
              incrs: timeSteps,
              space: 60,
              values: (_, times) => times.map((time) => localMinute(new Date(time * 1000))),
            },
            {
              ...axis,
              size: 44,
              incrs: [1, 2, 5, 10, 20],
              values: (_, ticks) => ticks.map((tick) => `${tick} ${unit}`),
            },
          ],
          scales: {
            x: { range: (_, least, last) => [Math.min(least ?? 0, (last ?? 0) - leastTime), last ?? 0] },
            y: { range: (_, least, largest) => rangeAround(least, largest) },
          },
          series: [{}, { label, stroke: colour('accent'), width: 2, points: { show: false } }],
        },
        dataOf(trend),
        current,
      );
      const stopData = trend.samples.subscribe(() => chart.setData(dataOf(trend)));
      const stopColours = theme.colours.subscribe(() => chart.redraw(false, true));
      // The last value holds until the next one: the curve continues until now.
      const timer = setInterval(() => chart.setData(dataOf(trend)), 5000);
      return {
        resized: () => chart.setSize({ width: Math.max(1, current.clientWidth), height }),
        end() {
          clearInterval(timer);
          stopColours();
          stopData();
          chart.destroy();
        },
      };
    },
    [trend, label, unit],
  );
  return <div class="trend" ref={place} role="img" aria-label={`${label} since this page was opened`} />;
}

function dataOf(trend: Trend): uPlot.AlignedData {
  const samples = trend.samples.peek();
  const times = samples.map(({ at }) => at);
  const values = samples.map(({ value }) => value);
  const last = values.at(-1);
  if (last !== undefined) {
    times.push(Date.now() / 1000);
    values.push(last);
  }
  return [times, values];
}

function rangeAround(least: number | null, largest: number | null): [number, number] {
  const [from, to] = [least ?? 0, largest ?? 0];
  const more = Math.max(0, leastSpan - (to - from)) / 2;
  return [Math.floor(from - more), Math.ceil(to + more)];
}
