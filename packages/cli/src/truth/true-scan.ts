import { isObject } from '@azimuth/model';

/** A position in m, and a heading in rad, counter-clockwise. */
export interface Pose {
  x: number;
  y: number;
  heading: number;
}

/** What a beam met. */
export interface TrueBeam {
  /** µs of the clock of telegrams. */
  readonly time: number;
  readonly pose: Pose;
  /** m of the opaque surface at its end; undefined if there is none. */
  readonly range: number | undefined;
  /** Place of its object in the scene; empty without a surface. */
  readonly object: string;
  /** m of the panes of glass in front of it, the nearest first. */
  readonly glass: readonly number[];
  readonly fog: boolean;
}

/** The largest step between ranges of neighbours on one surface: m, and share of the range. */
const plainStep = { m: 0.1, share: 0.05 };

/** What the beams of a scan met: beams at equal steps of their angle and time. */
export class TrueScan {
  /** rad. */
  readonly firstAngle: number;
  readonly angleStep: number;
  /** µs between two beams. */
  readonly timeStep: number;
  /** µs of its first beam. */
  readonly begin: number;
  /** µs of its last beam. */
  readonly end: number;
  readonly #plain: Uint8Array;
  /** m; NaN without a surface. */
  readonly #ranges: Float64Array;
  /** 1 if a beam and the next one meet the same object. */
  readonly #sameAsNext: Uint8Array;

  /** @param angles rad, in equal steps */
  constructor(
    readonly number: number,
    readonly beams: readonly TrueBeam[],
    angles: { readonly first: number; readonly last: number },
  ) {
    const steps = Math.max(1, beams.length - 1);
    this.firstAngle = angles.first;
    this.angleStep = (angles.last - angles.first) / steps;
    this.begin = beams[0]?.time ?? 0;
    this.end = beams.at(-1)?.time ?? 0;
    this.timeStep = (this.end - this.begin) / steps;
    this.#plain = Uint8Array.from(beams, (_, beam) => (this.#isPlain(beam) ? 1 : 0));
    this.#ranges = Float64Array.from(beams, ({ range }) => range ?? Number.NaN);
    this.#sameAsNext = Uint8Array.from(beams, ({ object }, at) => (object === beams[at + 1]?.object ? 1 : 0));
  }

  /** Whether a beam has one range: no glass, no fog, and no edge between it and its neighbours. */
  isPlain(beam: number): boolean {
    return this.#plain[beam] === 1;
  }

  /** rad. @param beam may lie between two beams */
  angleAt(beam: number): number {
    return this.firstAngle + beam * this.angleStep;
  }

  /** µs. @param beam may lie between two beams */
  timeAt(beam: number): number {
    return this.begin + beam * this.timeStep;
  }

  /** The beam in this direction, which may lie between two beams or outside of the scan. @param angle rad */
  beamAt(angle: number): number {
    const middle = (this.beams.length - 1) / 2;
    let off = angle - this.angleAt(middle);
    off -= 2 * Math.PI * Math.round(off / (2 * Math.PI));
    return middle + off / this.angleStep;
  }

  /** The nearest beam of a place between beams; undefined if it is outside of the scan by more than half a beam. */
  nearest(beam: number): number | undefined {
    const nearest = Math.round(beam);
    return nearest < 0 || nearest >= this.beams.length ? undefined : nearest;
  }

  /** The range of a plain surface between two beams, in m: 1 / range is nearly straight along a line. */
  rangeAt(beam: number): number {
    const before = Math.min(Math.max(Math.floor(beam), 0), this.beams.length - 2);
    const part = beam - before;
    const near = this.#ranges[before] ?? Number.NaN;
    const far = this.#ranges[before + 1] ?? Number.NaN;
    if (this.#sameAsNext[before] !== 1 || Number.isNaN(near) || Number.isNaN(far))
      return this.#ranges[Math.round(beam)] ?? Number.NaN;
    return 1 / ((1 - part) / near + part / far);
  }

  #isPlain(beam: number): boolean {
    const near = [this.beams[beam - 1], this.beams[beam], this.beams[beam + 1]].filter(
      (each) => each !== undefined,
    );
    const ranges = near.map(({ range }) => range ?? Number.NaN);
    const [least, most] = [Math.min(...ranges), Math.max(...ranges)];
    return (
      most - least < plainStep.m + plainStep.share * least &&
      near.every(({ object, glass, fog }) => object === near[0]?.object && glass.length === 0 && !fog)
    );
  }
}

const radPerDegree = Math.PI / 180;
const metres = 0.001;

/** The answer of a control port was no truth. */
export class TruthFormatError extends Error {
  override readonly name = 'TruthFormatError';
}

/** Reads the answer of GET /truth. @throws TruthFormatError */
export function parseTruth(answer: unknown): TrueScan {
  const { scan, beams } = objectIn(answer, 'an object');
  if (!Array.isArray(beams) || beams.length < 2) throw new TruthFormatError('expected at least two beams');
  const parsed = beams.map(parseBeam);
  const angles = { first: angleOf(beams[0]), last: angleOf(beams.at(-1)) };
  const number = numberIn(scan, 'scan');
  return new TrueScan(number, parsed, angles);
}

function angleOf(beam: unknown): number {
  return numberIn(objectIn(beam, 'a beam').angle, 'angle') * radPerDegree;
}

function parseBeam(beam: unknown): TrueBeam {
  const { time, pose, surface, glass, fog } = objectIn(beam, 'a beam');
  const end = isObject(surface) ? surface : undefined;
  return {
    time: numberIn(time, 'time'),
    pose: poseIn(pose),
    range: end === undefined ? undefined : numberIn(end.distance, 'distance') * metres,
    object: typeof end?.object === 'string' ? end.object : '',
    glass: (Array.isArray(glass) ? glass : []).map(
      (pane) => numberIn(objectIn(pane, 'a pane').distance, 'distance') * metres,
    ),
    fog: fog === true,
  };
}

function poseIn(pose: unknown): Pose {
  const { x, y, heading } = objectIn(pose, 'a pose of each beam');
  return {
    x: numberIn(x, 'x'),
    y: numberIn(y, 'y'),
    heading: numberIn(heading, 'heading') * radPerDegree,
  };
}

function objectIn(value: unknown, what: string): Readonly<Record<string, unknown>> {
  if (isObject(value)) return value;
  throw new TruthFormatError(`expected ${what}`);
}

function numberIn(value: unknown, name: string): number {
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  throw new TruthFormatError(`expected a number as ${name}`);
}
