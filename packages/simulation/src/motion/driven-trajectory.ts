import type { Pose } from './pose.js';
import type { Stretch, Trajectory } from './trajectory.js';

/** What a vehicle is able to do: m/s, rad/s, m/s², rad/s². */
export interface DriveLimits {
  readonly speed: number;
  readonly turn: number;
  readonly acceleration: number;
  readonly turnAcceleration: number;
}

/** Factors of what the wheels report, 1 if they are right: a wheel that is too small reports too long a way. */
export interface WheelErrors {
  readonly distance: number;
  readonly turn: number;
}

/** A wanted motion: m/s, and rad/s counter-clockwise. */
export interface Velocity {
  readonly speed: number;
  readonly turn: number;
}

/** What a vehicle knows of its motion, and what is true. */
export interface VehicleState extends Velocity {
  /** s of the world. */
  readonly time: number;
  /** Distance travelled in m, less what was travelled backwards. */
  readonly travelled: number;
  /** The pose in the coordinates of the start, as the wheels report it. */
  readonly odometry: Pose;
  /** The pose in the scene. */
  readonly pose: Pose;
}

/** Steps in each second. Speeds change at steps only. */
const stepsPerSecond = 200;
/** Arcs that are kept: at most two in each step, so they last for 40 s or longer. */
const mostArcs = 16_384;

/** A stretch of constant twist. Poses and way are those at its begin. */
interface Arc {
  readonly begin: number;
  /** Infinity as long as no command ends it. */
  end: number;
  readonly pose: Pose;
  readonly odometry: Pose;
  readonly travelled: number;
  /** At its begin and at its end. The twist is the mean of both. */
  readonly from: Velocity;
  readonly to: Velocity;
}

const standing: Velocity = { speed: 0, turn: 0 };

/**
 * The motion of a vehicle that follows commands. It is made of arcs of constant twist; while speeds change, of one arc for
 * every step of 5 ms.
 *
 * The motion is certain up to the latest time that anybody has asked for, or that `commit` names. A command takes effect
 * at the first step after this time. So everybody sees the same motion, no matter who asks first. Nothing stops the
 * vehicle at a wall.
 */
export class DrivenTrajectory implements Trajectory {
  /** The stretches tell the changes of velocity. */
  readonly softening = 0;
  readonly isFixed = false;
  readonly #limits: DriveLimits;
  readonly #wheels: WheelErrors;
  /** The last one is open: the next begins at its end. */
  readonly #arcs: Arc[];
  #wanted: Velocity = standing;
  /** When the command ends, and the vehicle brakes. */
  #until = Number.POSITIVE_INFINITY;
  #certainUntil: number;

  /** @param start where the vehicle stands @param time s of the world until which it stands */
  constructor(options: {
    readonly start: Pose;
    readonly time: number;
    readonly limits: DriveLimits;
    readonly wheels?: WheelErrors | undefined;
  }) {
    const { start, time, limits, wheels = { distance: 1, turn: 1 } } = options;
    this.#limits = limits;
    this.#wheels = wheels;
    this.#certainUntil = time;
    const odometry = { x: 0, y: 0, heading: 0 };
    this.#arcs = [this.#arcFrom({ begin: 0, pose: { ...start }, odometry, travelled: 0, from: standing })];
  }

  /** The velocity of the current command, within the limits. */
  get wanted(): Velocity {
    return this.#wanted;
  }

  /** The time (s) since which the motion is known. Earlier, it seems to stand. */
  get knownSince(): number {
    return this.#arcs[0]?.begin ?? 0;
  }

  /**
   * Remembers the motion at a time, with all commands.
   * @returns a function that makes a motion which goes on at another time as this one did
   */
  remember(time: number): (now: number) => DrivenTrajectory {
    const first = this.#arcs.indexOf(this.#at(time));
    const arcs = this.#arcs.slice(first).map((arc) => ({ ...arc }));
    const [wanted, until] = [this.#wanted, this.#until];
    const { pose: start } = this.state(time);
    return (now) => {
      const later = now - time;
      const resumed = new DrivenTrajectory({ start, time: now, limits: this.#limits, wheels: this.#wheels });
      resumed.#arcs.splice(0);
      for (const arc of arcs) resumed.#arcs.push({ ...arc, begin: arc.begin + later, end: arc.end + later });
      resumed.#wanted = wanted;
      resumed.#until = until + later;
      resumed.#certainUntil = Math.max(now, resumed.#last.begin);
      return resumed;
    };
  }

  /** Makes the motion certain up to a time (s). */
  commit(until: number): void {
    if (until > this.#certainUntil) this.#certainUntil = until;
    this.#extendTo(until);
  }

  pose(time: number, into: Pose): void {
    const arc = this.#at(time);
    move(arc.pose, twistOf(arc), time - arc.begin, into);
  }

  stretch(time: number, into: Stretch): void {
    const arc = this.#at(time);
    const { begin, end, pose, travelled, from, to } = arc;
    const { speed, turn } = twistOf(arc);
    const changes = from === to ? 0 : 1 / (end - begin);
    into.begin = begin;
    into.end = end;
    into.x = pose.x;
    into.y = pose.y;
    into.heading = pose.heading;
    into.turn = turn;
    into.vx = 0;
    into.vy = 0;
    into.ahead = speed;
    into.left = 0;
    into.travelled = travelled;
    into.speed = speed;
    into.aheadChange = (to.speed - from.speed) * changes;
    into.leftChange = 0;
    into.turnChange = (to.turn - from.turn) * changes;
  }

  travelled(time: number): number {
    const arc = this.#at(time);
    return arc.travelled + twistOf(arc).speed * Math.max(0, time - arc.begin);
  }

  /** Returns the state at a time (s). */
  state(time: number): VehicleState {
    const arc = this.#at(time);
    const since = time - arc.begin;
    const twist = twistOf(arc);
    const pose = { x: 0, y: 0, heading: 0 };
    const odometry = { ...pose };
    move(arc.pose, twist, since, pose);
    move(arc.odometry, this.#reported(twist), since, odometry);
    return { time, ...twist, travelled: this.travelled(time), odometry, pose };
  }

  /**
   * Follows a velocity from now on, as far as the limits permit.
   * @param lasts s after which the vehicle brakes; by default it drives until the next command
   * @returns when this takes effect, in s of the world
   */
  drive(now: number, { speed, turn }: Velocity, lasts = Number.POSITIVE_INFINITY): number {
    const begin = this.#nextStep(now);
    const open = this.#cut(begin);
    this.#wanted = {
      speed: within(speed, this.#limits.speed),
      turn: within(turn, this.#limits.turn),
    };
    this.#until = begin + lasts;
    this.#push(open);
    return begin;
  }

  /**
   * Puts the vehicle at a place, where it stands. The wheels do not notice.
   * @returns when this takes effect, in s of the world
   */
  put(now: number, pose: Pose): number {
    const begin = this.#nextStep(now);
    const open = this.#cut(begin);
    this.#wanted = standing;
    this.#until = Number.POSITIVE_INFINITY;
    this.#push({ ...open, pose: { ...pose }, from: standing });
    return begin;
  }

  /** Returns the first step that is not certain yet. */
  #nextStep(now: number): number {
    const earliest = Math.max(now, this.#certainUntil);
    const step = Math.round(earliest * stepsPerSecond);
    return step / stepsPerSecond < earliest ? (step + 1) / stepsPerSecond : step / stepsPerSecond;
  }

  /** Ends the open arc at a step, and returns how the next one begins. */
  #cut(time: number): Omit<Arc, 'end' | 'to'> {
    this.#extendTo(time);
    const open = this.#last;
    if (open.begin === time) {
      this.#arcs.pop();
      return open;
    }
    open.end = time;
    return this.#after(open);
  }

  get #last(): Arc {
    const last = this.#arcs.at(-1);
    if (last === undefined) throw new Error('a trajectory without an arc');
    return last;
  }

  /** Adds arcs until the last one ends after this time. */
  #extendTo(time: number): void {
    for (let last = this.#last; last.end <= time; last = this.#last) {
      if (last.end >= this.#until) {
        this.#wanted = standing;
        this.#until = Number.POSITIVE_INFINITY;
      }
      this.#push(this.#after(last));
    }
  }

  #push(open: Omit<Arc, 'end' | 'to'>): void {
    this.#arcs.push(this.#arcFrom(open));
    if (this.#arcs.length >= 2 * mostArcs) this.#arcs.splice(0, mostArcs);
  }

  /** Returns how an arc begins after another one. */
  #after(arc: Arc): Omit<Arc, 'end' | 'to'> {
    const { end, begin, to, travelled } = arc;
    const twist = twistOf(arc);
    const pose = { x: 0, y: 0, heading: 0 };
    const odometry = { ...pose };
    move(arc.pose, twist, end - begin, pose);
    move(arc.odometry, this.#reported(twist), end - begin, odometry);
    return { begin: end, pose, odometry, travelled: travelled + twist.speed * (end - begin), from: to };
  }

  /** Ends an arc at the next step, at the end of the command, or when a wanted speed is reached; else never. */
  #arcFrom(open: Omit<Arc, 'end' | 'to'>): Arc {
    const { begin, from } = open;
    const { speed, turn } = this.#wanted;
    const { acceleration, turnAcceleration } = this.#limits;
    const rises = [
      { by: speed - from.speed, rate: acceleration },
      { by: turn - from.turn, rate: turnAcceleration },
    ].filter(({ by }) => by !== 0);
    if (rises.length === 0) return { ...open, end: this.#until, to: from };
    const step = Math.floor(begin * stepsPerSecond + 1e-6) + 1;
    const next = (step / stepsPerSecond > begin ? step : step + 1) / stepsPerSecond;
    const end = Math.min(next, this.#until, ...rises.map(({ by, rate }) => begin + Math.abs(by) / rate));
    const to = {
      speed: towards(from.speed, speed, acceleration, { begin, end }),
      turn: towards(from.turn, turn, turnAcceleration, { begin, end }),
    };
    return { ...open, end, to };
  }

  /** Returns what the wheels report of a twist. */
  #reported({ speed, turn }: Velocity): Velocity {
    return { speed: speed * this.#wheels.distance, turn: turn * this.#wheels.turn };
  }

  /** Returns the arc at this time, which is certain from now on. Before the first one, the first one. */
  #at(time: number): Arc {
    this.commit(time);
    const arcs = this.#arcs;
    let low = 0;
    let high = arcs.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((arcs[middle]?.begin ?? 0) <= time) low = middle;
      else high = middle - 1;
    }
    return arcs[low] ?? this.#last;
  }
}

function twistOf({ from, to }: Arc): Velocity {
  return { speed: (from.speed + to.speed) / 2, turn: (from.turn + to.turn) / 2 };
}

/** Computes the pose after some time on an arc. Before its begin, it is the begin. */
function move(from: Pose, { speed, turn }: Velocity, seconds: number, into: Pose): void {
  const time = Math.max(0, seconds);
  const half = (turn * time) / 2;
  // The chord of the arc. Its direction is the heading in the middle of the arc.
  const chord = speed * time * (Math.abs(half) < 1e-9 ? 1 : Math.sin(half) / half);
  const direction = from.heading + half;
  into.x = from.x + chord * Math.cos(direction);
  into.y = from.y + chord * Math.sin(direction);
  into.heading = from.heading + turn * time;
}

function within(value: number, most: number): number {
  return Math.min(Math.max(value, -most), most);
}

/**
 * Returns `from`, moved towards `to` by at most `rate` a second. It reaches `to` exactly, in spite of rounding, also if this
 * takes so short a time that it ends when it begins.
 */
function towards(from: number, to: number, rate: number, { begin, end }: Pick<Arc, 'begin' | 'end'>): number {
  const by = to - from;
  const most = rate * (end - begin);
  const isReached = begin + Math.abs(by) / rate <= end || Math.abs(by) <= most * (1 + 1e-9);
  return isReached ? to : from + Math.sign(by) * most;
}
