import type { Motion } from '@azimuth/device';
import { radPerDegree } from '@azimuth/device/cores';
import type { Scene, TimedPath } from '../scene/scene-file.js';
import type { Pose } from './pose.js';
import type { Stretch, Trajectory } from './trajectory.js';

/** Stands at the origin for all time. */
const standing: Readonly<Stretch> = {
  begin: 0,
  end: Number.POSITIVE_INFINITY,
  x: 0,
  y: 0,
  heading: 0,
  turn: 0,
  vx: 0,
  vy: 0,
  ahead: 0,
  left: 0,
  aheadChange: 0,
  leftChange: 0,
  turnChange: 0,
  travelled: 0,
  speed: 0,
};

/** Makes a stretch stand; its begin, end and pose stay. */
function stand(into: Stretch): void {
  into.turn = 0;
  into.vx = 0;
  into.vy = 0;
  into.ahead = 0;
  into.left = 0;
  into.aheadChange = 0;
  into.leftChange = 0;
  into.turnChange = 0;
  into.travelled = 0;
  into.speed = 0;
}

/** Returns a stretch that stands at the origin for all time. */
export function standingStretch(): Stretch {
  return { ...standing };
}

/** Computes the pose on a stretch at a time (s). */
export function poseOn(stretch: Stretch, time: number, into: Pose): void {
  const passed = time - stretch.begin;
  into.heading = stretch.heading + stretch.turn * passed;
  if (stretch.ahead === 0 && stretch.left === 0) {
    into.x = stretch.x + stretch.vx * passed;
    into.y = stretch.y + stretch.vy * passed;
    return;
  }
  const half = (stretch.turn * passed) / 2;
  // The way of an arc is as long as its chord, times half / sin(half), and has the direction of its middle.
  const chord = half === 0 ? passed : (passed * Math.sin(half)) / half;
  const cosine = Math.cos(stretch.heading + half);
  const sine = Math.sin(stretch.heading + half);
  into.x = stretch.x + stretch.vx * passed + (cosine * stretch.ahead - sine * stretch.left) * chord;
  into.y = stretch.y + stretch.vy * passed + (sine * stretch.ahead + cosine * stretch.left) * chord;
}

/** s before and after a waypoint over which an IMU feels the change of velocity. */
const softening = 0.05;
/** s by which a stretch is at least longer than the times in it, whatever is rounded. */
const shortest = 1e-9;
/** Cosine of the angle between a body and its way, below which it moves backwards. */
const sideways = -1e-9;

/** The motion along a timed path: constant speed in a straight line from waypoint to waypoint. */
export class PathFollower implements Trajectory {
  readonly softening = softening;
  readonly isFixed = false;
  readonly #times: Float64Array;
  readonly #x: Float64Array;
  readonly #y: Float64Array;
  /** By leg: heading at its beginning in radians, and rotation on the leg. */
  readonly #heading: Float64Array;
  readonly #rotation: Float64Array;
  /** By leg: 1 if it has headings of its own. A heading along the path is reversed on the way back. */
  readonly #own: Uint8Array;
  /** By waypoint: distance travelled on the way there in m, and on the way back from the last waypoint. */
  readonly #there: Float64Array;
  readonly #back: Float64Array;
  readonly #repeat: TimedPath['repeat'];
  /** Time (s of the world) of the first waypoint. */
  readonly #zero: number;
  readonly #stretch = standingStretch();

  constructor({ waypoints, repeat, phase }: TimedPath) {
    const count = waypoints.length;
    this.#times = Float64Array.from(waypoints, ({ t }) => t);
    this.#x = Float64Array.from(waypoints, ({ x }) => x);
    this.#y = Float64Array.from(waypoints, ({ y }) => y);
    this.#heading = new Float64Array(count);
    this.#rotation = new Float64Array(count);
    this.#own = new Uint8Array(count);
    this.#there = new Float64Array(count);
    this.#back = new Float64Array(count);
    this.#repeat = repeat;
    this.#zero = (this.#times[0] ?? 0) - phase;
    const ways = new Float64Array(count);
    let along = firstDirection(waypoints);
    for (let leg = 0; leg < count; leg++) {
      const from = waypoints[leg];
      const to = waypoints[leg + 1] ?? from;
      if (from === undefined || to === undefined) continue;
      const dx = to.x - from.x;
      const dy = to.y - from.y;
      if (dx !== 0 || dy !== 0) along = Math.atan2(dy, dx);
      const own = from.heading !== undefined && to.heading !== undefined;
      const heading = own ? (from.heading ?? 0) * radPerDegree : along;
      const rotation = own ? shorterDegrees((to.heading ?? 0) - (from.heading ?? 0)) * radPerDegree : 0;
      this.#own[leg] = own ? 1 : 0;
      this.#heading[leg] = heading;
      this.#rotation[leg] = rotation;
      const facing = Math.cos(heading + rotation / 2 - along) < sideways ? -1 : 1;
      ways[leg] = facing * Math.sqrt(dx * dx + dy * dy);
    }
    for (let leg = 0; leg + 1 < count; leg++) {
      this.#there[leg + 1] = (this.#there[leg] ?? 0) + (ways[leg] ?? 0);
    }
    for (let leg = count - 2; leg >= 0; leg--) {
      const way = ways[leg] ?? 0;
      this.#back[leg] = (this.#back[leg + 1] ?? 0) + (this.#own[leg] === 1 ? -way : way);
    }
  }

  pose(time: number, into: Pose): void {
    this.stretch(time, this.#stretch);
    poseOn(this.#stretch, time, into);
  }

  travelled(time: number): number {
    const stretch = this.#stretch;
    this.stretch(time, stretch);
    return stretch.travelled + stretch.speed * (time - stretch.begin);
  }

  stretch(time: number, into: Stretch): void {
    const last = this.#times.length - 1;
    const duration = (this.#times[last] ?? 0) - (this.#times[0] ?? 0);
    const since = time - this.#zero;
    stand(into);
    if (duration === 0 || since < 0)
      this.#stand(0, 0, this.#zero, duration === 0 ? Number.POSITIVE_INFINITY : this.#zero, into);
    else if (this.#repeat === 'stop' && since >= duration)
      this.#stand(last - 1, 1, this.#zero + duration, Number.POSITIVE_INFINITY, into);
    else this.#move(since, duration, into);
    // The time that is asked for is in the stretch, also after rounding.
    if (into.begin > time) into.begin = time;
    if (into.end <= time) into.end = time + Math.max(shortest, 2 * Number.EPSILON * Math.abs(time));
  }

  /** @param part of the leg, 0 or 1: at which of its waypoints */
  #stand(leg: number, part: 0 | 1, begin: number, end: number, into: Stretch): void {
    into.begin = begin;
    into.end = end;
    into.x = this.#x[leg + part] ?? 0;
    into.y = this.#y[leg + part] ?? 0;
    into.heading = (this.#heading[leg] ?? 0) + part * (this.#rotation[leg] ?? 0);
    into.travelled = this.#there[leg + part] ?? 0;
  }

  /** @param since s since the first waypoint, up to the last one if the path does not repeat */
  #move(since: number, duration: number, into: Stretch): void {
    const last = this.#times.length - 1;
    const first = this.#times[0] ?? 0;
    const wayThere = this.#there[last] ?? 0;
    const returns = this.#repeat === 'back-and-forth';
    const period = returns ? 2 * duration : duration;
    const lap = Math.floor(since / period);
    const lapBegin = this.#zero + lap * period;
    const inLap = since - lap * period;
    const travelled = lap * (wayThere + (returns ? (this.#back[0] ?? 0) : 0));
    const isBack = returns && inLap >= duration;
    const leg = isBack ? this.#legBefore(first + period - inLap) : this.#legAt(first + inLap);
    const next = leg + 1;
    const from = (this.#times[leg] ?? 0) - first;
    const to = (this.#times[next] ?? 0) - first;
    const span = to - from;
    const vx = ((this.#x[next] ?? 0) - (this.#x[leg] ?? 0)) / span;
    const vy = ((this.#y[next] ?? 0) - (this.#y[leg] ?? 0)) / span;
    const heading = this.#heading[leg] ?? 0;
    const rotation = this.#rotation[leg] ?? 0;
    if (isBack) {
      into.begin = lapBegin + period - to;
      into.end = lapBegin + period - from;
      into.x = this.#x[next] ?? 0;
      into.y = this.#y[next] ?? 0;
      into.heading = heading + (this.#own[leg] === 1 ? rotation : Math.PI);
      into.turn = -rotation / span;
      into.vx = -vx;
      into.vy = -vy;
      into.travelled = travelled + wayThere + (this.#back[next] ?? 0);
      into.speed = ((this.#back[leg] ?? 0) - (this.#back[next] ?? 0)) / span;
      return;
    }
    into.begin = lapBegin + from;
    into.end = lapBegin + to;
    into.x = this.#x[leg] ?? 0;
    into.y = this.#y[leg] ?? 0;
    into.heading = heading;
    into.turn = rotation / span;
    into.vx = vx;
    into.vy = vy;
    into.travelled = travelled + (this.#there[leg] ?? 0);
    into.speed = ((this.#there[next] ?? 0) - (this.#there[leg] ?? 0)) / span;
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

  /** Returns the leg that ends at this time, or contains it: on the way back, it begins there. */
  #legBefore(time: number): number {
    const leg = this.#legAt(time);
    return leg > 0 && (this.#times[leg] ?? 0) >= time ? leg - 1 : leg;
  }
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
/** m between the end of a stretch and the begin of the next one, above which the body jumps. */
const jump = 1e-6;

/** The pose and motion of a scanner: fixed in the scene, or mounted on a vehicle. */
export class ScannerMount implements Trajectory {
  readonly softening: number;
  #mount: Pose;
  #vehicle: Trajectory | undefined;
  readonly #stretch = standingStretch();

  /**
   * @param mount where the scanner is on the vehicle: m ahead and to the left, and degrees
   * @param vehicle by default, one that follows the path; without a path, the mount is the place in the scene
   */
  constructor(
    { x, y, heading, path }: Scene['scanner'],
    vehicle: Trajectory | undefined = path && new PathFollower(path),
  ) {
    this.#mount = { x, y, heading: heading * radPerDegree };
    this.#vehicle = vehicle;
    this.softening = vehicle?.softening ?? 0;
  }

  /** Puts what stands in the scene into the middle of a vehicle, which begins at this place. */
  ride(vehicle: Trajectory): void {
    this.#mount = { x: 0, y: 0, heading: 0 };
    this.#vehicle = vehicle;
  }

  get isFixed(): boolean {
    return this.#vehicle === undefined;
  }

  pose(time: number, into: Pose): void {
    this.stretch(time, this.#stretch);
    poseOn(this.#stretch, time, into);
  }

  travelled(time: number): number {
    return this.#vehicle?.travelled(time) ?? 0;
  }

  stretch(time: number, into: Stretch): void {
    if (this.#vehicle !== undefined) {
      this.#vehicle.stretch(time, into);
      this.#carry(into);
      return;
    }
    stand(into);
    into.begin = time;
    into.end = Number.POSITIVE_INFINITY;
    into.x = this.#mount.x;
    into.y = this.#mount.y;
    into.heading = this.#mount.heading;
  }

  /** Returns the motion at a time in the axes of the scanner. */
  motion(time: number): Motion {
    const stretch = this.#stretch;
    this.stretch(time, stretch);
    const heading = stretch.heading + stretch.turn * (time - stretch.begin);
    const cosine = Math.cos(heading);
    const sine = Math.sin(heading);
    const { turn } = stretch;
    let ahead = stretch.aheadChange - turn * stretch.left;
    let left = stretch.leftChange + turn * stretch.ahead;
    let rotation = turn;
    if (this.#vehicle !== undefined && this.softening > 0) {
      const change = this.#changeAbout(time, this.#vehicle);
      ahead += cosine * change.x + sine * change.y;
      left += cosine * change.y - sine * change.x;
      rotation = change.heading;
    }
    return {
      acceleration: [ahead, left, gravity],
      angularVelocity: [0, 0, rotation],
      orientation: [Math.cos(heading / 2), 0, 0, Math.sin(heading / 2)],
    };
  }

  /**
   * Returns what changes of velocity near a time feel like, each spread over `softening` before and after it: m/s² in the
   * axes of the world, and the mean rotation in rad/s. A jump of the vehicle is not felt.
   */
  #changeAbout(time: number, vehicle: Trajectory): Pose {
    const softening = this.softening;
    const change = { x: 0, y: 0, heading: 0 };
    const to = time + softening;
    const [before, after] = [standingStretch(), standingStretch()];
    const [poseBefore, poseAfter] = [{ ...change }, { ...change }];
    let at = time - softening;
    vehicle.stretch(at, before);
    for (;;) {
      const end = Math.min(before.end, to);
      change.heading += (before.turn * (end - at)) / (2 * softening);
      if (end === to) return change;
      at = end;
      vehicle.stretch(at, after);
      poseOn(before, at, poseBefore);
      poseOn(after, at, poseAfter);
      if (Math.hypot(poseAfter.x - poseBefore.x, poseAfter.y - poseBefore.y) < jump) {
        const weight = (1 - Math.abs(at - time) / softening) / softening;
        const [vx, vy] = velocityAt(before, at, this.#mount);
        const [nextVx, nextVy] = velocityAt(after, at, this.#mount);
        change.x += weight * (nextVx - vx);
        change.y += weight * (nextVy - vy);
        change.heading += shorterRadians(poseAfter.heading - poseBefore.heading) / (2 * softening);
      }
      Object.assign(before, after);
    }
  }

  /** Changes a stretch of the vehicle into that of the scanner on it. */
  #carry(stretch: Stretch): void {
    const { x, y, heading } = this.#mount;
    const cosine = Math.cos(stretch.heading);
    const sine = Math.sin(stretch.heading);
    stretch.x += cosine * x - sine * y;
    stretch.y += sine * x + cosine * y;
    stretch.heading += heading;
    const { turn, turnChange } = stretch;
    const ahead = stretch.ahead - turn * y;
    const left = stretch.left + turn * x;
    const aheadChange = stretch.aheadChange - turnChange * y;
    const leftChange = stretch.leftChange + turnChange * x;
    const mountCosine = Math.cos(heading);
    const mountSine = Math.sin(heading);
    stretch.ahead = mountCosine * ahead + mountSine * left;
    stretch.left = mountCosine * left - mountSine * ahead;
    stretch.aheadChange = mountCosine * aheadChange + mountSine * leftChange;
    stretch.leftChange = mountCosine * leftChange - mountSine * aheadChange;
  }
}

/** Returns the velocity (m/s, in the axes of the world) of a point of a body: x ahead and y to its left. */
function velocityAt(stretch: Stretch, time: number, { x, y }: Pose): readonly [number, number] {
  const heading = stretch.heading + stretch.turn * (time - stretch.begin);
  const cosine = Math.cos(heading);
  const sine = Math.sin(heading);
  const ahead = stretch.ahead - stretch.turn * y;
  const left = stretch.left + stretch.turn * x;
  return [stretch.vx + cosine * ahead - sine * left, stretch.vy + sine * ahead + cosine * left];
}

/** Returns a rotation in radians by the shorter way. */
function shorterRadians(angle: number): number {
  return angle - 2 * Math.PI * Math.round(angle / (2 * Math.PI));
}
