import type { Pose, TrueScan } from './true-scan.js';

/** The poses at the beams of one scan, by number of the beam: m, m, rad. */
interface ScanPoses {
  /** µs of its first and its last beam, and between two beams. */
  readonly begin: number;
  readonly end: number;
  readonly timeStep: number;
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly heading: Float64Array;
}

function posesOf({ begin, end, timeStep, beams }: TrueScan): ScanPoses {
  const column = (name: keyof Pose) => Float64Array.from(beams, ({ pose }) => pose[name]);
  return { begin, end, timeStep, x: column('x'), y: column('y'), heading: column('heading') };
}

/** The poses of a scanner over several scans. Before, between and after them, it moves as at their nearest ends. */
export class PoseTrack {
  readonly #scans: readonly ScanPoses[];
  /** Points come in the order of their beams: the scan of one is mostly that of the one before. */
  #latest = 0;

  constructor(scans: Iterable<TrueScan>) {
    const known = new Map([...scans].map((scan) => [scan.number, scan]));
    this.#scans = [...known.values()].sort((one, other) => one.begin - other.begin).map(posesOf);
  }

  /** Computes the pose at a time. @param time µs */
  pose(time: number, into: Pose): void {
    const at = this.#isIn(this.#latest, time) ? this.#latest : this.#scanAt(time);
    this.#latest = at;
    const scan = this.#scans[at];
    if (scan === undefined) return;
    const next = this.#scans[at + 1];
    const last = scan.x.length - 1;
    if (next !== undefined && time > scan.end) {
      between(scan, last, next, 0, (time - scan.end) / (next.begin - scan.end), into);
      return;
    }
    const place = (time - scan.begin) / scan.timeStep;
    // Behind the ends, a tenth of the scan tells speed and turn.
    const stride = place < 0 || place > last ? Math.max(1, Math.floor((last + 1) / 10)) : 1;
    const before = Math.min(Math.max(Math.floor(place), 0), last - stride);
    between(scan, before, scan, before + stride, (place - before) / stride, into);
  }

  /** Is this the last scan that has begun by then, or the first of all? */
  #isIn(at: number, time: number): boolean {
    const [scan, next] = [this.#scans[at], this.#scans[at + 1]];
    if (scan === undefined) return false;
    return (at === 0 || scan.begin <= time) && (next === undefined || next.begin > time);
  }

  #scanAt(time: number): number {
    let at = 0;
    let past = this.#scans.length - 1;
    while (at < past) {
      const middle = (at + past + 1) >> 1;
      if ((this.#scans[middle]?.begin ?? 0) <= time) at = middle;
      else past = middle - 1;
    }
    return at;
  }
}

function between(
  from: ScanPoses,
  beam: number,
  to: ScanPoses,
  other: number,
  part: number,
  into: Pose,
): void {
  const [x, y, heading] = [from.x[beam] ?? 0, from.y[beam] ?? 0, from.heading[beam] ?? 0];
  into.x = x + part * ((to.x[other] ?? 0) - x);
  into.y = y + part * ((to.y[other] ?? 0) - y);
  into.heading = heading + part * shorterTurn((to.heading[other] ?? 0) - heading);
}

/** Returns a turn in rad by the shorter way. */
export function shorterTurn(turn: number): number {
  return turn - 2 * Math.PI * Math.round(turn / (2 * Math.PI));
}

/** Computes where a pose in the axes of another one is. `into` may be either of them. */
export function compose(outer: Pose, inner: Pose, into: Pose): void {
  const cosine = Math.cos(outer.heading);
  const sine = Math.sin(outer.heading);
  const x = outer.x + cosine * inner.x - sine * inner.y;
  const y = outer.y + sine * inner.x + cosine * inner.y;
  into.heading = outer.heading + inner.heading;
  into.x = x;
  into.y = y;
}

/** Computes a pose in the axes of another one. `into` may be either of them. */
export function relative(outer: Pose, pose: Pose, into: Pose): void {
  const cosine = Math.cos(outer.heading);
  const sine = Math.sin(outer.heading);
  const dx = pose.x - outer.x;
  const dy = pose.y - outer.y;
  const heading = shorterTurn(pose.heading - outer.heading);
  into.x = cosine * dx + sine * dy;
  into.y = cosine * dy - sine * dx;
  into.heading = heading;
}
