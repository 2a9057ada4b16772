import { mostLag } from './explanations.js';
import { costOf, type Points as FitPoints } from './fit.js';
import type { DriverFacts, DriverScan } from './judgement.js';
import { pointFrames, rightPlacement } from './placement.js';
import type { Points } from './points.js';
import { PoseTrack } from './pose-track.js';
import {
  decidedUnits,
  groupsByDirection,
  groupsByFrame,
  groupsByTime,
  type MetricPoints,
  metricPoints,
  type ScanGroup,
} from './scan-groups.js';
import { periodOf } from './times.js';
import type { TrueScan } from './true-scan.js';
import type { PointUnits } from './units.js';

/** Where the truth of scans comes from. */
export interface TruthSource {
  /** Returns the newest scan; undefined if there is none. */
  newest(): Promise<TrueScan | undefined>;
  /** Returns a scan by its number; undefined if it is not known. */
  scan(number: number): Promise<TrueScan | undefined>;
}

/** What is known about points before they are matched. */
export interface MatchFacts extends Pick<DriverFacts, 'frame'> {
  readonly units: PointUnits;
  /** The number of the scan of all points, if it was said. */
  readonly scan: number | undefined;
  /** Most scans that are judged: the last ones. */
  readonly most: number;
  /** µs since 1970. */
  readonly now: number;
  /** Is told how many scans of all are matched. */
  readonly progress: (done: number, all: number) => void;
}

/** Points in the scans that they belong to. */
export interface MatchedPoints {
  readonly scans: readonly DriverScan[];
  /** What was guessed, in words. */
  readonly notes: readonly string[];
}

/** Points cannot be matched with scans. The message is one line for a person. */
export class MatchError extends Error {
  override readonly name = 'MatchError';
}

/** Fewer points are no scan. */
const leastPoints = 5;

/** How many scans back the newest points are looked for. */
const mostBack = 12;

/** Finds the scans of points, and what their beams met. @throws MatchError */
export async function matchedPoints(
  points: Points,
  source: TruthSource,
  facts: MatchFacts,
): Promise<MatchedPoints> {
  const newest = await source.newest();
  if (newest === undefined)
    throw new MatchError('the scanner has measured no scan that its truth is known of');
  if (points.count === 0) throw new MatchError('there are no points');
  const period = periodOf([{ truth: newest }]);
  const units = decidedUnits(points, facts.units, {
    ...{ usualRange: usualRange(newest), newest: newest.end, period, now: facts.now },
  });
  const metric = metricPoints(points, units);
  const notes = [
    ...units.guessed.map((guess) => `guessed: ${guess}`),
    ...(points.dropped > 0 ? [`only the last ${points.count} points are judged`] : []),
  ];
  const { numbered, how } = await numberedGroups(points, metric, { source, newest, period, facts });
  const chosen = numbered.slice(-facts.most);
  const scans: DriverScan[] = [];
  let unknown = 0;
  for (const [at, { number, group }] of chosen.entries()) {
    facts.progress(at, chosen.length);
    const scan = await driverScan(group, number, metric, source);
    if (scan === undefined) unknown++;
    else scans.push(scan);
  }
  if (scans.length === 0) {
    const [first, last] = [chosen[0]?.number, chosen.at(-1)?.number];
    throw new MatchError(
      `the scanner does not know scan ${first === last ? first : `${first} to ${last}`} (its newest one is ${newest.number}, and it knows 256): compare while the driver runs, with --listen`,
    );
  }
  if (unknown > 0) notes.push(`${unknown} scans are left out: the scanner does not know them any more`);
  return { scans, notes: [...notes, ...how] };
}

function usualRange({ beams }: TrueScan): number {
  const ranges = Float64Array.from(beams.flatMap(({ range }) => (range === undefined ? [] : [range]))).sort();
  return ranges[Math.floor(ranges.length / 2)] ?? 1;
}

interface Numbered {
  readonly number: number;
  readonly group: ScanGroup;
}

interface Numbering {
  readonly source: TruthSource;
  readonly newest: TrueScan;
  readonly period: number;
  readonly facts: MatchFacts;
}

/** Returns the groups of points with the numbers of their scans. */
async function numberedGroups(
  points: Points,
  metric: MetricPoints,
  numbering: Numbering,
): Promise<{ readonly numbered: readonly Numbered[]; readonly how: readonly string[] }> {
  const { newest, period, facts } = numbering;
  const large = (groups: readonly ScanGroup[]) => groups.filter(({ places }) => places.length >= leastPoints);
  if (facts.scan !== undefined) {
    const places = [...metric.x.keys()];
    return { numbered: [{ number: facts.scan, group: { frame: facts.scan, places } }], how: [] };
  }
  const byFrame = large(groupsByFrame(points));
  if (byFrame.length > 0) {
    const known = byFrame.map((group) => ({ number: group.frame ?? 0, group }));
    const last = known.at(-1)?.number ?? 0;
    if ((await numbering.source.scan(last)) !== undefined || !metric.time.some(Number.isFinite))
      return { numbered: known, how: [] };
  }
  if (metric.time.some(Number.isFinite)) {
    const groups = large(groupsByTime(metric.time, period));
    const begins = groups.map(({ places: [first = 0] }) => metric.time[first] ?? 0);
    const lastBegin = begins.at(-1) ?? 0;
    const isOwnClock = Math.abs(lastBegin - newest.begin) < 256 * period;
    const offset = isOwnClock ? 0 : newest.begin - lastBegin;
    const numbered = groups.map((group, at) => ({
      number: newest.number + Math.round(((begins[at] ?? 0) + offset - newest.begin) / period),
      group,
    }));
    if (isOwnClock) return { numbered, how: [] };
    return aligned(numbered, metric, numbering, 'the times are of another clock');
  }
  const groups = large(groupsByDirection(metric.x, metric.y));
  const numbered = groups.map((group, at) => ({ number: newest.number + at - groups.length + 1, group }));
  return aligned(numbered, metric, numbering, 'the points have neither a number of their scan nor a time');
}

/** Moves groups back by as many scans as fit best. */
async function aligned(
  numbered: readonly Numbered[],
  metric: MetricPoints,
  { source, facts }: Numbering,
  why: string,
): Promise<{ readonly numbered: readonly Numbered[]; readonly how: readonly string[] }> {
  const last = numbered.slice(-3);
  const frames = facts.frame === undefined ? pointFrames : [facts.frame];
  let best = { back: 0, cost: Number.POSITIVE_INFINITY };
  for (let back = 0; back <= mostBack; back++) {
    const scans: DriverScan[] = [];
    for (const { number, group } of last) {
      const scan = await driverScan(group, number - back, metric, source);
      if (scan !== undefined) scans.push(scan);
    }
    if (scans.length < last.length) continue;
    const track = new PoseTrack(scans.map(({ truth }) => truth));
    const fit: FitPoints = { scans, track, stride: 1 };
    const cost = Math.min(...frames.map((frame) => costOf(fit, rightPlacement(frame), 0.02)));
    if (cost < best.cost - 0.05) best = { back, cost };
  }
  const moved = numbered.map(({ number, group }) => ({ number: number - best.back, group }));
  const end = moved.at(-1)?.number;
  return {
    numbered: moved,
    how: [`${why}: the last points are compared with scan ${end}, whose ranges fit best`],
  };
}

async function driverScan(
  { places }: ScanGroup,
  number: number,
  metric: MetricPoints,
  source: TruthSource,
): Promise<DriverScan | undefined> {
  const truth = await source.scan(number);
  if (truth === undefined) return undefined;
  const earlier: (TrueScan | undefined)[] = [truth];
  for (let lag = 1; lag <= mostLag; lag++) earlier.push(await source.scan(number - lag));
  const column = (values: Float64Array) => Float64Array.from(places, (place) => values[place] ?? Number.NaN);
  return {
    truth,
    earlier,
    ...{ x: column(metric.x), y: column(metric.y), time: column(metric.time), echoes: column(metric.echo) },
  };
}
