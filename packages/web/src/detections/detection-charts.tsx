import { counted, type Detection } from '@azimuth/model';
import { Panel, Table } from '../parts/panels.js';
import { linkTo } from '../parts/route.js';
import { localDateTime, localMinute } from '../parts/texts.js';
import { countsByField } from './detection-table.js';
import { type Infringement, type Span, spansOf } from './infringements.js';
import { type Bin, type BinLength, binLengthFor, binsOf } from './time-bins.js';

/** Units of the pictures, which are as wide as their places. */
const [width, barHeight, lineHeight] = [1000, 100, 20];
const widestBar = 60;
/** The least width of a detection in the timeline. */
const leastWidth = 4;

/**
 * Detections as bars: how many in each hour or day, how many of each field, and when.
 * @param detections at least one
 */
export function DetectionCharts({
  detections,
  seen,
}: {
  detections: readonly Detection[];
  seen: readonly Infringement[];
}) {
  const times = detections.map(({ Timestamp }) => Timestamp);
  const length = binLengthFor(Math.min(...times), Math.max(...times));
  const bins = binsOf(times, length);
  const [first, last] = [bins.at(0), bins.at(-1)];
  if (first === undefined || last === undefined) return null;
  const range = { from: first.from, to: last.to };
  return (
    <div class="detection-charts">
      <Panel title={`By ${length}`} label="Detections by time">
        <TimeBars bins={bins} length={length} />
      </Panel>
      <Panel title="By field" label="Detections by field">
        <FieldBars detections={detections} spans={spansOf(detections, seen, Date.now())} range={range} />
      </Panel>
    </div>
  );
}

/** `2026-03-01 14:00`; for a day `2026-03-01`. */
function binText({ from }: Bin, length: BinLength): string {
  const text = localDateTime(new Date(from));
  return text.slice(0, length === 'day' ? 10 : 16);
}

function TimeBars({ bins, length }: { bins: readonly Bin[]; length: BinLength }) {
  const most = Math.max(...bins.map(({ count }) => count));
  const fullest = bins.find(({ count }) => count === most);
  const step = width / bins.length;
  const bar = Math.min(step * 0.8, widestBar);
  const [first, last] = [bins.at(0), bins.at(-1)];
  return (
    <figure class="time-bars">
      <svg
        viewBox={`0 0 ${width} ${barHeight}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Detections in each ${length}, at most ${most}${fullest === undefined ? '' : `: ${binText(fullest, length)}`}`}
      >
        {bins.map((bin, index) => (
          <rect
            key={bin.from}
            x={(index + 0.5) * step - bar / 2}
            width={bar}
            y={barHeight * (1 - bin.count / most)}
            height={(barHeight * bin.count) / most}
          >
            <title>{`${binText(bin, length)}: ${counted(bin.count, 'detection')}`}</title>
          </rect>
        ))}
      </svg>
      <figcaption class="row between small soft">
        <span>{first && binText(first, length)}</span>
        <span>highest bar: {most}</span>
        <span>{last && (length === 'day' ? binText(last, length) : localMinute(new Date(last.to)))}</span>
      </figcaption>
    </figure>
  );
}

interface Range {
  readonly from: number;
  readonly to: number;
}

function FieldBars({
  detections,
  spans,
  range,
}: {
  detections: readonly Detection[];
  spans: readonly Span[];
  range: Range;
}) {
  const rows = countsByField(detections);
  const most = Math.max(...rows.map(({ count }) => count));
  return (
    <Table
      kind="field-bars"
      containerClass=""
      rows={rows}
      keyOf={({ field }) => field}
      columns={[
        ['Field', ({ field, text }) => <a href={linkTo('fields', String(field))}>{text}</a>, 'head'],
        [
          'Count',
          ({ count }) => (
            <>
              {count}
              <svg viewBox={`0 0 ${width} 10`} preserveAspectRatio="none" aria-hidden="true">
                <rect width={(width * count) / most} height="10" />
              </svg>
            </>
          ),
          'count',
        ],
        [
          'When',
          ({ field, count, text }) => (
            <svg
              viewBox={`0 0 ${width} ${lineHeight}`}
              preserveAspectRatio="none"
              role="img"
              aria-label={`When: ${counted(count, 'detection')} of ${text}`}
            >
              <path class="axis" d={`M0 ${lineHeight / 2}H${width}`} />
              {spans
                .filter((span) => span.field === field)
                .map((span, index) => (
                  <SpanBar key={`${span.from} ${index}`} span={span} range={range} />
                ))}
            </svg>
          ),
          'when',
        ],
      ]}
    />
  );
}

function SpanBar({ span: { from, to }, range }: { span: Span; range: Range }) {
  const scale = width / (range.to - range.from);
  const left = Math.max(0, (from - range.from) * scale);
  const seconds = ((to - from) / 1000).toFixed(1);
  return (
    <rect x={left} width={Math.max(leastWidth, (to - from) * scale)} height={lineHeight}>
      <title>{`${localDateTime(new Date(from))}${to > from ? `, for ${seconds} s` : ''}`}</title>
    </rect>
  );
}
