import type { Points } from './points.js';
import { shorterTurn } from './pose-track.js';
import {
  angleUnits,
  type LengthUnit,
  lengthUnits,
  type PointUnits,
  type TimeUnit,
  timeUnits,
} from './units.js';

/** Points of one scan, by their places in all points. */
export interface ScanGroup {
  /** The number of the scan, if the driver says it. */
  readonly frame: number | undefined;
  readonly places: readonly number[];
}

/** Returns groups of points with the same number of a scan, in the order in which they come. */
export function groupsByFrame(points: Points): readonly ScanGroup[] {
  const groups = new Map<number, number[]>();
  for (const [place, frame] of points.column('frame').entries()) {
    if (!Number.isFinite(frame)) continue;
    const group = groups.get(frame);
    if (group === undefined) groups.set(frame, [place]);
    else group.push(place);
  }
  return [...groups].map(([frame, places]) => ({ frame, places }));
}

/** A pause between points that parts scans: as a share of a revolution. */
const pause = 0.12;

/**
 * Returns groups of points between the pauses in their times.
 * @param time of all points, in µs @param period µs of a revolution
 */
export function groupsByTime(time: Float64Array, period: number): readonly ScanGroup[] {
  const order = [...time.keys()].filter((place) => Number.isFinite(time[place]));
  order.sort((one, other) => (time[one] ?? 0) - (time[other] ?? 0));
  const groups: number[][] = [];
  let begin = Number.NEGATIVE_INFINITY;
  let before = Number.NEGATIVE_INFINITY;
  for (const place of order) {
    const at = time[place] ?? 0;
    // Times that are spread over the whole revolution have no pauses.
    if (at - before > pause * period || at - begin >= period) {
      groups.push([]);
      begin = at;
    }
    groups.at(-1)?.push(place);
    before = at;
  }
  return groups.map((places) => ({ frame: undefined, places }));
}

/** Returns groups of points whose directions go round once. For points without times and numbers. */
export function groupsByDirection(x: Float64Array, y: Float64Array): readonly ScanGroup[] {
  const groups: number[][] = [[]];
  let passed = 0;
  let before = Math.atan2(y[0] ?? 0, x[0] ?? 0);
  for (const place of x.keys()) {
    const angle = Math.atan2(y[place] ?? 0, x[place] ?? 0);
    passed += shorterTurn(angle - before);
    before = angle;
    if (Math.abs(passed) >= 2 * Math.PI - 0.02) {
      groups.push([]);
      passed = 0;
    }
    groups.at(-1)?.push(place);
  }
  return groups.map((places) => ({ frame: undefined, places }));
}

/** Units of points, and whether they were guessed. */
export interface DecidedUnits {
  readonly length: LengthUnit;
  readonly angle: 'deg' | 'rad';
  readonly time: TimeUnit | undefined;
  /** In words, those that were guessed. */
  readonly guessed: readonly string[];
}

/** What of the truth units are guessed from. */
export interface UnitHints {
  /** m: a range that is usual in the scan. */
  readonly usualRange: number;
  /** µs: the end of the newest scan. */
  readonly newest: number;
  /** µs of a revolution. */
  readonly period: number;
  /** µs since 1970, of this computer. */
  readonly now: number;
}

/** Decides the units of points: by what was said, else by the names of the columns, else by their values. */
export function decidedUnits(points: Points, said: PointUnits, hints: UnitHints): DecidedUnits {
  const known: PointUnits = { ...points.units, ...said };
  const guessed: string[] = [];
  const guess = <Unit extends string>(what: string, unit: Unit): Unit => {
    guessed.push(`${what} in ${unit}`);
    return unit;
  };
  const angle = known.angle ?? (points.isPolar ? guess('angles', guessedAngle(points)) : 'rad');
  const length = known.length ?? guess('lengths', guessedLength(points, hints.usualRange));
  const hasTimes = points.column('time').some(Number.isFinite);
  const time = hasTimes ? (known.time ?? guess('times', guessedTime(points, hints))) : undefined;
  return { length, angle, time, guessed };
}

function guessedAngle(points: Points): 'deg' | 'rad' {
  return points.column('second').some((angle) => Math.abs(angle) > 2 * Math.PI + 0.01) ? 'deg' : 'rad';
}

function guessedLength(points: Points, usualRange: number): LengthUnit {
  const second = points.column('second');
  const sizes = points
    .column('first')
    .map((first, at) => (points.isPolar ? first : Math.hypot(first, second[at] ?? 0)));
  const middle = sizes.sort()[Math.floor(sizes.length / 2)] ?? 1;
  const distance = (unit: LengthUnit) => Math.abs(Math.log((middle * lengthUnits[unit]) / usualRange));
  return (['m', 'mm', 'cm'] as const).reduce((best, unit) => (distance(unit) < distance(best) ? unit : best));
}

/** The unit in which times are near those of the scanner, or of this computer; else that in which a scan has its length. */
function guessedTime(points: Points, { newest, now, period }: UnitHints): TimeUnit {
  const times = points.column('time').filter(Number.isFinite).sort();
  const last = times.at(-1) ?? 0;
  const all: readonly TimeUnit[] = ['us', 's', 'ms', 'ns'];
  for (const near of [newest, now]) {
    const unit = all.find(
      (each) =>
        Math.abs(last * timeUnits[each] - near) < 600_000_000 && (last * timeUnits[each]) / near > 0.5,
    );
    if (unit !== undefined) return unit;
  }
  const steps = times
    .map((time, at) => time - (times[at - 1] ?? time))
    .filter((step) => step > 0)
    .sort();
  const most = steps.at(-1) ?? 1;
  const distance = (unit: TimeUnit) => Math.abs(Math.log((most * timeUnits[unit]) / (period / 4)));
  return all.reduce((best, unit) => (distance(unit) < distance(best) ? unit : best));
}

/** Points in m, and their times in µs. */
export interface MetricPoints {
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly time: Float64Array;
  readonly echo: Float64Array;
}

/** Returns the points in units of this program. */
export function metricPoints(points: Points, { length, angle, time }: DecidedUnits): MetricPoints {
  const [first, second] = [points.column('first'), points.column('second')];
  const metres = lengthUnits[length];
  const radians = angleUnits[angle];
  const direction = (at: number) => (second[at] ?? 0) * radians;
  return {
    x: first.map((value, at) => value * metres * (points.isPolar ? Math.cos(direction(at)) : 1)),
    y: points.isPolar
      ? first.map((value, at) => value * metres * Math.sin(direction(at)))
      : second.map((value) => value * metres),
    time: points.column('time').map((value) => (time === undefined ? Number.NaN : value * timeUnits[time])),
    echo: points.column('echo').slice(),
  };
}
