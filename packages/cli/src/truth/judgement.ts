import { judgeCoverage } from './coverage.js';
import { type EchoChoice, judgeEchoes } from './echoes.js';
import { explained, explanationsOf } from './explanations.js';
import { type Finding, median, share, short } from './finding.js';
import type { Points } from './fit.js';
import {
  type MeasuredScan,
  type Placement,
  type PointFrame,
  pointFrames,
  rightPlacement,
} from './placement.js';
import { likelyExplanations, placementFindings, undecidedBy } from './placement-findings.js';
import { PoseTrack, shorterTurn } from './pose-track.js';
import { type Residuals, residualsOf } from './residuals.js';
import { judgeScanOrder } from './scan-order.js';
import { judgeTimes, type StampBeam } from './times.js';

/** The points of a scan as a driver gives them. */
export interface DriverScan extends MeasuredScan {
  /** The place of each echo in its beam; NaN if the driver does not say it. */
  readonly echoes: Float64Array;
}

/** What is known about a driver. */
export interface DriverFacts {
  /** undefined: it is found out. */
  readonly frame: PointFrame | undefined;
  /** undefined: it is not known. */
  readonly echoes: EchoChoice | undefined;
  readonly stamp: StampBeam;
}

/** Median, 95 % and worst of the sizes of errors. */
export interface ErrorSizes {
  readonly median: number;
  readonly most: number;
  readonly worst: number;
}

/** Where the worst error is. */
export interface WorstPoint {
  readonly scan: number;
  /** rad. */
  readonly angle: number;
  /** Place of the object in the scene; empty if there is none. */
  readonly object: string;
}

/** What was found about the points of a driver. */
export interface Judgement {
  readonly verdict: 'right' | 'wrong' | 'unknown';
  /** The frame of the points. */
  readonly frame: PointFrame;
  readonly scans: number;
  readonly points: number;
  /** Points of beams with one true range: the errors are theirs. */
  readonly compared: number;
  readonly missing: number;
  /** m. */
  readonly range: ErrorSizes & { readonly at: WorstPoint };
  /** rad. */
  readonly angle: ErrorSizes;
  /** µs; undefined if the points have no times. */
  readonly time: ErrorSizes | undefined;
  readonly findings: readonly Finding[];
  readonly notes: readonly string[];
  /** What these points cannot tell. */
  readonly undecided: readonly string[];
}

/** Fewer points tell nothing. */
const leastPoints = 10;

/** Judges the points of a driver by what the beams of the scanner met. */
export function judge(scans: readonly DriverScan[], facts: DriverFacts): Judgement {
  const track = new PoseTrack(scans.flatMap(({ earlier }) => earlier.filter((scan) => scan !== undefined)));
  const points: Points = { scans, track, stride: 1 };
  const frames = facts.frame === undefined ? framesOf(points) : [facts.frame];
  const explanations = explanationsOf(points, frames);
  const { right, deviation, margin } = explanations;
  const { frame } = right.placement;
  const { cost } = explanations.all[0];
  const order = judgeScanOrder({ scans, frame, track, deviation, cost, margin });
  if (order.own.length > 0 && order.own.length < scans.length) {
    // What else is wrong is found in the scans that have their own points.
    const rest = judge(order.own, { ...facts, frame });
    return { ...rest, ...sizeOf(scans), verdict: 'wrong', findings: [...order.findings, ...rest.findings] };
  }
  const locatedBy = (placement: Placement) =>
    scans.map((scan) => ({ scan, chosen: residualsOf(scan, placement, track) }));
  const likely = likelyExplanations(explanations, ({ placement }) =>
    judgeTimes(locatedBy(placement).map(placedPart), facts.stamp),
  );
  const [chosen] = likely;
  const isRight = chosen === right;
  const expected = rightPlacement(chosen.placement.frame);
  const located = locatedBy(chosen.placement).map((each) => ({
    ...each,
    right: residualsOf(each.scan, expected, track),
  }));
  const parts = located.map(placedPart);
  const errors = errorsOf(located);
  const times = judgeTimes(parts, facts.stamp);
  const { lag } = chosen.placement;
  const coverage = judgeCoverage(
    located.map(({ scan, chosen: { beams, ranges } }) => ({
      truth: scan.earlier[lag] ?? scan.truth,
      beams,
      ranges,
    })),
  );
  const measures = {
    frame: chosen.placement.frame,
    ...sizeOf(scans),
    missing: coverage.missing,
    ...errors,
    time: times.errors === undefined ? undefined : sizesOf(times.errors),
  };
  if (order.own.length === 0)
    return { verdict: 'wrong', ...measures, findings: order.findings, notes: [], undecided: [] };
  if (errors.compared < leastPoints && chosen.cost < explained) {
    const reason = `fewer than ${leastPoints} points are on plain surfaces`;
    return { verdict: 'unknown', ...measures, findings: [], notes: [], undecided: [reason] };
  }
  const placed = placementFindings({ points, explanations, likely, times });
  const stray = chosen.cost < explained ? strayFinding(located, deviation) : undefined;
  const saysTimes = placed.some(
    ({ kind }) => kind === 'ambiguous' || (kind === 'stale' && times.scansBehind > 0),
  );
  // Beams that are counted wrongly have the angles and the times of others.
  const { turn } = chosen.placement;
  const isCounted =
    chosen.kind === 'turned' &&
    scans.every(
      ({ truth: { angleStep, timeStep } }) =>
        Math.abs(times.late - (turn / angleStep) * timeStep) < timeStep / 2,
    );
  const findings = [
    ...placed,
    ...(stray === undefined ? [] : [stray]),
    ...(times.finding === undefined || saysTimes || isCounted ? [] : [times.finding]),
    ...coverage.findings,
    ...judgeEchoes(parts, facts.echoes),
  ];
  return {
    verdict: findings.length === 0 ? 'right' : 'wrong',
    ...measures,
    findings,
    notes: coverage.notes,
    undecided: isRight && likely.length === 1 ? undecidedBy(points, explanations, times) : [],
  };
}

function sizeOf(scans: readonly DriverScan[]): Pick<Judgement, 'scans' | 'points'> {
  return { scans: scans.length, points: scans.reduce((sum, { x }) => sum + x.length, 0) };
}

/** The points of a scan with the beams that have measured them. */
function placedPart({
  scan: { truth, time, echoes },
  chosen: { beams, ranges },
}: Omit<LocatedScan, 'right'>) {
  return { truth, time, echoes, beams, ranges };
}

/** Frames that differ: while the scanner stands, most of them are the same. */
function framesOf({ scans, track }: Points): readonly PointFrame[] {
  const pose = { x: 0, y: 0, heading: 0 };
  const end = { x: 0, y: 0, heading: 0 };
  const stands = scans.every(({ truth }) => {
    track.pose(truth.begin, pose);
    track.pose(truth.end, end);
    const way = Math.abs(end.x - pose.x) + Math.abs(end.y - pose.y);
    return way < 0.001 && Math.abs(shorterTurn(end.heading - pose.heading)) < 0.0002;
  });
  if (!stands) return pointFrames;
  const isHome = Math.abs(pose.x) + Math.abs(pose.y) + Math.abs(shorterTurn(pose.heading)) < 0.0005;
  return isHome ? ['scanner'] : ['scanner', 'world'];
}

/** The points of a scan, taken back to the beams that have measured them. */
interface LocatedScan {
  readonly scan: DriverScan;
  /** As the driver has placed them. */
  readonly chosen: Residuals;
  /** As if the driver were right. */
  readonly right: Residuals;
}

type Errors = Pick<Judgement, 'compared' | 'range' | 'angle'>;

/** Returns how far points are from where the beams that have measured them say. */
function errorsOf(located: readonly LocatedScan[]): Errors {
  const ranges: number[] = [];
  const angles: number[] = [];
  let worst = { size: -1, at: { scan: 0, angle: Number.NaN, object: '' } };
  for (const { scan, chosen, right } of located) {
    const { truth } = scan;
    for (const [point, place] of chosen.beams.entries()) {
      const beam = Math.round(place);
      const met = truth.beams[beam];
      if (chosen.plain[point] !== 1 || !truth.isPlain(beam) || met?.range === undefined) continue;
      const [asGiven = Number.NaN, towards = Number.NaN] = [right.ranges[point], right.beams[point]];
      const turn = Number.isNaN(towards)
        ? Number.NaN
        : Math.abs(shorterTurn((towards - beam) * truth.angleStep));
      if (!Number.isNaN(turn)) angles.push(turn);
      // Between two beams, the surface may be nearer or further.
      const size = Math.abs(asGiven - (Math.abs(towards - beam) < 0.5 ? truth.rangeAt(towards) : met.range));
      if (Number.isNaN(size)) continue;
      ranges.push(size);
      if (size > worst.size)
        worst = { size, at: { scan: truth.number, angle: truth.angleAt(beam), object: met.object } };
    }
  }
  return { compared: ranges.length, range: { ...sizesOf(ranges), at: worst.at }, angle: sizesOf(angles) };
}

function sizesOf(values: readonly number[]): ErrorSizes {
  const sizes = values.map(Math.abs);
  return { median: median(sizes), most: share(sizes, 0.95), worst: share(sizes, 1) };
}

/** m, and standard deviations of the noise: points that are further off are on no surface. */
const off = { m: 0.06, deviations: 6 } as const;

/** From this share of all points on, points off every surface are a fault. */
const notableShare = 0.02;

/** Finds single points that are on no surface, while all others are right. */
function strayFinding(located: readonly LocatedScan[], deviation: number): Finding | undefined {
  const limit = Math.max(off.m, off.deviations * deviation);
  let all = 0;
  let strays = 0;
  for (const { chosen } of located) {
    for (const error of chosen.errors) {
      if (Number.isNaN(error)) continue;
      all++;
      if (Math.abs(error) > limit) strays++;
    }
  }
  if (strays < notableShare * all) return undefined;
  return {
    kind: 'stray-points',
    text: `${short((100 * strays) / all)} % of the points are on no surface, while the others are right`,
    remedy:
      'check that each range is given in the direction of its own beam, and that no point is left from an earlier scan',
  };
}
