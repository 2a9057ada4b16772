import { beamFan, type ScanGeometry } from '@azimuth/device';
import { beamInterval, radPerDegree } from '@azimuth/device/cores';
import { poseOn, standingStretch } from '../motion/path.js';
import type { Pose } from '../motion/pose.js';
import type { Stretch, Trajectory } from '../motion/trajectory.js';
import type { Outline } from '../scene/surfaces.js';

/** Distance (m) below which a surface touches the scanner and is not measured. */
export const touching = 1e-6;

/**
 * Tolerance in beams: if the end of a surface is this close to a beam, it counts as on the beam. It is far above the rounding
 * of angles, and far below visible differences. So no light leaks where two walls meet.
 */
const onBeam = 1e-9;

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
interface BeamRange {
  readonly begin: number;
  readonly end: number;
}

/** The motion of a body during a scan, and its poses at the times of the beams. */
export class BeamPoses {
  /** By beam, once it is filled: m, and the direction of the heading as a unit vector. */
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly cosine: Float64Array;
  readonly sine: Float64Array;
  /** Largest speed in m/s, and change of the distance travelled. */
  speed = 0;
  pace = 0;
  /** Least and largest turn in rad/s. */
  leastTurn = 0;
  mostTurn = 0;
  /** Beams at which the body is not where its motion up to the beam before has led. They rise. */
  readonly jumps: number[] = [];
  readonly #interval: number;
  /** Time of the first beam in s. */
  #time = 0;
  readonly #stretches: Stretch[] = [];
  /** By stretch: its first beam. */
  readonly #begins: number[] = [];
  readonly #pose: Pose = { x: 0, y: 0, heading: 0 };
  readonly #next: Pose = { x: 0, y: 0, heading: 0 };

  constructor({ beams, interval }: BeamFan) {
    this.x = new Float64Array(beams);
    this.y = new Float64Array(beams);
    this.cosine = new Float64Array(beams);
    this.sine = new Float64Array(beams);
    this.#interval = interval;
  }

  /** True if the body does not move during the scan. */
  get stands(): boolean {
    return this.#begins.length === 1 && this.speed === 0 && this.leastTurn === 0 && this.mostTurn === 0;
  }

  /** Follows a trajectory for a scan that begins at a time (s). The poses are not filled yet. */
  follow(trajectory: Trajectory, time: number): void {
    const last = this.x.length - 1;
    this.#time = time;
    this.#begins.length = 0;
    this.jumps.length = 0;
    this.speed = 0;
    this.pace = 0;
    this.leastTurn = Number.POSITIVE_INFINITY;
    this.mostTurn = Number.NEGATIVE_INFINITY;
    let at = time;
    for (let beam = 0; beam <= last; beam = Math.ceil((at - time) / this.#interval)) {
      const count = this.#begins.length;
      let stretch = this.#stretches[count];
      if (stretch === undefined) {
        stretch = standingStretch();
        this.#stretches.push(stretch);
      }
      trajectory.stretch(at, stretch);
      this.#begins.push(beam);
      const { vx, vy, ahead, left, turn, speed } = stretch;
      this.speed = Math.max(
        this.speed,
        Math.sqrt(vx * vx + vy * vy) + Math.sqrt(ahead * ahead + left * left),
      );
      this.pace = Math.max(this.pace, Math.abs(speed));
      this.leastTurn = Math.min(this.leastTurn, turn);
      this.mostTurn = Math.max(this.mostTurn, turn);
      const before = this.#stretches[count - 1];
      if (before !== undefined && this.#isJump(before, stretch, at) && this.jumps.at(-1) !== beam)
        this.jumps.push(beam);
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
    let stretch = this.#begins.length - 1;
    while (stretch > 0 && (this.#begins[stretch] ?? 0) > beam) stretch--;
    return stretch;
  }

  /** Computes the poses of some beams. */
  fill({ begin, end }: BeamRange): void {
    for (let stretch = this.#stretchOf(begin), from = begin; from < end; stretch++) {
      const to = Math.min(end, this.#begins[stretch + 1] ?? end);
      const moves = this.#stretches[stretch];
      if (moves === undefined) return;
      if (from < to) this.#fillStretch(moves, from, to);
      from = Math.max(from, to);
    }
  }

  /**
   * Fills the beams of a stretch. The heading turns by multiplication with one rotation, whose errors stay far below 1 µm at
   * 120 m. The position is a polynomial of time, and on an arc also a multiple of the heading.
   */
  #fillStretch(stretch: Stretch, begin: number, end: number): void {
    const { x: xs, y: ys, cosine: cosines, sine: sines } = this;
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

/**
 * A line on rays. A ray from (x, y) in the direction (dx, dy) meets it after (offset - x ey + y ex) / (dx ey - dy ex) m. The
 * first value is its distance from the line times `length`, positive if the line runs counter-clockwise about the ray's
 * origin.
 */
export interface LineOnRays {
  readonly ex: number;
  readonly ey: number;
  readonly offset: number;
  /** m. */
  readonly length: number;
}

/** Called with the beams that meet lines, and may meet circles. */
export interface Meetings {
  /** Distance (m) below which a line is not met. */
  readonly least: number;
  /** True if a beam on a corner of two lines meets both; else it meets one of them. */
  readonly bothAtCorners: boolean;
  /** The beams from `begin` to `end`, both included, meet a line. */
  line(rays: Rays, line: LineOnRays, begin: number, end: number, of: number): void;
  /** The beams from `begin` to `end`, both included, may meet a circle. No other beams do. */
  circle(rays: Rays, x: number, y: number, radius: number, begin: number, end: number, of: number): void;
}

/** How the origins and directions of rays move. */
export interface RayMotion {
  /** Largest speed of the origins in m/s. */
  readonly speed: number;
  /** Least and largest turn of the directions in rad/s. */
  readonly leastTurn: number;
  readonly mostTurn: number;
}

/**
 * Tolerance in radians within which a point beside the first ray counts as ahead of it, not as a whole turn away. Then the
 * ray itself decides.
 */
const besideFirst = 1e-9;

/** Largest angle by which the motion of the origins moves the bearing of a point that is not near: see `#near`. */
const largestDrift = Math.PI / 6;

/**
 * The beams of a part of a scan as rays, in the axes of the scene or of a body that moves: each has its own origin and
 * direction. The scanner and the body do not jump during the part.
 *
 * Seen from the origins, the bearing of a point that is not near to them changes slowly, and the rays pass it once. So the
 * rays that meet a line are a run: from the ray that reaches one end to the one that reaches the other end. They are found
 * from the bearings at the first ray, and corrected exactly by cross products. Lines that are near are checked ray by ray.
 */
export class Rays {
  /** By beam: origin in m, and direction as a unit vector. */
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly dx: Float64Array;
  readonly dy: Float64Array;
  begin = 0;
  end = 0;
  readonly #interval: number;
  /** Radians from one ray to the next, on average, and the largest error of it over the whole part. */
  #step = 1;
  #slack = 0;
  /** No origin is farther than this from the first one, in m. */
  #spread = 0;
  /**
   * Distance (m) from the first origin below which a point is near. Beyond it, the motion changes its bearing by less than
   * `largestDrift`, and at less than half the rate of the rays.
   */
  #near = 0;

  constructor({ beams, interval }: BeamFan) {
    this.x = new Float64Array(beams);
    this.y = new Float64Array(beams);
    this.dx = new Float64Array(beams);
    this.dy = new Float64Array(beams);
    this.#interval = interval;
  }

  /** Selects a part of the rays, which are filled. */
  select({ begin, end }: BeamRange, { speed, leastTurn, mostTurn }: RayMotion): void {
    const duration = (end - begin - 1) * this.#interval;
    this.begin = begin;
    this.end = end;
    this.#step = ((leastTurn + mostTurn) / 2) * this.#interval;
    this.#slack = ((mostTurn - leastTurn) / 2) * duration;
    this.#spread = speed * duration;
    const drift = speed > 0 ? largestDrift : 0;
    const rotation = (end - begin - 1) * this.#step + this.#slack + drift;
    const isSlow = leastTurn > 0 && rotation + besideFirst < 2 * Math.PI;
    const near = isSlow ? 2 * this.#spread + (2 * speed) / leastTurn : Number.POSITIVE_INFINITY;
    this.#near = Math.max(near, touching);
  }

  /** Fills rays in the axes of the scene from the poses of the scanner. */
  fillOf(scanner: BeamPoses, fan: BeamFan, { begin, end }: BeamRange): void {
    const { x, y, dx, dy } = this;
    for (let beam = begin; beam < end; beam++) {
      const cosine = scanner.cosine[beam] ?? 0;
      const sine = scanner.sine[beam] ?? 0;
      const beamCosine = fan.cosine[beam] ?? 0;
      const beamSine = fan.sine[beam] ?? 0;
      x[beam] = scanner.x[beam] ?? 0;
      y[beam] = scanner.y[beam] ?? 0;
      dx[beam] = cosine * beamCosine - sine * beamSine;
      dy[beam] = sine * beamCosine + cosine * beamSine;
    }
  }

  /** Fills rays in the axes of a body from those in the axes of the scene. */
  fillFor(body: BeamPoses, scene: Rays, { begin, end }: BeamRange): void {
    const { x, y, dx, dy } = this;
    for (let beam = begin; beam < end; beam++) {
      const cosine = body.cosine[beam] ?? 0;
      const sine = body.sine[beam] ?? 0;
      const awayX = (scene.x[beam] ?? 0) - (body.x[beam] ?? 0);
      const awayY = (scene.y[beam] ?? 0) - (body.y[beam] ?? 0);
      const sceneX = scene.dx[beam] ?? 0;
      const sceneY = scene.dy[beam] ?? 0;
      x[beam] = cosine * awayX + sine * awayY;
      y[beam] = cosine * awayY - sine * awayX;
      dx[beam] = cosine * sceneX + sine * sceneY;
      dy[beam] = cosine * sceneY - sine * sceneX;
    }
  }

  /** Fills rays from others, with the origins moved. */
  fillMoved(other: Rays, ahead: Float64Array, times: number, left: number, { begin, end }: BeamRange): void {
    const { x, y, dx, dy } = this;
    for (let beam = begin; beam < end; beam++) {
      x[beam] = (other.x[beam] ?? 0) - times * (ahead[beam] ?? 0);
      y[beam] = (other.y[beam] ?? 0) - left;
      dx[beam] = other.dx[beam] ?? 0;
      dy[beam] = other.dy[beam] ?? 0;
    }
  }

  /** Returns a lower bound of the distance of a circle from all origins, in m; negative if an origin may be inside. */
  leastDistance(x: number, y: number, radius: number): number {
    const awayX = x - (this.x[this.begin] ?? 0);
    const awayY = y - (this.y[this.begin] ?? 0);
    return Math.sqrt(awayX * awayX + awayY * awayY) - radius - this.#spread;
  }

  /**
   * Returns the positions among the rays, from the first one on, between which a circle may be met, and the number of rays
   * after which it may be met again.
   */
  toward(x: number, y: number, radius: number) {
    const first = this.begin;
    const awayX = x - (this.x[first] ?? 0);
    const awayY = y - (this.y[first] ?? 0);
    // Seen from the first origin, this circle contains what is met by the other rays, moved to the first origin.
    const wide = radius + this.#spread;
    const distance = Math.sqrt(awayX * awayX + awayY * awayY);
    const step = this.#step;
    if (distance <= wide || this.#near === Number.POSITIVE_INFINITY)
      return { from: 0, to: this.end - first - 1, again: this.end - first };
    const dx = this.dx[first] ?? 0;
    const dy = this.dy[first] ?? 0;
    const bearing = Math.atan2(dx * awayY - dy * awayX, dx * awayX + dy * awayY);
    const half = Math.asin(wide / distance) + this.#slack + besideFirst;
    return { from: (bearing - half) / step, to: (bearing + half) / step, again: (2 * Math.PI) / step };
  }

  /** Finds the rays that may meet a circle. */
  meetCircle(x: number, y: number, radius: number, of: number, meetings: Meetings): void {
    const { from, to, again } = this.toward(x, y, radius);
    const last = this.end - 1;
    const first = this.begin;
    for (let turn = 0; turn < 2; turn++) {
      const begin = Math.max(first, first + Math.ceil(from + turn * again));
      const end = Math.min(last, first + Math.floor(to + turn * again));
      if (begin <= end) meetings.circle(this, x, y, radius, begin, end, of);
    }
  }

  /** Finds the rays that meet a line of an outline. */
  meetLine({ lines }: Outline, line: number, of: number, meetings: Meetings): void {
    const place = 4 * line;
    const ax = lines[place] ?? 0;
    const ay = lines[place + 1] ?? 0;
    const bx = lines[place + 2] ?? 0;
    const by = lines[place + 3] ?? 0;
    const ex = bx - ax;
    const ey = by - ay;
    const length = Math.sqrt(ex * ex + ey * ey);
    if (!(length > 0)) return;
    const first = this.begin;
    const fromAX = ax - (this.x[first] ?? 0);
    const fromAY = ay - (this.y[first] ?? 0);
    const height = Math.abs(fromAX * ey - fromAY * ex) / length;
    const onRays = { ex, ey, offset: ax * ey - ay * ex, length };
    if (height <= this.#near) {
      const foot = -(fromAX * ex + fromAY * ey) / length;
      const beyond = Math.max(0, -foot, foot - length);
      if (height * height + beyond * beyond <= this.#near * this.#near) {
        this.#meetRayByRay(ax, ay, bx, by, onRays, of, meetings);
        return;
      }
    }
    const a = this.#bearingOf(fromAX, fromAY);
    const b = this.#bearingOf(bx - (this.x[first] ?? 0), by - (this.y[first] ?? 0));
    const tolerance = meetings.bothAtCorners ? onBeam * this.#step : 0;
    // True if an origin may come so close to the extended line that it is not met.
    const isEdgeOn = height <= this.#spread + meetings.least;
    const last = this.end - 1;
    if (Math.abs(a - b) > Math.PI) {
      const aEnds = a < b;
      const end = aEnds ? this.#reached(ax, ay, a, -tolerance) : this.#reached(bx, by, b, -tolerance);
      const begin = aEnds ? this.#reached(bx, by, b, tolerance) : this.#reached(ax, ay, a, tolerance);
      this.#meetRun(onRays, first, end - 1, of, isEdgeOn, meetings);
      this.#meetRun(onRays, begin, last, of, isEdgeOn, meetings);
      return;
    }
    const aBegins = a <= b;
    let begin = aBegins ? this.#reached(ax, ay, a, tolerance) : this.#reached(bx, by, b, tolerance);
    let end = aBegins ? this.#reached(bx, by, b, -tolerance) : this.#reached(ax, ay, a, -tolerance);
    if (end < begin) {
      // The origins have passed the extended line before the rays have reached it: its ends are reached in the other order.
      begin = aBegins ? this.#reached(bx, by, b, tolerance) : this.#reached(ax, ay, a, tolerance);
      end = aBegins ? this.#reached(ax, ay, a, -tolerance) : this.#reached(bx, by, b, -tolerance);
    }
    this.#meetRun(onRays, begin, end - 1, of, isEdgeOn, meetings);
  }

  /** Returns the angle of a point counter-clockwise from the first ray, both from the first origin: up to a whole turn. */
  #bearingOf(awayX: number, awayY: number): number {
    const dx = this.dx[this.begin] ?? 0;
    const dy = this.dy[this.begin] ?? 0;
    const bearing = Math.atan2(dx * awayY - dy * awayX, dx * awayX + dy * awayY);
    return bearing < -besideFirst ? bearing + 2 * Math.PI : bearing;
  }

  /**
   * Returns the first ray that has reached a point; `end` if none has.
   * @param bearing its angle from the first ray
   * @param tolerance radians before the point from which on a ray has reached it
   */
  #reached(px: number, py: number, bearing: number, tolerance: number): number {
    const { x, y, dx, dy, begin, end } = this;
    const step = this.#step;
    const last = end - 1;
    const guess = bearing / step;
    if (guess > last - begin + Math.PI / 2 / step) return end;
    let ray = Math.min(last, begin + Math.round(guess));
    for (let correction = 0; correction < mostCorrections; correction++) {
      const awayX = px - (x[ray] ?? 0);
      const awayY = py - (y[ray] ?? 0);
      const c = dx[ray] ?? 0;
      const s = dy[ray] ?? 0;
      const aside = c * awayY - s * awayX;
      const along = c * awayX + s * awayY;
      const moved = ray + Math.round(aside / (Math.max(along, Math.abs(aside)) * step));
      const next = Math.max(begin, Math.min(last, moved));
      if (next === ray) break;
      ray = next;
    }
    if (this.#isAhead(ray, px, py, tolerance)) {
      do ray++;
      while (ray < end && this.#isAhead(ray, px, py, tolerance));
      return ray;
    }
    while (ray > begin && !this.#isAhead(ray - 1, px, py, tolerance)) ray--;
    return ray;
  }

  /** True if a point is still ahead of a ray: to its left, by more than a tolerance in radians. */
  #isAhead(ray: number, px: number, py: number, tolerance: number): boolean {
    const awayX = px - (this.x[ray] ?? 0);
    const awayY = py - (this.y[ray] ?? 0);
    const c = this.dx[ray] ?? 0;
    const s = this.dy[ray] ?? 0;
    return c * awayY - s * awayX > tolerance * (c * awayX + s * awayY);
  }

  #meetRun(
    line: LineOnRays,
    begin: number,
    end: number,
    of: number,
    isEdgeOn: boolean,
    meetings: Meetings,
  ): void {
    if (end < begin) return;
    if (!isEdgeOn) {
      meetings.line(this, line, begin, end, of);
      return;
    }
    for (let ray = begin; ray <= end; ray++)
      if (this.#isBeside(ray, line, meetings.least)) meetings.line(this, line, ray, ray, of);
  }

  /** True if the origin of a ray is beside a line: farther from it, extended at both ends, than some m. */
  #isBeside(ray: number, { ex, ey, offset, length }: LineOnRays, least: number): boolean {
    const height = Math.abs(offset - (this.x[ray] ?? 0) * ey + (this.y[ray] ?? 0) * ex);
    return height > least * length;
  }

  #meetRayByRay(
    ax: number,
    ay: number,
    bx: number,
    by: number,
    line: LineOnRays,
    of: number,
    meetings: Meetings,
  ): void {
    const { x, y, dx, dy } = this;
    const tolerance = meetings.bothAtCorners ? onBeam * this.#step : 0;
    for (let ray = this.begin; ray < this.end; ray++) {
      const isBetween =
        (this.#isAhead(ray, ax, ay, -tolerance) && !this.#isAhead(ray, bx, by, tolerance)) ||
        (this.#isAhead(ray, bx, by, -tolerance) && !this.#isAhead(ray, ax, ay, tolerance));
      if (!isBetween) continue;
      const height = line.offset - (x[ray] ?? 0) * line.ey + (y[ray] ?? 0) * line.ex;
      const isInFront = ((dx[ray] ?? 0) * line.ey - (dy[ray] ?? 0) * line.ex) * height > 0;
      if (isInFront && this.#isBeside(ray, line, meetings.least)) meetings.line(this, line, ray, ray, of);
    }
  }
}

/** Corrections after which a ray beside a point is found by steps of one ray. */
const mostCorrections = 8;
