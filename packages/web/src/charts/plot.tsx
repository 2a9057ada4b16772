import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import { localDateTime, localMinute, localSecond } from '../parts/texts.js';
import { type ThemeColours, useCanvasDrawing } from '../plan/colours.js';
import { alignedLines, type Chart, isolatedIn, pointAt, rangeAround } from './lines.js';
import 'uplot/dist/uPlot.min.css';

/** Curves differ without their colours, too: as the classes `curve-0` to `curve-2` of the styles. */
const strokes = [
  { token: 'accent', dash: [] },
  { token: 'good', dash: [7, 3] },
  { token: 'warn', dash: [2, 4] },
] as const;

/** Steps between times that people read easily, in s. */
const timeSteps = [
  10, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 43_200, 86_400, 172_800, 604_800,
];

/** The curves of a chart. */
export default function Plot({ lines, label, unit, leastTime = 60_000, leastSpan = 1, height = 140 }: Chart) {
  /** The time under the pointer in ms since 1970 UTC. */
  const pointed = useSignal<number | undefined>(undefined);
  const plot = useRef<uPlot | undefined>(undefined);
  const names = lines.map((line) => line.label).join('\n');
  const place = useCanvasDrawing(
    (current, theme) => {
      const point = ({ cursor, posToVal }: uPlot) => {
        const { left = -1 } = cursor;
        pointed.value = left < 0 ? undefined : 1000 * posToVal(left, 'x');
      };
      const width = () => Math.max(1, current.clientWidth);
      const series = names.split('\n').map((name, index) => {
        const { token, dash } = strokes[index % strokes.length] ?? strokes[0];
        const stroke = () => theme.colours.peek()[token];
        const filter = ({ data }: uPlot, line: number) => isolatedIn([...(data[line] ?? [])]);
        return { label: name, stroke, width: 2, dash: [...dash], points: { size: 4, filter } };
      });
      const drawn = new uPlot(
        {
          ...{ width: width(), height, legend: { show: false }, series: [{}, ...series] },
          ...{ axes: axesOf(theme, unit), scales: scalesOf(leastTime / 1000, leastSpan) },
          cursor: { y: false, drag: { x: false, y: false }, points: { show: false } },
          hooks: { setCursor: [point] },
        },
        alignedLines(lines),
        current,
      );
      plot.current = drawn;
      const stopColours = theme.colours.subscribe(() => drawn.redraw(false, true));
      return {
        resized: () => drawn.setSize({ width: width(), height }),
        end() {
          stopColours();
          drawn.destroy();
        },
      };
    },
    [names, unit, leastTime, leastSpan, height],
  );
  useEffect(() => plot.current?.setData(alignedLines(lines)), [lines]);
  const time = pointed.value;
  const newest = Math.max(...lines.map(({ points }) => points.at(-1)?.[0] ?? 0));
  return (
    <div class="time-chart" role="img" aria-label={label}>
      <div ref={place} style={`height:${height}px`} />
      {time !== undefined && time <= newest && (
        <p class="chart-told small">
          {localDateTime(new Date(time))}
          {lines.map(({ label: name, points }) => (
            <span key={name}>
              {lines.length > 1 && `${name} `}
              {valueText(pointAt(points, time)?.[1] ?? null, unit)}
            </span>
          ))}
        </p>
      )}
    </div>
  );
}

function axesOf(theme: ThemeColours, unit: string): uPlot.Axis[] {
  const axis = {
    stroke: () => theme.colours.peek().soft,
    grid: { stroke: () => theme.colours.peek().grid, width: 1 },
    ticks: { show: false },
  };
  return [
    {
      ...{ ...axis, size: 28, incrs: timeSteps, space: 80 },
      values: (_, times, _axis, _space, step) => times.map((time) => timeText(1000 * time, step)),
    },
    {
      ...{ ...axis, size: 64, space: 24 },
      values: (_, values) => values.map((value) => valueText(value, unit)),
    },
  ];
}

/** @param leastTime s */
function scalesOf(leastTime: number, leastSpan: number): uPlot.Scales {
  return {
    // A curve begins at the left end with what is known, and grows to the right.
    x: { range: (_, first, last) => [first ?? 0, Math.max(last ?? 0, (first ?? 0) + leastTime)] },
    y: { range: (_, least, largest) => [...rangeAround(least ?? 0, largest ?? 0, leastSpan)] },
  };
}

function valueText(value: number | null, unit: string): string {
  if (value === null) return 'not known';
  const text = Math.abs(value) < 1000 ? Number(value.toPrecision(4)) : Math.round(value);
  return unit === '°' ? `${text}°` : `${text} ${unit}`.trimEnd();
}

/** @param time ms since 1970 UTC @param step s between two times of the axis */
function timeText(time: number, step: number): string {
  const at = new Date(time);
  if (step >= 86_400) return localDateTime(at).slice(5, 10);
  return step < 60 ? localSecond(at) : localMinute(at);
}
