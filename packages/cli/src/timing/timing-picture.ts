import type { Sample, Stream, Stretch, TimingAnalysis, TimingReport } from '@azimuth/client/timing';
import { counted } from '@azimuth/model';
import { type Colour, colours, type Drawing, type Piece } from '../picture/drawing.js';

const width = 1200;
const left = 110;
const right = 1160;
/** Plots from the top: what they show, and where. */
const plots = {
  offset: {
    top: 130,
    bottom: 470,
    title: 'arrival - stamp, against the usual: a flat line is right',
  },
  age: {
    top: 560,
    bottom: 820,
    title: 'age at arrival: of the last beam of each telegram, and of whole scans',
  },
} as const;

const kinds: Readonly<Record<Stream['kind'], Colour>> = {
  scan: colours.echo,
  encoder: [255, 208, 72],
  imu: [54, 208, 170],
};
const scanColour: Colour = colours.reflector;
const eventColour: Colour = [255, 140, 60];

/** Largest number of points of a stream. */
const mostPoints = 4000;
/** Findings that have room below the plots, and characters in a line. */
const mostFindings = 8;
const lineLength = 108;
const lineHeight = 24;
/** Stretches in which this computer was late. */
const lateColour: Colour = [56, 48, 40];

interface Point {
  readonly time: number;
  readonly value: number;
  readonly colour: Colour;
}

/** Draws stamps against arrivals: how far they are apart over time, and how old beams are when they arrive. */
export function timingPicture(
  { streams, lateStretches }: TimingAnalysis,
  report: TimingReport,
  title: string,
): Drawing {
  const begin = Math.min(...streams.map(({ from }) => from));
  const end = Math.max(begin + 1, ...streams.map(({ to }) => to));
  const x = (time: number) => left + ((time - begin) / (end - begin)) * (right - left);
  const lines = report.findings
    .slice(0, mostFindings)
    .flatMap(({ cause, text: what }) => wrapped(`${cause}: ${what}`));
  const height = 880 + lineHeight * Math.max(1, lines.length);
  const late = lateStretches.map(({ from, to }) => ({
    from: x(Math.max(begin, from)),
    to: x(Math.min(end, to)),
  }));
  return {
    title: `Stamps against arrivals: ${title}`,
    width,
    height,
    ground: colours.ground,
    pieces: [
      text(40, 50, title, 28, colours.title),
      text(40, 82, subtitle(report), 17, colours.label),
      ...legend(streams, late.length > 0),
      ...plot(plots.offset, { points: offsetsOf(streams), late, x }),
      ...plot(plots.age, { points: agesOf(streams), late, x }),
      ...events(streams, x),
      ...timeAxis(end - begin, (time) => x(begin + time)),
      ...(lines.length === 0
        ? [text(40, 890, 'nothing is wrong', 17, colours.title)]
        : lines.map((line, index) => text(40, 890 + lineHeight * index, line, 15, eventColour))),
    ],
  };
}

function subtitle({ telegrams, duration, findings }: TimingReport): string {
  const seconds = (duration / 1000).toFixed(1);
  return `${counted(telegrams, 'telegram')} in ${seconds} s  ·  ${counted(findings.length, 'finding')}`;
}

/** Breaks a line between words. */
function wrapped(line: string): readonly string[] {
  const lines: string[] = [];
  let at = '';
  for (const word of line.split(' ')) {
    if (at !== '' && at.length + word.length + 1 > lineLength) {
      lines.push(at);
      at = `   ${word}`;
    } else at = at === '' ? word : `${at} ${word}`;
  }
  return [...lines, at];
}

/** Returns the names of the colours, from the right. */
function legend(streams: readonly Stream[], isLate: boolean): Piece[] {
  const named = new Set(streams.map(({ kind }) => kind));
  const entries: readonly (readonly [string, Colour])[] = [
    ...[...named].map((kind) => [`data: ${kind}`, kinds[kind]] as const),
    ...(named.has('scan') ? [['whole scans', scanColour] as const] : []),
    ...(isLate ? [['this computer was late', [150, 120, 90]] as const] : []),
  ];
  return entries.map(([name, colour], index) => text(right, 30 + 22 * index, name, 15, colour, 'end'));
}

/** Each stretch is about 0: uptime and UTC are far apart. */
function offsetsOf(streams: readonly Stream[]): readonly Point[] {
  return streams.flatMap(({ kind, stretches }) =>
    stretches.flatMap(({ samples }) => {
      const usual = usualDelay(samples.kept);
      return thinned(samples.kept).map(({ time, delay }) => ({
        time,
        value: delay - usual,
        colour: kinds[kind],
      }));
    }),
  );
}

function agesOf(streams: readonly Stream[]): readonly Point[] {
  return streams.filter(({ kind }) => kind === 'scan').flatMap(({ stretches }) => stretches.flatMap(agesIn));
}

/** The quickest telegram of a stretch took no time, as far as anybody knows. */
function agesIn({ samples, scans }: Stretch): readonly Point[] {
  const least = quickestOf(samples.kept);
  return [
    ...thinned(samples.kept).map(({ time, delay, age }) => ({
      time,
      value: age + delay - least,
      colour: kinds.scan,
    })),
    ...thinned(scans.kept).map(({ time, delay, age }) => ({
      time,
      value: age + delay - least,
      colour: scanColour,
    })),
  ];
}

function usualDelay(samples: readonly Sample[]): number {
  return Float64Array.from(samples, ({ delay }) => delay).sort()[samples.length >> 1] ?? 0;
}

function quickestOf(samples: readonly Sample[]): number {
  return samples.reduce((least, { delay }) => Math.min(least, delay), Number.POSITIVE_INFINITY);
}

function thinned<T>(samples: readonly T[]): readonly T[] {
  const every = Math.ceil(samples.length / mostPoints);
  return every <= 1 ? samples : samples.filter((_, index) => index % every === 0);
}

interface Place {
  readonly top: number;
  readonly bottom: number;
  readonly title: string;
}

interface Plotted {
  readonly points: readonly Point[];
  /** Where this computer was late, in pixels. */
  readonly late: readonly { readonly from: number; readonly to: number }[];
  readonly x: (time: number) => number;
}

function plot({ top, bottom, title }: Place, { points, late, x }: Plotted): Piece[] {
  const values = points.map(({ value }) => value);
  const least = values.reduce((one, other) => Math.min(one, other), 0);
  const most = values.reduce((one, other) => Math.max(one, other), least + 1);
  const room = (most - least) * 0.06;
  const low = least - room;
  const high = most + room;
  const y = (value: number) => bottom - ((value - low) / (high - low)) * (bottom - top);
  return [
    { kind: 'box', x: left, y: top, width: right - left, height: bottom - top, colour: colours.field },
    ...late.map(
      ({ from, to }): Piece => ({
        kind: 'box',
        x: from,
        y: top,
        width: Math.max(1, to - from),
        height: bottom - top,
        colour: lateColour,
      }),
    ),
    ...ticks(low, high).flatMap((value): Piece[] => [
      { kind: 'line', x: left, y: y(value), toX: right, toY: y(value), colour: colours.ring, width: 1 },
      text(left - 10, y(value) + 5, `${Number(value.toPrecision(6))} ms`, 15, colours.label, 'end'),
    ]),
    text(left, top - 14, title, 17, colours.label),
    ...points.map(
      ({ time, value, colour }): Piece => ({
        kind: 'dot',
        x: x(time),
        y: y(value),
        radius: 1.8,
        colour,
        opacity: 0.8,
      }),
    ),
  ];
}

/** Vertical lines where something happened: restarts, steps, changes of the clock, silences. */
function events(streams: readonly Stream[], x: (time: number) => number): Piece[] {
  const times = streams.flatMap(({ restarts, steps, changes, silences }) =>
    [restarts, steps, changes, silences].flatMap(({ items }) => items.map(({ at }) => at)),
  );
  return times.slice(0, 200).flatMap((time) =>
    Object.values(plots).map(
      ({ top, bottom }): Piece => ({
        kind: 'line',
        x: x(time),
        y: top,
        toX: x(time),
        toY: bottom,
        colour: eventColour,
        width: 1,
      }),
    ),
  );
}

function timeAxis(duration: number, x: (time: number) => number): Piece[] {
  return ticks(0, duration / 1000).map((seconds) =>
    text(
      x(seconds * 1000),
      plots.age.bottom + 24,
      `${Number(seconds.toPrecision(6))} s`,
      15,
      colours.label,
      'middle',
    ),
  );
}

/** Returns round values between two others, four to nine. */
function ticks(low: number, high: number): readonly number[] {
  const decade = 10 ** Math.floor(Math.log10((high - low) / 4));
  const step = ([1, 2, 5, 10].findLast((each) => (high - low) / (each * decade) >= 4) ?? 1) * decade;
  const first = Math.ceil(low / step);
  const count = Math.floor(high / step) - first + 1;
  return Array.from({ length: Math.max(0, Math.min(20, count)) }, (_, index) => (first + index) * step);
}

function text(
  x: number,
  y: number,
  content: string,
  size: number,
  colour: Colour,
  anchor: 'start' | 'middle' | 'end' = 'start',
): Piece {
  return { kind: 'text', x, y, text: content, size, colour, anchor };
}
