import { short } from './finding.js';
import type { ErrorSizes, Judgement } from './judgement.js';

const frameWords = {
  scanner: 'the scanner at the time of each beam: not deskewed',
  world: 'the world',
  begin: 'the scanner at the first beam of each scan: deskewed',
  end: 'the scanner at the last beam of each scan: deskewed',
} as const;

const mm = (m: number) => `${(m * 1000).toFixed(1)} mm`;
const degrees = (rad: number) => `${((rad * 180) / Math.PI).toFixed(3)}°`;
const milliseconds = (us: number) => (Math.abs(us) < 1000 ? `${us.toFixed(0)} µs` : `${short(us / 1000)} ms`);

function sizes({ median, most, worst }: ErrorSizes, words: (value: number) => string): string {
  return `median ${words(median)}, 95 % ${words(most)}, worst ${words(worst)}`;
}

/** Returns a judgement in lines for people. @param notes what was guessed about the points */
export function judgementLines(judgement: Judgement, notes: readonly string[]): readonly string[] {
  const { range, angle, time, findings, verdict } = judgement;
  const at = `at ${((range.at.angle * 180) / Math.PI).toFixed(2)}° of scan ${range.at.scan}${range.at.object === '' ? '' : ` (${range.at.object})`}`;
  const rows: readonly (readonly [string, string])[] = [
    ['frame', frameWords[judgement.frame]],
    [
      'points',
      `${judgement.points} of ${judgement.scans} scans, ${judgement.compared} compared, ${judgement.missing} missing`,
    ],
    ['range', judgement.compared === 0 ? 'nothing to compare' : `${sizes(range, mm)} ${at}`],
    ['angle', judgement.compared === 0 ? 'nothing to compare' : sizes(angle, degrees)],
    ['time', time === undefined ? 'the points have no times' : sizes(time, milliseconds)],
  ];
  return [
    ...rows.map(([name, text]) => `${name.padEnd(8)}${text}`),
    ...[...notes, ...judgement.notes].map((note) => `note    ${note}`),
    ...judgement.undecided.map((text) => `note    cannot be told from these points: ${text}`),
    ...findings.map(({ text, remedy }) => `wrong   ${text} – ${remedy}`),
    verdictWords[verdict],
  ];
}

const verdictWords = {
  right: 'right',
  wrong: 'wrong',
  unknown: 'cannot be told',
} as const;

/** Returns a judgement for programs: mm, degrees and µs. */
export function judgementJson(judgement: Judgement, notes: readonly string[]): object {
  const { range, angle, time, frame, scans, points, compared, missing, findings, undecided, verdict } =
    judgement;
  const inUnits = ({ median, most, worst }: ErrorSizes, factor: number) => ({
    median: rounded(median * factor),
    most: rounded(most * factor),
    worst: rounded(worst * factor),
  });
  const perDegree = 180 / Math.PI;
  return {
    verdict,
    frame,
    ...{ scans, points, compared, missing },
    range: { ...inUnits(range, 1000), at: { ...range.at, angle: rounded(range.at.angle * perDegree) } },
    angle: inUnits(angle, perDegree),
    time: time === undefined ? null : inUnits(time, 1),
    findings,
    undecided,
    notes: [...notes, ...judgement.notes],
  };
}

/** null stands for what could not be computed. */
function rounded(value: number): number | null {
  return Number.isFinite(value) ? Math.round(value * 10_000) / 10_000 : null;
}
