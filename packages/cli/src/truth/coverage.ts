import type { Finding } from './finding.js';
import type { TrueScan } from './true-scan.js';

/** The points of a scan with their beams. */
export interface CoveredScan {
  readonly truth: TrueScan;
  /** The beam of each point; NaN if it has none. */
  readonly beams: Float64Array;
  /** m of each point from the scanner. */
  readonly ranges: Float64Array;
}

/** So many beams in a row are not missing by chance. */
const leastGap = 10;
/** m: surfaces of any colour have echoes up to here, if they are not seen at a grazing angle. */
const surelySeen = 12;

/** m: by so much noise moves points over a limit. */
const blur = 0.05;

interface Gap {
  /** Beams. */
  readonly from: number;
  readonly to: number;
  /** How many of the beams would surely have a point. */
  readonly missing: number;
}

/** What is missing in points. */
export interface Coverage {
  /** Beams that surely have an echo, and no point. */
  readonly missing: number;
  readonly findings: readonly Finding[];
  readonly notes: readonly string[];
}

/** Judges which beams have no points. */
export function judgeCoverage(scans: readonly CoveredScan[]): Coverage {
  const ends = endsOf(scans);
  const numbers = scans.map(({ truth }) => truth.number);
  const [begin, end] = [Math.min(...numbers), Math.max(...numbers)];
  const gaps = scans.map((scan) => {
    const { number } = scan.truth;
    return gapsOf(scan, {
      first: number === begin ? undefined : ends.first,
      last: number === end ? undefined : ends.last,
    });
  });
  const reach = reachOf(scans);
  const outside = scans.every((scan, at) => (gaps[at] ?? []).every((gap) => isOutOfReach(scan, gap, reach)));
  const missing = gaps.flat().reduce((sum, gap) => sum + gap.missing, 0);
  if (missing === 0) return { missing, findings: [], notes: endNotes(scans, ends) };
  if (outside) {
    const note =
      'only a part of the ranges is given, as with a region of interest; what it leaves out is not missed';
    return { missing: 0, findings: [], notes: [note, ...endNotes(scans, ends)] };
  }
  return { missing, findings: [missingFinding(scans, gaps)], notes: endNotes(scans, ends) };
}

function missingFinding(scans: readonly CoveredScan[], gaps: readonly (readonly Gap[])[]): Finding {
  const bad = scans.flatMap((scan, at) => {
    const worst = [...(gaps[at] ?? [])].sort((one, other) => other.missing - one.missing)[0];
    return worst === undefined ? [] : [{ scan, gap: worst }];
  });
  const [example] = bad;
  if (example === undefined) throw new TypeError('a gap expected');
  const { scan, gap } = example;
  const where = `${degreesAt(scan.truth, gap.from)} to ${degreesAt(scan.truth, gap.to)}`;
  const isAlways = bad.length > 0.8 * scans.length;
  return {
    kind: 'missing',
    text: isAlways
      ? `the sector from ${where} is missing in ${scans.length === 1 ? 'the scan' : 'every scan'}, although surfaces are there`
      : `in ${bad.length} of ${scans.length} scans a sector is missing, for example from ${where} in scan ${scan.truth.number}`,
    remedy: isAlways
      ? 'check that the driver joins all segments of a scan, in the order of their numbers'
      : 'check for lost telegrams (azimuth doctor), and that the driver waits for all segments of a scan',
  };
}

function degreesAt(truth: TrueScan, beam: number): string {
  return `${((truth.angleAt(beam) * 180) / Math.PI).toFixed(1)}°`;
}

interface Ends {
  readonly first: number;
  readonly last: number;
}

/** The first and the last beam of all scans that have a point. */
function endsOf(scans: readonly CoveredScan[]): Ends {
  const numbers = scans.map(({ truth, beams }) => numbersOf(beams, truth)).filter(({ length }) => length > 0);
  return {
    first: Math.min(...numbers.map(([first = 0]) => first)),
    last: Math.max(...numbers.map((each) => each.at(-1) ?? 0)),
  };
}

/**
 * Beams without a point that surely have an echo. A driver may give every n-th beam, and cut both ends off.
 * @param ends undefined where nothing is missed: a driver may begin in the middle of its first scan, and end in that of its last
 */
function gapsOf({ truth, beams }: CoveredScan, { first, last }: Partial<Ends>): readonly Gap[] {
  const own = numbersOf(beams, truth);
  const usual = usualStep(own);
  const numbers = [
    ...(first === undefined ? [] : [first - usual]),
    ...own,
    ...(last === undefined ? [] : [last + usual]),
  ];
  return numbers.flatMap((from, at) => {
    const to = numbers[at + 1] ?? from;
    if (to - from <= usual) return [];
    let missing = 0;
    for (let beam = from + usual; beam < to; beam += usual) if (isSurelySeen(truth, beam)) missing++;
    return missing < leastGap ? [] : [{ from: from + usual, to: to - usual, missing }];
  });
}

function isSurelySeen(truth: TrueScan, beam: number): boolean {
  const { range = Number.POSITIVE_INFINITY } = truth.beams[beam] ?? {};
  return truth.isPlain(beam) && range < surelySeen;
}

function numbersOf(beams: Float64Array, truth: TrueScan): readonly number[] {
  const numbers = [...beams].filter(Number.isFinite).map(Math.round);
  return [...new Set(numbers)]
    .filter((beam) => truth.beams[beam] !== undefined)
    .sort((one, other) => one - other);
}

/** The most frequent step. */
function usualStep(numbers: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const [at, from] of numbers.entries()) {
    const step = (numbers[at + 1] ?? from) - from;
    if (step > 0) counts.set(step, (counts.get(step) ?? 0) + 1);
  }
  const [usual] = [...counts].sort(([, one], [, other]) => other - one)[0] ?? [1];
  return usual;
}

/** What all points of all scans lie in: m, in the axes of the scanner. */
interface Reach {
  readonly nearest: number;
  readonly furthest: number;
  readonly left: number;
  readonly right: number;
  readonly low: number;
  readonly high: number;
}

/** A region of interest is the same for all scans, so that what single scans lack does not look like one. */
function reachOf(scans: readonly CoveredScan[]): Reach {
  const reach = {
    nearest: Number.POSITIVE_INFINITY,
    furthest: Number.NEGATIVE_INFINITY,
    left: Number.POSITIVE_INFINITY,
    right: Number.NEGATIVE_INFINITY,
    low: Number.POSITIVE_INFINITY,
    high: Number.NEGATIVE_INFINITY,
  };
  for (const { truth, beams, ranges } of scans) {
    for (const [at, beam] of beams.entries()) {
      const range = ranges[at] ?? Number.NaN;
      if (!Number.isFinite(range) || !Number.isFinite(beam)) continue;
      const { x, y } = placeOf(truth, beam, range);
      reach.nearest = Math.min(reach.nearest, range);
      reach.furthest = Math.max(reach.furthest, range);
      reach.left = Math.min(reach.left, x);
      reach.right = Math.max(reach.right, x);
      reach.low = Math.min(reach.low, y);
      reach.high = Math.max(reach.high, y);
    }
  }
  return reach;
}

/** Whether what is missing lies outside of the ranges, or of the rectangle, of all points. */
function isOutOfReach({ truth }: CoveredScan, gap: Gap, reach: Reach): boolean {
  const isWithin = (value: number, least: number, most: number) => value > least && value < most;
  let inReach = 0;
  for (let beam = gap.from; beam <= gap.to; beam++) {
    const { range } = truth.beams[beam] ?? {};
    if (range === undefined || !isSurelySeen(truth, beam)) continue;
    const { x, y } = placeOf(truth, beam, range);
    if (
      isWithin(range, reach.nearest + blur, reach.furthest - blur) &&
      isWithin(x, reach.left - blur, reach.right + blur) &&
      isWithin(y, reach.low - blur, reach.high + blur)
    )
      inReach++;
  }
  return inReach < leastGap / 2;
}

function placeOf(truth: TrueScan, beam: number, range: number): { readonly x: number; readonly y: number } {
  return { x: range * Math.cos(truth.angleAt(beam)), y: range * Math.sin(truth.angleAt(beam)) };
}

/** Says if all points cover less than the telegrams do: drivers may cut the ends off. */
function endNotes(scans: readonly CoveredScan[], { first, last }: Ends): readonly string[] {
  const cut = scans.find(({ truth }) => {
    const seen = truth.beams.flatMap((_, beam) => (isSurelySeen(truth, beam) ? [beam] : []));
    return seen.filter((beam) => beam < first || beam > last).length >= leastGap;
  });
  if (cut === undefined || last < first) return [];
  return [
    `the points cover ${degreesAt(cut.truth, first)} to ${degreesAt(cut.truth, last)} of a scan from ${degreesAt(cut.truth, 0)} to ${degreesAt(cut.truth, cut.truth.beams.length - 1)}`,
  ];
}
