import type { Finding } from './finding.js';
import type { TrueScan } from './true-scan.js';

/** The points of a scan with their beams and echoes. */
export interface EchoScan {
  readonly truth: TrueScan;
  /** The beam of each point; NaN if it has none. */
  readonly beams: Float64Array;
  /** m of each point from the scanner. */
  readonly ranges: Float64Array;
  /** The place of each echo in its beam, the nearest first; NaN if the driver does not say it. */
  readonly echoes: Float64Array;
}

/** Echoes of a beam that points should have. */
export const echoChoices = ['first', 'last', 'all'] as const;

export type EchoChoice = (typeof echoChoices)[number];

/** So many beams, and such a share of them, are no chance. */
const notable = { beams: 8, share: 0.02 } as const;

/** Judges the choice and the order of echoes. @param choice undefined if it is not known */
export function judgeEchoes(scans: readonly EchoScan[], choice: EchoChoice | undefined): readonly Finding[] {
  const found = [doubled(scans), outOfOrder(scans), wrongEcho(scans, choice)];
  return found.filter((finding) => finding !== undefined);
}

/** The points of each beam, by the number of the beam. */
function pointsByBeam({ beams, truth }: EchoScan): ReadonlyMap<number, readonly number[]> {
  const byBeam = new Map<number, number[]>();
  for (const [point, place] of beams.entries()) {
    const beam = Math.round(place);
    if (truth.beams[beam] === undefined) continue;
    const known = byBeam.get(beam);
    if (known === undefined) byBeam.set(beam, [point]);
    else known.push(point);
  }
  return byBeam;
}

/** m: points of a beam that are nearer to each other are the same. */
const same = 0.0005;

function doubled(scans: readonly EchoScan[]): Finding | undefined {
  let beams = 0;
  let twice = 0;
  for (const scan of scans) {
    for (const points of pointsByBeam(scan).values()) {
      beams++;
      const ranges = points.map((point) => scan.ranges[point] ?? 0).sort((one, other) => one - other);
      if (ranges.some((range, at) => at > 0 && range - (ranges[at - 1] ?? 0) < same)) twice++;
    }
  }
  if (!isNotable(twice, beams)) return undefined;
  return {
    kind: 'doubled',
    text: `${percent(twice, beams)} of the beams have the same point twice`,
    remedy:
      'check that a segment is not added again when the next one arrives, and that no telegram is read twice',
  };
}

function isNotable(count: number, of: number): boolean {
  return count >= notable.beams && count >= notable.share * of;
}

function percent(count: number, of: number): string {
  return `${Math.max(1, Math.round((100 * count) / of))} %`;
}

function outOfOrder(scans: readonly EchoScan[]): Finding | undefined {
  let beams = 0;
  let wrong = 0;
  const all = scans.flatMap(({ echoes }) => [...echoes].filter(Number.isFinite));
  const first = all.reduce((least, echo) => Math.min(least, echo), Number.POSITIVE_INFINITY);
  if (!Number.isFinite(first)) return undefined;
  for (const { ranges, echoes, ...scan } of scans) {
    for (const points of pointsByBeam({ ranges, echoes, ...scan }).values()) {
      beams++;
      const placed = points
        .map((point) => ({ echo: echoes[point] ?? Number.NaN, range: ranges[point] ?? 0 }))
        .sort((one, other) => one.echo - other.echo);
      const isFilled = placed[0]?.echo === first;
      const isRising = placed.every(({ range }, at) => at === 0 || range >= (placed[at - 1]?.range ?? 0));
      if (!isFilled || !isRising) wrong++;
    }
  }
  if (!isNotable(wrong, beams)) return undefined;
  return {
    kind: 'echo-order',
    text: `in ${percent(wrong, beams)} of the beams the echoes are out of order: the nearest one is not in the first place`,
    remedy: 'telegrams have the nearest echo first; check the order in which the echoes of a beam are read',
  };
}

/** Panes of glass that surely have an echo: m, and the slope of their range by angle, as a share of the range. */
const surePane = { range: 6, slope: 1.7 } as const;

/** Finds drivers that give one echo of each beam, but not the one that is meant. */
function wrongEcho(scans: readonly EchoScan[], choice: EchoChoice | undefined): Finding | undefined {
  let beams = 0;
  let first = 0;
  let last = 0;
  for (const scan of scans) {
    const { truth, ranges } = scan;
    for (const [beam, points] of pointsByBeam(scan)) {
      const pane = surePaneAt(truth, beam);
      const behind = truth.beams[beam]?.range;
      if (pane === undefined || behind === undefined || behind - pane < 0.3) continue;
      beams++;
      const near = (range: number) => points.some((point) => Math.abs((ranges[point] ?? 0) - range) < 0.1);
      const [hasFirst, hasLast] = [near(pane), near(behind)];
      if (hasFirst && !hasLast) first++;
      if (hasLast && !hasFirst) last++;
    }
  }
  if (beams < notable.beams) return undefined;
  if (choice !== 'last' && last > 0.8 * beams) return lastFinding(last, beams, choice);
  if (choice === 'last' && first > 0.8 * beams) {
    return {
      kind: 'first-echo',
      text: `${percent(first, beams)} of the beams through glass have the echo of the glass, and not the last echo`,
      remedy: 'give the last echo of each beam, or say --echoes first',
    };
  }
  return undefined;
}

function lastFinding(last: number, beams: number, choice: EchoChoice | undefined): Finding {
  return {
    kind: 'last-echo',
    text: `${percent(last, beams)} of the beams through glass have only what is behind the glass: the last echo instead of the first`,
    remedy: `read the first echo of each beam${choice === undefined ? ', or say --echoes last if the scanner sends only the last one (FREchoFilter)' : ''}`,
  };
}

/** m of the first pane in front of a beam, if it surely has an echo. */
function surePaneAt({ beams, angleStep }: TrueScan, beam: number): number | undefined {
  const [before, pane, after] = [beams[beam - 1], beams[beam], beams[beam + 1]].map((each) => each?.glass[0]);
  if (pane === undefined || before === undefined || after === undefined) return undefined;
  if (pane > surePane.range || beams[beam]?.fog === true) return undefined;
  const slope = Math.abs((after - before) / (2 * angleStep)) / pane;
  return slope < surePane.slope ? pane : undefined;
}
