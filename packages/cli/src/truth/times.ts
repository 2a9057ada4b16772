import { type Finding, median, share, short } from './finding.js';
import type { TrueScan } from './true-scan.js';

/** The points of a scan with their beams. */
export interface TimedScan {
  readonly truth: TrueScan;
  /** µs; NaN for points without a time. */
  readonly time: Float64Array;
  /** The beam of each point; NaN if it has none. */
  readonly beams: Float64Array;
}

/** Which beam the stamp of a whole scan belongs to. */
export type StampBeam = 'first' | 'last';

export interface TimeVerdict {
  /** µs by which the time of each point is late; undefined if the points have no times. */
  readonly errors: readonly number[] | undefined;
  /** Number of scans that the times are older than the scan; 0 if they are of no other scan. */
  readonly scansBehind: number;
  /** µs by which the times are late. */
  readonly late: number;
  readonly finding: Finding | undefined;
}

/** µs: a driver may round times by so much. */
const rounding = 50;
/** From this share on, the steps between times are wrong. */
const stepError = 0.02;
/** µs: times that differ more from scan to scan are not those of the scanner. */
const jitter = 300;
/** µs: more than this is another clock. */
const anotherClock = 30_000_000;

/** Judges the times of points by those of their beams. */
export function judgeTimes(scans: readonly TimedScan[], stamp: StampBeam): TimeVerdict {
  const timed = scans.filter(({ time }) => time.some(Number.isFinite));
  const [first] = timed;
  if (first === undefined) return { errors: undefined, scansBehind: 0, late: 0, finding: undefined };
  const isStamp = timed.every(({ time }) => time.every((each) => each === time[0]));
  const errors = timed.map((scan) => errorsOf(scan, isStamp ? stamp : undefined));
  const allowed = Math.max(rounding, resolutionOf(timed));
  const offsets = errors.map(median).filter(Number.isFinite);
  const late = median(offsets);
  const steps = isStamp ? 1 : median(timed.map(stepsOf).filter(Number.isFinite));
  const { truth } = first;
  const span = truth.end - truth.begin;
  const period = periodOf(scans);
  const all = errors.flatMap((each) => [...each].filter(Number.isFinite));
  const verdict = (finding: Finding | undefined, scansBehind = 0): TimeVerdict => ({
    errors: all,
    scansBehind,
    late,
    finding,
  });
  const spread = share(offsets, 0.95) - share(offsets, 0.05);
  if (Math.abs(late) > anotherClock) return verdict(anotherClockFinding(late, spread));
  if (Math.abs(steps - 1) * span > 2 * allowed && Math.abs(steps - 1) > stepError)
    return verdict(unevenFinding(steps, truth));
  if (spread > Math.max(jitter, 2 * allowed)) return verdict(arrivalFinding(late, spread));
  if (Math.abs(late) <= allowed) return verdict(undefined);
  const near = (expected: number) => Math.abs(late - expected) <= Math.max(2 * allowed, 0.02 * span);
  if (near(span) || near(-span)) return verdict(endFinding(late > 0, isStamp, span));
  const behind = Math.round(-late / period);
  if (behind !== 0 && near(-behind * period)) return verdict(lateFinding(late), behind);
  return verdict(lateFinding(late));
}

function errorsOf({ truth, time, beams }: TimedScan, stamp: StampBeam | undefined): Float64Array {
  if (stamp !== undefined) {
    const beam = stamp === 'first' ? Math.min(...given(beams)) : Math.max(...given(beams));
    return Float64Array.of((time[0] ?? Number.NaN) - truth.timeAt(Math.round(beam)));
  }
  return time.map((each, at) => each - truth.timeAt(Math.round(beams[at] ?? Number.NaN)));
}

function given(values: Float64Array): Float64Array {
  return values.filter(Number.isFinite);
}

/** The steps to which all times are rounded: µs. */
function resolutionOf(scans: readonly TimedScan[]): number {
  const all = scans.flatMap(({ time }) => [...given(time).subarray(0, 200)]);
  const base = all[0] ?? 0;
  const isRounded = (step: number) =>
    all.every((time) => Math.abs((time - base) / step - Math.round((time - base) / step)) < 1e-3);
  return (
    [100_000, 10_000, 1000, 100].find((step) => all.some((time) => time !== base) && isRounded(step)) ?? 1
  );
}

/** How fast the times of a scan pass, by those of its beams. */
function stepsOf({ truth, time, beams }: TimedScan): number {
  const timed = [...beams].map((beam, at) => [beam, time[at] ?? Number.NaN] as const);
  const known = timed.filter(([beam, each]) => Number.isFinite(beam) && Number.isFinite(each));
  const [low, high] = [share(beams, 0.2), share(beams, 0.8)];
  const [early, late] = [known.filter(([beam]) => beam <= low), known.filter(([beam]) => beam >= high)];
  const middle = (part: typeof known, index: 0 | 1) => median(part.map((each) => each[index]));
  const passed = (middle(late, 0) - middle(early, 0)) * truth.timeStep;
  return (middle(late, 1) - middle(early, 1)) / passed;
}

/** µs of a revolution. */
export function periodOf(scans: readonly { readonly truth: TrueScan }[]): number {
  const [first] = scans;
  if (first === undefined) return Number.NaN;
  const { truth } = first;
  return Math.abs((2 * Math.PI) / truth.angleStep) * truth.timeStep;
}

function anotherClockFinding(late: number, spread: number): Finding {
  return {
    kind: 'times-of-another-clock',
    text: `the times are those of another clock: they differ from those of the scanner by ${short(late / 1e6)} s, give or take ${short(spread / 1000)} ms${causeOf(late)}`,
    remedy:
      'use the times of the telegrams, or synchronise the scanner, so that its telegrams have the time of your clock',
  };
}

/** s that TAI is ahead of UTC. */
const taiOffset = 37;
/** s: zones differ by quarters of an hour, at most by so much. */
const zones = { step: 900, least: 1800, most: 50_400 } as const;
/** s: what a driver may be late besides. */
const besides = 1;

/** What a difference between clocks looks like, in words. @param late µs */
function causeOf(late: number): string {
  const seconds = Math.abs(late / 1e6);
  if (Math.abs(seconds - taiOffset) < besides) return ', as TAI (PTP) and UTC do';
  const zone = zones.step * Math.round(seconds / zones.step);
  const isZone = zone >= zones.least && zone <= zones.most && Math.abs(seconds - zone) < besides;
  return isZone ? ', as time zones do' : '';
}

function arrivalFinding(late: number, spread: number): Finding {
  return {
    kind: 'times-at-arrival',
    text: `the times are ${short(late / 1000)} ms late, and that changes by ${short(spread / 1000)} ms from scan to scan: they look like the times of arrival`,
    remedy: 'use the times of the telegrams instead of the time at which they arrive',
  };
}

function unevenFinding(steps: number, truth: TrueScan): Finding {
  const turn = Math.abs((2 * Math.PI) / (truth.angleStep * (truth.beams.length - 1)));
  const text = `the times within a scan pass ${short(steps)} times as fast as its beams are measured`;
  return {
    kind: 'times-uneven',
    text: steps < 0 ? 'the times within a scan run backwards' : text,
    remedy:
      Math.abs(steps - turn) < 0.05
        ? 'spread the times over the angle that the scan covers, not over the whole revolution'
        : 'take the time of the first and of the last beam from the telegrams, and spread the beams evenly between them',
  };
}

function endFinding(isLate: boolean, isStamp: boolean, span: number): Finding {
  const by = `${short(span / 1000)} ms`;
  const [used, meant] = isLate ? ['last', 'first'] : ['first', 'last'];
  return {
    kind: 'times-of-last-beam',
    text: isStamp
      ? `the scan has the time of its ${used} beam, not of its ${meant} one: ${by} too ${isLate ? 'late' : 'early'}`
      : `each time is the length of a scan (${by}) too ${isLate ? 'late' : 'early'}: the times count from the ${used} beam as if it were the ${meant} one`,
    remedy: `take the time of the ${meant} beam${isStamp && isLate ? ', or say --stamp last if the last one is meant' : ''}`,
  };
}

function lateFinding(late: number): Finding {
  return {
    kind: 'times-late',
    text: `the times are ${short(Math.abs(late) / 1000)} ms too ${late > 0 ? 'late' : 'early'}`,
    remedy: 'take the times of the telegrams as they are, and check constants that are added to them',
  };
}
