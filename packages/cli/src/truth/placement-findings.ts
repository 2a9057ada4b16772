import { type Explanation, type Explanations, explained, parameters } from './explanations.js';
import { type Finding, short } from './finding.js';
import { costOf, type Points, samplesOf } from './fit.js';
import type { Placement } from './placement.js';
import { shorterTurn } from './pose-track.js';
import type { TimeVerdict } from './times.js';

interface Facts {
  readonly points: Points;
  readonly explanations: Explanations;
  /** What the points are: see {@link likelyExplanations}. */
  readonly likely: readonly Explanation[];
  readonly times: TimeVerdict;
}

/**
 * Returns what explains points: the right placement alone if it does, else the simplest ones that fit best. If the places of points
 * leave several, their times decide.
 * @param timesOf judges the times of points that were placed in some way
 */
export function likelyExplanations(
  { all, right, margin }: Explanations,
  timesOf: (explanation: Explanation) => TimeVerdict,
): readonly [Explanation, ...Explanation[]] {
  const [best] = all;
  const equals = all.filter(({ cost }) => cost - best.cost < margin);
  const isFine = (explanation: Explanation) => timesOf(explanation).finding === undefined;
  if (equals.includes(right)) {
    if (isFine(right)) return [right];
    // Where left looks like right, the times tell which of them a point belongs to.
    const mirrored = equals.find((each) => each.kind === 'mirrored' && isFine(each));
    return mirrored === undefined ? [right] : [right, mirrored];
  }
  // Where the fault itself is small, what explains less than most of it does not explain it.
  const near = equals.filter(({ cost }) => cost - best.cost < explainedPart * (right.cost - best.cost));
  const [first = best, ...others] = simplest(near);
  const fine = [first, ...others].filter(isFine);
  const [fineFirst, ...fineOthers] = fine;
  return fineFirst === undefined ? [first, ...others] : [fineFirst, ...fineOthers];
}

/** What leaves this part of a fault unexplained is another fault. */
const explainedPart = 0.25;

/** Returns what is wrong with where points are. */
export function placementFindings({ points, explanations, likely, times }: Facts): readonly Finding[] {
  const { right } = explanations;
  const [first] = likely;
  if (first === undefined || first.cost > explained) return [unexplained];
  if (likely.length === 1 && first === right)
    return times.scansBehind === 0 ? [] : [staleFinding(times.scansBehind)];
  const findings = likely.map((each) =>
    each === right ? (times.finding ?? unexplained) : wordings[each.kind](each.placement, points, times),
  );
  const [finding = unexplained, ...others] = findings;
  if (others.length === 0) return [finding];
  return [
    {
      kind: 'ambiguous',
      text: `one of ${findings.length} things, and which of them cannot be told from these points: ${findings.map(({ text }) => text).join('; or ')}`,
      remedy: others.map(({ remedy }) => remedy).join('; or '),
    },
  ];
}

/** Of explanations that fit as well, those that need the least. */
function simplest(equals: readonly Explanation[]): readonly Explanation[] {
  const least = Math.min(...equals.map(({ placement }) => parameters(placement)));
  const simple = equals.filter(({ placement }) => parameters(placement) === least);
  const late = simple.some(({ kind }) => kind === 'late-poses' || kind === 'stale');
  // On a straight way at constant speed, late poses are a shift along the way.
  const shift = equals.filter(
    ({ kind, placement }) => kind === 'mounting' && Math.abs(placement.turn) < smallTurn,
  );
  const all = late ? [...simple, ...shift] : simple;
  const first = all.find(({ kind }) => kind === 'not-deskewed');
  return [...new Set(first === undefined ? all : [first])];
}

/** rad: a turn that is none. */
const smallTurn = 0.002;

const unexplained: Finding = {
  kind: 'unexplained',
  text: 'the ranges are not those of their beams, and why cannot be told from these points',
  remedy:
    'check the numbers of the scans, the unit and the frame (--unit, --frame), and that --control is the scanner of the driver',
};

type Wording = (placement: Placement, points: Points, times: TimeVerdict) => Finding;

const wordings: Readonly<Record<Explanation['kind'], Wording>> = {
  right: () => unexplained,
  mirrored: ({ turn }) => {
    const degrees = degreesIn(turn);
    const remedy =
      'angles grow counter-clockwise, seen from above: check the order of the beams, the sign of y, and whether the scanner is mounted upside down';
    if (Math.abs(degrees) < 0.5) return { kind: 'mirrored', text: 'left and right are swapped', remedy };
    if (Math.abs(degrees - 90) < 0.5) return { kind: 'mirrored', text: 'x and y are swapped', remedy };
    const text = `the points are mirrored, and turned by ${degreesText(degrees)}`;
    return { kind: 'mirrored', text, remedy };
  },
  turned: ({ turn }, { scans }) => {
    const beams = turn / Math.abs(scans[0]?.truth.angleStep ?? 1);
    const whole = Math.round(beams);
    const isWhole = whole !== 0 && Math.abs(whole) <= 200 && Math.abs(beams - whole) < 0.15;
    const by = `${degreesText(degreesIn(turn))} ${turn > 0 ? 'counter-clockwise' : 'clockwise'}`;
    return {
      kind: 'turned',
      text: isWhole
        ? `the points are turned by ${Math.abs(whole)} ${Math.abs(whole) === 1 ? 'beam' : 'beams'}, ${by}`
        : `the points are turned by ${by}`,
      remedy: isWhole
        ? 'check which beam is the first one, and that the angle of each beam is taken from its telegram'
        : 'check the heading with which the scanner is mounted, and the angle of the first beam',
    };
  },
  scaled: ({ scale: ofRanges, unit: ofPoints }) => {
    const scale = ofRanges * ofPoints;
    const unit = units.find(([factor]) => Math.abs(scale / factor - 1) < 0.02);
    return {
      kind: 'scaled',
      text: unit?.[1] ?? `the ranges are ${short(scale)} times as long as they should be`,
      remedy:
        unit === undefined
          ? 'check the factor that the ranges are multiplied by: the telegrams have mm'
          : 'check the unit of the driver, or say it with --unit',
    };
  },
  offset: ({ offset }) => ({
    kind: 'offset',
    text: `each range is ${millimetres(Math.abs(offset))} too ${offset > 0 ? 'long' : 'short'}`,
    remedy: 'check what is added to the ranges: telegrams count from the axis of the scanner',
  }),
  mounting: ({ x, y, turn }) => {
    const shift = `${millimetres(x)} ahead and ${millimetres(y)} to the left of the scanner`;
    const by = Math.abs(turn) < smallTurn ? '' : `, and turned by ${degreesText(degreesIn(turn))}`;
    return {
      kind: 'mounting',
      text: `the points are shifted: their origin is ${shift}${by}`,
      remedy:
        'check where the driver says that the scanner is mounted (lever arm), and from where it counts its points',
    };
  },
  stale: ({ lag }) => staleFinding(lag),
  'not-deskewed': ({ frame, delay }, points) => ({
    kind: 'not-deskewed',
    text: `the points are not deskewed: all beams of a scan are placed at one pose, ${momentOf(frame === 'end' ? delay + spanOf(points) : delay, points)}`,
    remedy: 'place each beam at the pose of its own time',
  }),
  'deskewed-wrongly': ({ deskewing: { way, turn } }) => ({
    kind: 'deskewed-wrongly',
    text: deskewingWords[`${way} ${turn}`] ?? 'the points are deskewed wrongly',
    remedy:
      way === -1 || turn === -1
        ? 'check the sign: a beam that is measured later is placed where the scanner is later'
        : 'take both into account, way and turn, at the time of each beam',
  }),
  'late-poses': ({ delay }, points, { late }) => {
    const span = spanOf(points);
    const isLast = Math.abs(Math.abs(delay) - span) < 0.04 * span;
    const by = `${short(Math.abs(delay) / 1000)} ms too ${delay > 0 ? 'late' : 'early'}`;
    if (Math.abs(delay - late) < Math.max(1000, 0.05 * Math.abs(late))) {
      return {
        kind: 'late-poses',
        text: `the points are deskewed with poses that are ${by}, as the times of the points are`,
        remedy: 'mend the times first',
      };
    }
    const [taken, meant] = delay > 0 ? ['last', 'first'] : ['first', 'last'];
    return {
      kind: 'late-poses',
      text: isLast
        ? `the points are deskewed as if the time of the ${taken} beam were that of the ${meant} one: the poses are ${by}`
        : `the points are deskewed with poses that are ${by}`,
      remedy: isLast
        ? `check which beam the time of the scan belongs to: here the driver takes that of the ${taken} beam`
        : 'check the times with which the poses are looked up, and how late the poses themselves are',
    };
  },
};

const deskewingWords: Readonly<Record<string, string>> = {
  '-1 -1': 'the points are deskewed the wrong way round: the motion is added where it should be taken away',
  '1 -1': 'the points are deskewed with the wrong sign of the turn',
  '-1 1': 'the points are deskewed with the wrong sign of the way',
  '0 1': 'only the turn is deskewed, not the way',
  '1 0': 'only the way is deskewed, not the turn',
};

const units: readonly (readonly [factor: number, text: string])[] = [
  [1000, 'the ranges are 1000 times too long: mm are taken for m'],
  [0.001, 'the ranges are 1000 times too short: m are taken for mm'],
  [100, 'the ranges are 100 times too long: cm are taken for m'],
  [0.01, 'the ranges are 100 times too short: m are taken for cm'],
  [10, 'the ranges are 10 times too long: mm are taken for cm'],
  [0.1, 'the ranges are 10 times too short: cm are taken for mm'],
  [0.3048, 'the ranges are feet taken for m, or the other way round'],
  [1 / 0.3048, 'the ranges are m taken for feet, or the other way round'],
];

function staleFinding(lag: number): Finding {
  const words =
    lag === 1
      ? 'the scan before'
      : lag > 0
        ? `${lag} scans before`
        : `${-lag} ${lag === -1 ? 'scan' : 'scans'} later`;
  return {
    kind: 'stale',
    text: `the points are old: they are given as a scan, and are those of ${words}`,
    remedy:
      'check the buffers of the driver, and that the number and the time of a scan stay with its points',
  };
}

/** µs from the first to the last beam. */
function spanOf({ scans }: Points): number {
  const truth = scans[0]?.truth;
  return truth === undefined ? Number.NaN : truth.end - truth.begin;
}

function momentOf(delay: number, points: Points): string {
  const span = spanOf(points);
  if (Math.abs(delay) < 0.05 * span) return 'that of the first beam';
  if (Math.abs(delay - span) < 0.05 * span) return 'that of the last beam';
  return `that of ${short(Math.abs(delay) / 1000)} ms ${delay > 0 ? 'after' : 'before'} the first beam`;
}

function degreesIn(radians: number): number {
  return (shorterTurn(radians) * 180) / Math.PI;
}

function degreesText(degrees: number): string {
  return `${short(Math.abs(degrees))}°`;
}

function millimetres(m: number): string {
  return `${(m * 1000).toFixed(0)} mm`;
}

/** Points that are compared to find out what they cannot tell. */
const samples = 6000;

/** Returns what right points cannot tell, because a wrong driver would give the same. */
export function undecidedBy(
  points: Points,
  explanations: Explanations,
  times: TimeVerdict,
): readonly string[] {
  const { right, deviation, margin } = explanations;
  const few = samplesOf(points, samples);
  const own = costOf(few, right.placement, deviation);
  const looksRight = (change: Partial<Placement>) =>
    costOf(few, { ...right.placement, ...change }, deviation) - own < margin;
  const step = points.scans[0]?.truth.angleStep ?? 0;
  const known = points.scans.some(({ earlier }) => earlier[1] !== undefined);
  const moves = right.placement.frame !== 'scanner';
  const tests: readonly (readonly [boolean, string])[] = [
    [
      looksRight({ mirrored: true }),
      'whether they are mirrored: to the left, the scene looks as to the right',
    ],
    [looksRight({ turn: step }), 'whether they are turned by a beam: the surfaces are too even'],
    [
      times.errors === undefined && (!known || looksRight({ lag: 1 })),
      'whether they are those of the scan before: nothing moves, and the points have no times',
    ],
    [
      moves && looksRight({ deskewing: { way: 0, turn: 0 } }),
      'whether they are deskewed: the scanner moves too little',
    ],
  ];
  return tests.filter(([isUndecided]) => isUndecided).map(([, words]) => words);
}
