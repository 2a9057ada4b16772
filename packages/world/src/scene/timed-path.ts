import { type Pose, radiansPerDegree } from './pose.js';
import type { TimedPath } from './scene-file.js';

/** A pose on a path. */
export interface Placement extends Pose {
  /** How far it has gone since the first waypoint, in m; backwards counts down. */
  travelled: number;
}

/** Where something on a timed path is at any time: evenly in a straight line from waypoint to waypoint. */
export class PathFollower {
  readonly #times: Float64Array;
  readonly #x: Float64Array;
  readonly #y: Float64Array;
  /** Heading at the beginning of each leg, and how far it turns on the leg. */
  readonly #heading: Float64Array;
  readonly #turn: Float64Array;
  /** Whether a leg has headings of its own; those along the path turn round on the way back. */
  readonly #own: Uint8Array;
  readonly #travelled: Float64Array;
  readonly #repeat: TimedPath['repeat'];
  readonly #phase: number;

  constructor({ waypoints, repeat, phase }: TimedPath) {
    const count = waypoints.length;
    this.#times = Float64Array.from(waypoints, ({ t }) => t);
    this.#x = Float64Array.from(waypoints, ({ x }) => x);
    this.#y = Float64Array.from(waypoints, ({ y }) => y);
    this.#heading = new Float64Array(count);
    this.#turn = new Float64Array(count);
    this.#own = new Uint8Array(count);
    this.#travelled = new Float64Array(count);
    this.#repeat = repeat;
    this.#phase = phase;
    let along = firstDirection(waypoints);
    for (let leg = 0; leg < count; leg++) {
      const from = waypoints[leg];
      const to = waypoints[leg + 1] ?? from;
      if (from === undefined || to === undefined) continue;
      const dx = to.x - from.x;
      const dy = to.y - from.y;
      if (dx !== 0 || dy !== 0) along = Math.atan2(dy, dx);
      if (leg + 1 < count)
        this.#travelled[leg + 1] = (this.#travelled[leg] ?? 0) + Math.sqrt(dx * dx + dy * dy);
      const own = from.heading !== undefined && to.heading !== undefined;
      this.#own[leg] = own ? 1 : 0;
      this.#heading[leg] = own ? (from.heading ?? 0) * radiansPerDegree : along;
      this.#turn[leg] = own ? shorterTurn((to.heading ?? 0) - (from.heading ?? 0)) * radiansPerDegree : 0;
    }
  }

  /** Whether it is somewhere else at once when it begins again. */
  get jumps(): boolean {
    const last = this.#x.length - 1;
    return this.#repeat === 'loop' && (this.#x[0] !== this.#x[last] || this.#y[0] !== this.#y[last]);
  }

  /** @param time s since the zero of the clock */
  place(time: number, into: Placement): void {
    const times = this.#times;
    const last = times.length - 1;
    const begin = times[0] ?? 0;
    const duration = (times[last] ?? 0) - begin;
    let since = time + this.#phase - begin;
    let back = false;
    if (since > 0 && duration > 0 && this.#repeat !== 'stop') {
      back = this.#repeat === 'back-and-forth' && since % (2 * duration) >= duration;
      since %= duration;
      if (back) since = duration - since;
    }
    const on = begin + Math.min(Math.max(since, 0), duration);
    const leg = this.#legAt(on);
    const next = Math.min(leg + 1, last);
    const from = times[leg] ?? 0;
    const span = (times[next] ?? 0) - from;
    const part = span > 0 ? (on - from) / span : 0;
    into.x = between(this.#x[leg] ?? 0, this.#x[next] ?? 0, part);
    into.y = between(this.#y[leg] ?? 0, this.#y[next] ?? 0, part);
    into.travelled = between(this.#travelled[leg] ?? 0, this.#travelled[next] ?? 0, part);
    into.heading = (this.#heading[leg] ?? 0) + part * (this.#turn[leg] ?? 0);
    if (back && this.#own[leg] === 0) into.heading += Math.PI;
  }

  /** The time moved so that `margin` s before and after it lie in the same lap, where a lap begins with a jump. */
  awayFromJump(time: number, margin: number): number {
    const begin = this.#times[0] ?? 0;
    const duration = (this.#times.at(-1) ?? 0) - begin;
    const since = time + this.#phase - begin;
    if (!this.jumps || since <= 0 || duration <= 2 * margin) return time;
    const inLap = since % duration;
    // A lap ends just before its last moment, which is the first of the next one.
    return time + Math.min(Math.max(inLap, margin), duration - 1.001 * margin) - inLap;
  }

  /** The leg that it is on: the last waypoint not after this time, or the one before where that is the last. */
  #legAt(time: number): number {
    let low = 0;
    let high = Math.max(0, this.#times.length - 2);
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#times[middle] ?? 0) <= time) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

function between(from: number, to: number, part: number): number {
  return from + (to - from) * part;
}

/** Standing before its first move, it looks where it is going to go. */
function firstDirection(waypoints: TimedPath['waypoints']): number {
  const [first] = waypoints;
  const other = waypoints.find(({ x, y }) => x !== first?.x || y !== first?.y);
  if (first === undefined || other === undefined) return (first?.heading ?? 0) * radiansPerDegree;
  return Math.atan2(other.y - first.y, other.x - first.x);
}

/** The turn in degrees by the shorter way: above -180, up to 180. */
function shorterTurn(degrees: number): number {
  const turn = degrees - 360 * Math.floor(degrees / 360);
  return turn > 180 ? turn - 360 : turn;
}
