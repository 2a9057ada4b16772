import type { Motion } from '@azimuth/device';
import { radPerDegree } from '@azimuth/device/cores';
import type { Scene, TimedPath } from '../scene/scene-file.js';
import type { Pose } from './pose.js';

/** A pose on a path. */
export interface PathPose extends Pose {
  /** Distance travelled since the first waypoint, in m. It decreases on the way back. */
  travelled: number;
}

/** Interpolates a timed path: constant speed in a straight line from waypoint to waypoint. */
export class PathFollower {
  readonly #times: Float64Array;
  readonly #x: Float64Array;
  readonly #y: Float64Array;
  /** By leg: heading at its beginning in radians, and rotation on the leg. */
  readonly #heading: Float64Array;
  readonly #rotation: Float64Array;
  /** By leg: 1 if it has headings of its own. A heading along the path is reversed on the way back. */
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
    this.#rotation = new Float64Array(count);
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
      this.#heading[leg] = own ? (from.heading ?? 0) * radPerDegree : along;
      this.#rotation[leg] = own ? shorterDegrees((to.heading ?? 0) - (from.heading ?? 0)) * radPerDegree : 0;
    }
  }

  /** True if the body jumps to another position when the path begins again. */
  get jumps(): boolean {
    const last = this.#x.length - 1;
    return this.#repeat === 'loop' && (this.#x[0] !== this.#x[last] || this.#y[0] !== this.#y[last]);
  }

  /** Computes the pose at a time. @param time s since the zero of the clock */
  pose(time: number, into: PathPose): void {
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
    into.heading = (this.#heading[leg] ?? 0) + part * (this.#rotation[leg] ?? 0);
    if (back && this.#own[leg] === 0) into.heading += Math.PI;
  }

  /** Returns the time, moved so that `margin` s before and after it are in the same lap. It is moved only if the path jumps. */
  awayFromJump(time: number, margin: number): number {
    const begin = this.#times[0] ?? 0;
    const duration = (this.#times.at(-1) ?? 0) - begin;
    const since = time + this.#phase - begin;
    if (!this.jumps || since <= 0 || duration <= 2 * margin) return time;
    const inLap = since % duration;
    // The end of a lap is already the start of the next one, so the moved time stays just below it.
    return time + Math.min(Math.max(inLap, margin), duration - 1.001 * margin) - inLap;
  }

  /** Returns the leg at this time: the last waypoint not after it, but never the last of all. */
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

/** Returns the direction of the first move. A body that stands until then faces this direction. */
function firstDirection(waypoints: TimedPath['waypoints']): number {
  const [first] = waypoints;
  const other = waypoints.find(({ x, y }) => x !== first?.x || y !== first?.y);
  if (first === undefined || other === undefined) return (first?.heading ?? 0) * radPerDegree;
  return Math.atan2(other.y - first.y, other.x - first.x);
}

/** Returns a rotation in degrees by the shorter way: above -180, up to 180. */
function shorterDegrees(degrees: number): number {
  const rotation = degrees - 360 * Math.floor(degrees / 360);
  return rotation > 180 ? rotation - 360 : rotation;
}

/** m/s². */
const gravity = 9.81;
/** s before and after the moment of a computed motion. A change of speed is spread over twice this time. */
const margin = 0.05;

/** The pose and motion of the scanner: fixed in the scene, or mounted on a vehicle that follows a path. */
export class ScannerMount {
  readonly #mount: Pose;
  readonly #path: PathFollower | undefined;
  readonly #vehicle: PathPose = { x: 0, y: 0, heading: 0, travelled: 0 };

  constructor({ x, y, heading, path }: Scene['scanner']) {
    this.#mount = { x, y, heading: heading * radPerDegree };
    this.#path = path && new PathFollower(path);
  }

  /** Computes the pose. @param time s */
  pose(time: number, into: Pose): void {
    this.#path?.pose(time, this.#vehicle);
    const cosine = Math.cos(this.#vehicle.heading);
    const sine = Math.sin(this.#vehicle.heading);
    into.x = this.#vehicle.x + cosine * this.#mount.x - sine * this.#mount.y;
    into.y = this.#vehicle.y + sine * this.#mount.x + cosine * this.#mount.y;
    into.heading = this.#vehicle.heading + this.#mount.heading;
  }

  /** Returns the motion in the axes of the scanner, computed from the poses 50 ms before and after. */
  motion(time: number): Motion {
    const now = { x: 0, y: 0, heading: 0 };
    const before = { ...now };
    const after = { ...now };
    const middle = this.#path?.awayFromJump(time, margin) ?? time;
    this.pose(middle - margin, before);
    this.pose(middle, now);
    this.pose(middle + margin, after);
    const ax = (after.x - 2 * now.x + before.x) / (margin * margin);
    const ay = (after.y - 2 * now.y + before.y) / (margin * margin);
    this.pose(time, now);
    const cosine = Math.cos(now.heading);
    const sine = Math.sin(now.heading);
    return {
      acceleration: [cosine * ax + sine * ay, cosine * ay - sine * ax, gravity],
      angularVelocity: [0, 0, shorterRadians(after.heading - before.heading) / (2 * margin)],
      orientation: [Math.cos(now.heading / 2), 0, 0, Math.sin(now.heading / 2)],
    };
  }
}

/** Returns a rotation in radians by the shorter way. */
function shorterRadians(angle: number): number {
  return angle - 2 * Math.PI * Math.round(angle / (2 * Math.PI));
}
