import type { Finding } from './finding.js';
import { costOf } from './fit.js';
import { type MeasuredScan, type PointFrame, rightPlacement } from './placement.js';
import type { PoseTrack } from './pose-track.js';
import { residualsOf } from './residuals.js';
import type { TrueScan } from './true-scan.js';

/** Scans of a driver, some of which may have the points of others. */
interface GivenScans<Scan extends MeasuredScan> {
  readonly scans: readonly Scan[];
  readonly frame: PointFrame;
  readonly track: PoseTrack;
  /** m, of the noise. */
  readonly deviation: number;
  /** The cost of what explains all scans together, and by how much exchanged scans have to explain them better. */
  readonly cost: number;
  readonly margin: number;
}

/** What single scans have that belongs to others. */
export interface ScanOrder<Scan extends MeasuredScan> {
  /** Scans with their own points. */
  readonly own: readonly Scan[];
  readonly findings: readonly Finding[];
}

/** Finds single scans that have the points of other scans. What all scans have in common is not looked at. */
export function judgeScanOrder<Scan extends MeasuredScan>(given: GivenScans<Scan>): ScanOrder<Scan> {
  const repeated = repeatedScans(given);
  const single = given.scans.filter((scan) => !repeated.has(scan));
  const exchanged = exchangedScans({ ...given, scans: single });
  const findings: Finding[] = [];
  const [again] = repeated;
  if (again !== undefined) findings.push(repeatedFinding(repeated.size, given.scans.length, again));
  const [other] = exchanged;
  if (other !== undefined) findings.push(exchangedFinding(exchanged.size, given.scans.length, other));
  return { own: single.filter((scan) => !exchanged.has(scan)), findings };
}

/** Points of so many scans are the same if a scan is given twice. */
const repeatedShare = 0.5;
/** m: less is the rounding of a file. */
const rounding = 0.00002;
/** m: with less noise, scans of a scene in which nothing moves are equal. */
const leastNoise = 0.003;

/** Scans whose ranges, or points, are exactly those of an earlier one: noise never repeats. */
function repeatedScans<Scan extends MeasuredScan>({
  scans,
  frame,
  track,
  deviation,
}: GivenScans<Scan>): ReadonlyMap<Scan, TrueScan> {
  const repeated = new Map<Scan, TrueScan>();
  if (deviation < leastNoise) return repeated;
  const ranged = scans.map((scan) => ({
    scan,
    ranges: residualsOf(scan, rightPlacement(frame), track).ranges,
  }));
  for (const [at, { scan, ranges }] of ranged.entries()) {
    const same = ranged
      .slice(0, at)
      .find(
        (each) => isSame(ranges, each.ranges) || (isSame(scan.x, each.scan.x) && isSame(scan.y, each.scan.y)),
      );
    if (same !== undefined) repeated.set(scan, same.scan.truth);
  }
  return repeated;
}

function isSame(values: Float64Array, others: Float64Array): boolean {
  if (values.length < 10 || values.length !== others.length) return false;
  let same = 0;
  for (const [at, value] of values.entries())
    if (Math.abs(value - (others[at] ?? Number.NaN)) < rounding) same++;
  return same > repeatedShare * values.length;
}

/** How many scans before or after it the points of a scan are looked for. */
const furthest = 3;
/** Points of a scan that are looked at. */
const sampled = 400;
/** m: the noise that is allowed. */
const mostNoise = 0.015;
/** Costs of points that belong to a scan, and by how much they are lower there: see costOf. */
const belongs = { cost: 1.2, total: 20, mean: 0.03 } as const;

/** Scans whose points fit to another scan only. */
function exchangedScans<Scan extends MeasuredScan>({
  scans,
  frame,
  track,
  deviation,
  cost: together,
  margin: clearly,
}: GivenScans<Scan>): ReadonlyMap<Scan, TrueScan> {
  let sum = 0;
  const known = new Map(
    scans.flatMap(({ earlier }) =>
      earlier.flatMap((truth) => (truth === undefined ? [] : [[truth.number, truth] as const])),
    ),
  );
  const noise = Math.min(deviation, mostNoise);
  const exchanged = new Map<Scan, TrueScan>();
  const right = rightPlacement(frame);
  for (const scan of scans) {
    const stride = Math.max(1, Math.floor(scan.x.length / sampled));
    const margin = belongs.mean + (belongs.total * stride) / Math.max(1, scan.x.length);
    const costAs = (truth: TrueScan, lagsPoses: boolean) =>
      costOf({ scans: [{ ...scan, earlier: [truth] }], track, stride }, { ...right, lagsPoses }, noise);
    let best = { truth: scan.truth, cost: costAs(scan.truth, false) };
    const limit = Math.min(belongs.cost, best.cost - margin);
    for (let step = -furthest; step <= furthest; step++) {
      const truth = known.get(scan.truth.number + step);
      if (step === 0 || truth === undefined) continue;
      const poses = frame === 'scanner' ? [false] : [false, true];
      const cost = Math.min(...poses.map((lagsPoses) => costAs(truth, lagsPoses)));
      if (cost < limit && cost < best.cost) best = { truth, cost };
    }
    sum += best.cost;
    if (best.truth !== scan.truth) exchanged.set(scan, best.truth);
  }
  if (sum / scans.length > together - clearly) return new Map();
  const steps = new Set(scans.map((scan) => (exchanged.get(scan) ?? scan.truth).number - scan.truth.number));
  return steps.size > 1 ? exchanged : new Map();
}

type Example = readonly [scan: MeasuredScan, other: TrueScan];

function repeatedFinding(count: number, of: number, [{ truth }, { number }]: Example): Finding {
  return {
    kind: 'repeated',
    text: `${count} of ${of} scans have exactly the points of an earlier scan, for example scan ${truth.number} those of scan ${number}`,
    remedy:
      'check that each scan is given once, and that the points of a new scan replace those of the old one',
  };
}

function exchangedFinding(count: number, of: number, [{ truth }, { number }]: Example): Finding {
  return {
    kind: 'stale',
    text: `${count} of ${of} scans have the points of another scan, for example scan ${truth.number} those of scan ${number}`,
    remedy:
      'check the buffers of the driver, and that the number and the time of a scan stay with its points',
  };
}
