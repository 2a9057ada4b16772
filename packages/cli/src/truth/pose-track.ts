import type { Pose, TrueScan } from './true-scan.js';

/** The poses of a scanner over several scans. Before, between and after them, it moves as at their nearest ends. */
export class PoseTrack {
  readonly #scans: readonly TrueScan[];

  constructor(scans: Iterable<TrueScan>) {
    const known = new Map([...scans].map((scan) => [scan.number, scan]));
    this.#scans = [...known.values()].sort((one, other) => one.begin - other.begin);
  }

  /** Computes the pose at a time. @param time µs */
  pose(time: number, into: Pose): void {
    const scans = this.#scans;
    let at = 0;
    let past = scans.length - 1;
    while (at < past) {
      const middle = (at + past + 1) >> 1;
      if ((scans[middle]?.begin ?? 0) <= time) at = middle;
      else past = middle - 1;
    }
    const scan = scans[at];
    if (scan === undefined) return;
    const next = scans[at + 1];
    const { beams } = scan;
    if (next !== undefined && time > scan.end) {
      between(beams.at(-1), next.beams[0], (time - scan.end) / (next.begin - scan.end), into);
      return;
    }
    const place = (time - scan.begin) / scan.timeStep;
    // Behind the ends, a tenth of the scan tells speed and turn.
    const stride = place < 0 || place > beams.length - 1 ? Math.max(1, Math.floor(beams.length / 10)) : 1;
    const before = Math.min(Math.max(Math.floor(place), 0), beams.length - 1 - stride);
    between(beams[before], beams[before + stride], (place - before) / stride, into);
  }
}

function between(from: { readonly pose: Pose } | undefined, to: typeof from, part: number, into: Pose): void {
  if (from === undefined || to === undefined) return;
  into.x = from.pose.x + part * (to.pose.x - from.pose.x);
  into.y = from.pose.y + part * (to.pose.y - from.pose.y);
  into.heading = from.pose.heading + part * shorterTurn(to.pose.heading - from.pose.heading);
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
