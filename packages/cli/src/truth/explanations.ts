import {
  costOf,
  deviationOf,
  errorsOf,
  type Fitted,
  fitted,
  meanCost,
  type Points,
  samplesOf,
} from './fit.js';
import { type Deskewing, type Placement, type PointFrame, rightPlacement } from './placement.js';

/** What a driver may have done with ranges. */
const placementKinds = [
  'right',
  'mirrored',
  'turned',
  'scaled',
  'offset',
  'mounting',
  'stale',
  'not-deskewed',
  'deskewed-wrongly',
  'late-poses',
] as const;

export type PlacementKind = (typeof placementKinds)[number];

/** A placement that may explain points. */
export interface Explanation {
  readonly kind: PlacementKind;
  readonly placement: Placement;
  /** See {@link costOf}. */
  readonly cost: number;
}

/** Points for a quick look, for a fit, and for the comparison of explanations. */
const samples = { look: 150, fit: 1000, comparison: 8000 } as const;

/** m: the noise that is assumed until it is known, and its bounds. */
const noise = { usual: 0.015, least: 0.002, most: 0.03 } as const;

/** Up to this cost, a placement explains points: see {@link costOf}. */
export const explained = 2.2;

/** What explains points, the best first. */
export interface Explanations {
  /** Of each kind the best, in the order of their cost. */
  readonly all: readonly [Explanation, ...Explanation[]];
  /** The right placement in the frame that fits best. */
  readonly right: Explanation;
  /** m, the noise of the points. */
  readonly deviation: number;
  /** Costs that differ by less say the same. */
  readonly margin: number;
}

/** By so much the cost of an explanation has to be lower than that of another: of all points, and in a mean. */
const clearly = { total: 20, mean: 0.03 } as const;

/** Of two explanations that fit as well, the simpler one is better. */
const costOfParameter = 0.003;

/** Returns how many numbers of a placement were found by fitting them. */
export function parameters({ turn, scale, unit, offset, x, y, delay }: Placement): number {
  return [turn !== 0, scale !== 1, unit !== 1, offset !== 0, x !== 0, y !== 0, delay !== 0].filter(Boolean)
    .length;
}

/** How many scans a driver may be behind. */
export const mostLag = 3;

/** A placement, and the errors of the points that it leaves. */
interface Trial {
  readonly kind: PlacementKind;
  readonly placement: Placement;
  /** m; NaN in fog. */
  readonly errors: Float64Array;
}

/**
 * Explains points by all that a driver may have done.
 * @param frames the frames that the points may have
 */
export function explanationsOf(points: Points, frames: readonly PointFrame[]): Explanations {
  const compared = samplesOf(points, samples.comparison);
  const total = points.scans.reduce((sum, { x }) => sum + x.length, 0);
  const quick = samplesOf(points, samples.fit);
  // The errors stay the same when the noise gets known; what they cost does not.
  const tried = (kind: PlacementKind, placement: Placement): Trial => ({
    kind,
    placement,
    errors: errorsOf(compared, placement),
  });
  const costed = ({ kind, placement, errors }: Trial, of: number): Explanation => ({
    kind,
    placement,
    cost: meanCost(errors, of) + costOfParameter * parameters(placement),
  });
  const rights = frames.map((frame) => tried('right', rightPlacement(frame)));
  const right = cheapest(rights.map((trial) => costed(trial, noise.usual)));
  // A driver that is right, or nearly, has the frame in which it is right.
  const others = right.cost < explained ? [right.placement.frame] : frames;
  const placements = others.flatMap((frame) => [...candidates(points, quick, frame)]);
  const trials = [...rights, ...placements.map(([kind, placement]) => tried(kind, placement))];
  const first = cheapest(trials.map((trial) => costed(trial, noise.usual)));
  const deviation = bounded(deviationOf(quick, first.placement));
  const again = trials.map((trial) => costed(trial, deviation));
  const all = placementKinds.flatMap((kind) => {
    const same = again.filter((each) => each.kind === kind);
    return same.length === 0 ? [] : [cheapest(same)];
  });
  const [best = right, ...rest] = all.sort((one, other) => one.cost - other.cost);
  return {
    all: [best, ...rest],
    right: all.find(({ kind }) => kind === 'right') ?? right,
    deviation,
    margin: clearly.mean + (clearly.total * compared.stride) / Math.max(1, total),
  };
}

function bounded(deviation: number): number {
  return Math.min(noise.most, Math.max(noise.least, Number.isFinite(deviation) ? deviation : noise.usual));
}

function cheapest(all: readonly Explanation[]): Explanation {
  return all.reduce((one, other) => (other.cost < one.cost ? other : one));
}

/** Placements that may explain the points: each the best of its kind near some start. */
function* candidates(
  points: Points,
  quick: Points,
  frame: PointFrame,
): Generator<readonly [PlacementKind, Placement]> {
  const right = rightPlacement(frame);
  const look = samplesOf(points, samples.look);
  const refined = (start: Placement, names: readonly Fitted[]) => fitted(quick, start, names, noise.usual);
  const mirrored = { ...right, mirrored: true };
  for (const start of bestTurns(look, mirrored)) yield ['mirrored', refined(start, ['turn'])];
  const turns = bestTurns(look, right);
  for (const start of turns) yield ['turned', refined(start, ['turn'])];
  yield ['mirrored', mirrored];
  yield ['turned', refined(right, ['turn'])];
  for (const start of [right, ...bestOf(look, scaled(right), 2)]) yield ['scaled', refined(start, ['scale'])];
  for (const start of [right, ...bestOf(look, lengthened(right), 2)])
    yield ['offset', refined(start, ['offset'])];
  const turned = refined(turns[0] ?? right, ['turn', 'x', 'y']);
  if (turned.x !== 0 || turned.y !== 0) yield ['mounting', turned];
  for (const start of [right, ...bestOf(look, shifts(right), 2)]) {
    const shifted = refined(start, ['x', 'y']);
    yield ['mounting', shifted];
    yield ['mounting', refined(shifted, ['x', 'y', 'turn'])];
  }
  for (let lag = 1; lag <= mostLag; lag++) {
    for (const lagsPoses of frame === 'scanner' ? [false] : [false, true])
      yield ['stale', { ...right, lag, lagsPoses }];
  }
  if (frame === 'scanner') return;
  for (const unit of unitFactors) yield ['scaled', { ...right, unit }];
  for (const deskewing of wrongDeskewings) yield ['deskewed-wrongly', { ...right, deskewing }];
  const late = bestOf(look, delays(points, right), 2);
  for (const start of late) yield ['late-poses', refined(start, ['delay'])];
  const standing = { ...right, deskewing: { way: 0, turn: 0 } as const };
  yield ['not-deskewed', standing];
  for (const start of bestOf(look, delays(points, standing), 2))
    yield ['not-deskewed', refined(start, ['delay'])];
}

const wrongDeskewings: readonly Deskewing[] = [
  { way: -1, turn: -1 },
  { way: 1, turn: -1 },
  { way: -1, turn: 1 },
  { way: 0, turn: 1 },
  { way: 1, turn: 0 },
];

function bestOf(look: Points, starts: Iterable<Placement>, count: number): readonly Placement[] {
  return [...starts]
    .map((start) => [start, costOf(look, start, 0.1)] as const)
    .sort(([, one], [, other]) => one - other)
    .slice(0, count)
    .map(([start]) => start);
}

/** The turns by whole beams that explain the points best, and the quarter turns. */
function bestTurns(look: Points, right: Placement): readonly Placement[] {
  const step = Math.abs(look.scans[0]?.truth.angleStep ?? 0.01);
  const turns = Math.round((2 * Math.PI) / step);
  const stride = Math.max(1, Math.floor(turns / 1100));
  const starts = Array.from({ length: Math.ceil(turns / stride) }, (_, at) => ({
    ...right,
    turn: (at * stride - Math.floor(turns / 2)) * step,
  }));
  return bestOf(look, starts, 3);
}

/** By what lengths in one unit are wrong in another. */
const unitFactors = [1000, 0.001, 100, 0.01, 10, 0.1, 0.3048, 1 / 0.3048] as const;

function* scaled(right: Placement): Generator<Placement> {
  for (const scale of [...unitFactors, 1.05, 0.95]) yield { ...right, scale };
}

function* lengthened(right: Placement): Generator<Placement> {
  for (const offset of [-0.5, -0.2, -0.1, 0.1, 0.2, 0.5]) yield { ...right, offset };
}

function* shifts(right: Placement): Generator<Placement> {
  const places = [-1.2, -0.8, -0.5, -0.25, 0, 0.25, 0.5, 0.8, 1.2];
  for (const x of places) for (const y of places) yield { ...right, x, y };
}

/** Delays of poses up to two revolutions, in steps of a twentieth. */
function* delays({ scans }: Points, right: Placement): Generator<Placement> {
  const truth = scans[0]?.truth;
  const span = truth === undefined ? 0 : truth.end - truth.begin;
  for (let step = -50; step <= 50; step++) if (step !== 0) yield { ...right, delay: (span * step) / 20 };
}
