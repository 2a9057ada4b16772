import { beamFan, type ScanGeometry } from '@azimuth/device';
import { beamInterval, radPerDegree } from '@azimuth/device/cores';
import { poseOn, standingStretch } from '../motion/path.js';
import type { Pose } from '../motion/pose.js';
import type { Stretch, Trajectory } from '../motion/trajectory.js';

/** m, and radians, between the end of a stretch and the begin of the next one, above which a body jumps. */
const jump = 1e-6;

/** The directions of the beams of a scan in the coordinates of the scanner, and their times. */
export class BeamFan {
  readonly beams: number;
  readonly cosine: Float64Array;
  readonly sine: Float64Array;
  /** From one beam to the next: radians and s. */
  readonly step: number;
  readonly interval: number;

  constructor(geometry: ScanGeometry) {
    const { x, y } = beamFan(geometry);
    this.beams = geometry.beams;
    this.cosine = x;
    this.sine = y;
    this.step = geometry.step * radPerDegree;
    this.interval = beamInterval(geometry) / 1_000_000;
  }
}

/** The part of a scan from beam `begin` to below `end`. */
export interface BeamRange {
  readonly begin: number;
  readonly end: number;
}

/** Rays by beam: origin in m, and direction as a unit vector. */
export interface RayArrays {
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly dx: Float64Array;
  readonly dy: Float64Array;
}

/** The motion of a body during a scan, and its poses at the times of the beams. */
export class BeamPoses {
  /** Largest speed in m/s, and change of the distance travelled. */
  speed = 0;
  pace = 0;
  /** Least and largest turn in rad/s. */
  leastTurn = 0;
  mostTurn = 0;
  /** Beams at which the body is not where its motion up to the beam before has led. They rise. */
  readonly jumps: number[] = [];
  readonly #beams: number;
  readonly #interval: number;
  /** Time of the first beam in s. */
  #time = 0;
  /** The stretches of the scan, and the first beam of each: the first `#count` ones. */
  readonly #stretches: Stretch[] = [];
  readonly #begins: number[] = [];
  #count = 0;
  readonly #pose: Pose = { x: 0, y: 0, heading: 0 };
  readonly #next: Pose = { x: 0, y: 0, heading: 0 };

  constructor({ beams, interval }: BeamFan) {
    this.#beams = beams;
    this.#interval = interval;
  }

  /** True if the body does not move during the scan. */
  get stands(): boolean {
    return this.#count === 1 && this.speed === 0 && this.leastTurn === 0 && this.mostTurn === 0;
  }

  /** Follows a trajectory for a scan that begins at a time (s). */
  follow(trajectory: Trajectory, time: number): void {
    const last = this.#beams - 1;
    this.#time = time;
    this.#count = 0;
    if (this.jumps.length > 0) this.jumps.length = 0;
    this.speed = 0;
    this.pace = 0;
    this.leastTurn = Number.POSITIVE_INFINITY;
    this.mostTurn = Number.NEGATIVE_INFINITY;
    let at = time;
    for (let beam = 0; beam <= last; beam = Math.ceil((at - time) / this.#interval)) {
      let stretch = this.#stretches[this.#count];
      if (stretch === undefined) {
        stretch = standingStretch();
        this.#stretches.push(stretch);
      }
      trajectory.stretch(at, stretch);
      const { vx, vy, ahead, left, turn, speed } = stretch;
      const velocity = Math.sqrt(vx * vx + vy * vy) + Math.sqrt(ahead * ahead + left * left);
      this.speed = Math.max(this.speed, velocity);
      this.pace = Math.max(this.pace, Math.abs(speed));
      this.leastTurn = Math.min(this.leastTurn, turn);
      this.mostTurn = Math.max(this.mostTurn, turn);
      const before = this.#stretches[this.#count - 1];
      if (before !== undefined && this.#isJump(before, stretch, at) && this.jumps.at(-1) !== beam)
        this.jumps.push(beam);
      this.#begins[this.#count++] = beam;
      at = stretch.end;
    }
  }

  #isJump(before: Stretch, after: Stretch, time: number): boolean {
    poseOn(before, time, this.#pose);
    poseOn(after, time, this.#next);
    const rotation = this.#next.heading - this.#pose.heading;
    return (
      Math.abs(this.#next.x - this.#pose.x) > jump ||
      Math.abs(this.#next.y - this.#pose.y) > jump ||
      Math.abs(Math.sin(rotation / 2)) > jump
    );
  }

  timeOf(beam: number): number {
    return this.#time + beam * this.#interval;
  }

  /** Computes the pose at the time of a beam. */
  poseAt(beam: number, into: Pose): void {
    poseOn(this.#stretches[this.#stretchOf(beam)] ?? standingStretch(), this.timeOf(beam), into);
  }

  /** Returns the distance travelled at the time of a beam, in m. */
  travelledAt(beam: number): number {
    const stretch = this.#stretches[this.#stretchOf(beam)];
    return stretch === undefined
      ? 0
      : stretch.travelled + stretch.speed * (this.timeOf(beam) - stretch.begin);
  }

  #stretchOf(beam: number): number {
    let stretch = this.#count - 1;
    while (stretch > 0 && (this.#begins[stretch] ?? 0) > beam) stretch--;
    return stretch;
  }

  /** Computes the poses of some beams as rays: they begin at the body, and have the direction of its heading. */
  fill({ begin, end }: BeamRange, into: RayArrays): void {
    let from = begin;
    for (let at = this.#stretchOf(begin); from < end; at++) {
      const to = this.#endOf(at, end);
      this.#fillStretch(this.#stretchAt(at), from, to, into);
      from = Math.max(from, to);
    }
  }

  /** Computes rays in the axes of the body from those in the axes of the scene, for some beams. */
  fillSeen(scene: RayArrays, { begin, end }: BeamRange, into: RayArrays): void {
    let from = begin;
    for (let at = this.#stretchOf(begin); from < end; at++) {
      const to = this.#endOf(at, end);
      const stretch = this.#stretchAt(at);
      if (stretch.turn === 0) this.#fillSeenStraight(stretch, scene, from, to, into);
      else {
        this.#fillStretch(stretch, from, to, into);
        fillSeenFrom(scene, from, to, into);
      }
      from = Math.max(from, to);
    }
  }

  /** Writes sin(π · distance travelled / stride) for some beams. */
  fillSwing(stride: number, { begin, end }: BeamRange, into: Float64Array): void {
    let from = begin;
    for (let at = this.#stretchOf(begin); from < end; at++) {
      const to = this.#endOf(at, end);
      const stretch = this.#stretchAt(at);
      const phase =
        (Math.PI / stride) * (stretch.travelled + stretch.speed * (this.timeOf(from) - stretch.begin));
      const step = (Math.PI / stride) * stretch.speed * this.#interval;
      const stepCosine = Math.cos(step);
      const stepSine = Math.sin(step);
      let cosine = Math.cos(phase);
      let sine = Math.sin(phase);
      for (let beam = from; beam < to; beam++) {
        into[beam] = sine;
        const next = cosine * stepCosine - sine * stepSine;
        sine = sine * stepCosine + cosine * stepSine;
        cosine = next;
      }
      from = Math.max(from, to);
    }
  }

  #stretchAt(at: number): Stretch {
    return this.#stretches[at] ?? standingStretch();
  }

  /** Returns the beam after the last one of a stretch, but at most `end`. */
  #endOf(at: number, end: number): number {
    return at + 1 < this.#count ? Math.min(end, this.#begins[at + 1] ?? end) : end;
  }

  /** Rays in the axes of a body that does not turn: its axes move along a line. */
  #fillSeenStraight(
    stretch: Stretch,
    scene: RayArrays,
    begin: number,
    end: number,
    { x: xs, y: ys, dx, dy }: RayArrays,
  ): void {
    const { x: sceneX, y: sceneY, dx: sceneDX, dy: sceneDY } = scene;
    const interval = this.#interval;
    poseOn(stretch, this.timeOf(begin), this.#pose);
    const { x, y, heading } = this.#pose;
    const cosine = Math.cos(heading);
    const sine = Math.sin(heading);
    const vx = stretch.vx + cosine * stretch.ahead - sine * stretch.left;
    const vy = stretch.vy + sine * stretch.ahead + cosine * stretch.left;
    for (let beam = begin; beam < end; beam++) {
      const passed = (beam - begin) * interval;
      const awayX = (sceneX[beam] ?? 0) - (x + passed * vx);
      const awayY = (sceneY[beam] ?? 0) - (y + passed * vy);
      const c = sceneDX[beam] ?? 0;
      const s = sceneDY[beam] ?? 0;
      xs[beam] = cosine * awayX + sine * awayY;
      ys[beam] = cosine * awayY - sine * awayX;
      dx[beam] = cosine * c + sine * s;
      dy[beam] = cosine * s - sine * c;
    }
  }

  /**
   * Fills the beams of a stretch. The heading turns by multiplication with one rotation, whose errors stay far below 1 µm at
   * 120 m. The position is a polynomial of time, and on an arc also a multiple of the heading.
   */
  #fillStretch(
    stretch: Stretch,
    begin: number,
    end: number,
    { x: xs, y: ys, dx: cosines, dy: sines }: RayArrays,
  ): void {
    const interval = this.#interval;
    const { turn, vx, vy, ahead, left } = stretch;
    poseOn(stretch, this.timeOf(begin), this.#pose);
    let cosine = Math.cos(this.#pose.heading);
    let sine = Math.sin(this.#pose.heading);
    const turnCosine = Math.cos(turn * interval);
    const turnSine = Math.sin(turn * interval);
    // Velocity of the body's own axes at the begin, in those of the world.
    const ux = cosine * ahead - sine * left;
    const uy = sine * ahead + cosine * left;
    const isArc = Math.abs(turn * interval * (end - begin)) > leastArc;
    const radiusAhead = isArc ? left / turn : 0;
    const radiusLeft = isArc ? -ahead / turn : 0;
    const x = this.#pose.x - (cosine * radiusAhead - sine * radiusLeft);
    const y = this.#pose.y - (sine * radiusAhead + cosine * radiusLeft);
    const slow = isArc ? 0 : 1;
    const x1 = vx + slow * ux;
    const y1 = vy + slow * uy;
    const x2 = (-slow * turn * uy) / 2;
    const y2 = (slow * turn * ux) / 2;
    const x3 = (-slow * turn * turn * ux) / 6;
    const y3 = (-slow * turn * turn * uy) / 6;
    for (let beam = begin; beam < end; beam++) {
      const passed = (beam - begin) * interval;
      cosines[beam] = cosine;
      sines[beam] = sine;
      xs[beam] = x + passed * (x1 + passed * (x2 + passed * x3)) + cosine * radiusAhead - sine * radiusLeft;
      ys[beam] = y + passed * (y1 + passed * (y2 + passed * y3)) + sine * radiusAhead + cosine * radiusLeft;
      const next = cosine * turnCosine - sine * turnSine;
      sine = sine * turnCosine + cosine * turnSine;
      cosine = next;
    }
  }
}

/** Radians of an arc below which a polynomial of third order is exact: its error is 1e-13 of the way. */
const leastArc = 1e-3;

/** Turns rays that begin at a body and have its heading into the rays of the scene in the axes of this body. */
function fillSeenFrom(scene: RayArrays, begin: number, end: number, { x, y, dx, dy }: RayArrays): void {
  for (let beam = begin; beam < end; beam++) {
    const cosine = dx[beam] ?? 0;
    const sine = dy[beam] ?? 0;
    const awayX = (scene.x[beam] ?? 0) - (x[beam] ?? 0);
    const awayY = (scene.y[beam] ?? 0) - (y[beam] ?? 0);
    const sceneX = scene.dx[beam] ?? 0;
    const sceneY = scene.dy[beam] ?? 0;
    x[beam] = cosine * awayX + sine * awayY;
    y[beam] = cosine * awayY - sine * awayX;
    dx[beam] = cosine * sceneX + sine * sceneY;
    dy[beam] = cosine * sceneY - sine * sceneX;
  }
}
