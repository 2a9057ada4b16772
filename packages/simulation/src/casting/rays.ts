import type { Outline } from '../scene/surfaces.js';
import type { BeamFan, BeamRange, RayArrays } from './beam-poses.js';

/** Distance (m) below which a surface touches the scanner and is not measured. */
export const touching = 1e-6;

/** Factor that is larger than 1 by more than the rounding of a few products. */
export const despiteRounding = 1 + 1e-14;

/**
 * Tolerance in beams: if the end of a surface is this close to a beam, it counts as on the beam. It is far above the rounding
 * of angles, and far below visible differences. So no light leaks where two walls meet.
 */
const onBeam = 1e-9;

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

/** The rays that may meet something, all included: a run, and another one after a whole turn. Either may be empty. */
export interface RaysToward {
  readonly begin: number;
  readonly end: number;
  readonly otherBegin: number;
  readonly otherEnd: number;
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
export class Rays implements RayArrays {
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly dx: Float64Array;
  readonly dy: Float64Array;
  begin = 0;
  end = 0;
  readonly #interval: number;
  readonly #toward = { begin: 0, end: 0, otherBegin: 0, otherEnd: 0 };
  readonly #line = { ex: 0, ey: 0, offset: 0, length: 0 };
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
  /** Distance (m) from which on the bearing of a point changes by `#step` from ray to ray, give or take 4 %. */
  #regular = 0;

  constructor({ beams, interval }: BeamFan) {
    this.x = new Float64Array(beams);
    this.y = new Float64Array(beams);
    this.dx = new Float64Array(beams);
    this.dy = new Float64Array(beams);
    this.#interval = interval;
  }

  /**
   * Selects a part of the rays, which are filled.
   * @param speed the largest one of the origins in m/s
   * @param leastTurn the least turn of the directions in rad/s
   * @param mostTurn the largest turn of them
   */
  select({ begin, end }: BeamRange, speed: number, leastTurn: number, mostTurn: number): void {
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
    const isEven = mostTurn - leastTurn < 0.02 * leastTurn;
    this.#regular = isEven ? speed / (0.02 * leastTurn) : Number.POSITIVE_INFINITY;
  }

  /** Turns rays with the heading of the scanner into its beams. */
  direct(fan: BeamFan): void {
    const { dx, dy } = this;
    for (let beam = 0; beam < dx.length; beam++) {
      const cosine = dx[beam] ?? 0;
      const sine = dy[beam] ?? 0;
      const beamCosine = fan.cosine[beam] ?? 0;
      const beamSine = fan.sine[beam] ?? 0;
      dx[beam] = cosine * beamCosine - sine * beamSine;
      dy[beam] = sine * beamCosine + cosine * beamSine;
    }
  }

  /** Moves the origins by a multiple of the numbers of the beams along x, and along y. */
  move(multiple: number, numbers: Float64Array, alongY: number, { begin, end }: BeamRange): void {
    const { x, y } = this;
    for (let beam = begin; beam < end; beam++) {
      x[beam] = (x[beam] ?? 0) + multiple * (numbers[beam] ?? 0);
      y[beam] = (y[beam] ?? 0) + alongY;
    }
  }

  /** Returns an upper bound of the distance of some origins from the middle of their axes, in m. @param speed of them in m/s */
  mostDistance({ begin, end }: BeamRange, speed: number): number {
    return Math.hypot(this.x[begin] ?? 0, this.y[begin] ?? 0) + speed * (end - begin) * this.#interval;
  }

  /** Returns a lower bound of the distance of a circle from all origins, in m; negative if an origin may be inside. */
  leastDistance(x: number, y: number, radius: number): number {
    const awayX = x - (this.x[this.begin] ?? 0);
    const awayY = y - (this.y[this.begin] ?? 0);
    return Math.sqrt(awayX * awayX + awayY * awayY) - radius - this.#spread;
  }

  /** Returns the rays that may meet a circle. The object is reused. */
  toward(x: number, y: number, radius: number): RaysToward {
    const toward = this.#toward;
    const first = this.begin;
    const last = this.end - 1;
    const awayX = x - (this.x[first] ?? 0);
    const awayY = y - (this.y[first] ?? 0);
    // Seen from the first origin, this circle contains what is met by the other rays, moved to the first origin.
    const wide = radius + this.#spread;
    const height = awayX * awayX + awayY * awayY - wide * wide;
    toward.begin = first;
    toward.end = last;
    toward.otherBegin = last + 1;
    toward.otherEnd = last;
    if (height <= 0 || this.#near === Number.POSITIVE_INFINITY) return toward;
    const dx = this.dx[first] ?? 0;
    const dy = this.dy[first] ?? 0;
    const bearing = roughAngle(dx * awayY - dy * awayX, dx * awayX + dy * awayY);
    // The tangent of the half angle is larger than the angle.
    const half = Math.min(wide / Math.sqrt(height), Math.PI / 2) + this.#slack + roughly;
    const step = this.#step;
    toward.begin = Math.max(first, first + Math.ceil((bearing - half) / step));
    toward.end = Math.min(last, first + Math.floor((bearing + half) / step));
    toward.otherBegin = Math.max(first, first + Math.ceil((bearing - half + 2 * Math.PI) / step));
    toward.otherEnd = Math.min(last, first + Math.floor((bearing + half + 2 * Math.PI) / step));
    return toward;
  }

  /** Finds the rays that meet an outline, line by line and circle by circle. */
  meet(outline: Outline, meetings: Meetings): void {
    this.meetLines(outline, meetings);
    this.meetCircles(outline, meetings);
  }

  meetLines(outline: Outline, meetings: Meetings): void {
    const { ofLine } = outline;
    for (let line = 0; line < ofLine.length; line++)
      this.meetLine(outline, line, ofLine[line] ?? 0, meetings);
  }

  meetCircles({ circles, ofCircle }: Outline, meetings: Meetings): void {
    for (let circle = 0; circle < ofCircle.length; circle++) {
      const x = circles[3 * circle] ?? 0;
      const y = circles[3 * circle + 1] ?? 0;
      this.#meetCircle(x, y, circles[3 * circle + 2] ?? 0, ofCircle[circle] ?? 0, meetings);
    }
  }

  /** Finds the rays that may meet a circle. */
  #meetCircle(x: number, y: number, radius: number, of: number, meetings: Meetings): void {
    const { begin, end, otherBegin, otherEnd } = this.toward(x, y, radius);
    if (begin <= end) meetings.circle(this, x, y, radius, begin, end, of);
    if (otherBegin <= otherEnd) meetings.circle(this, x, y, radius, otherBegin, otherEnd, of);
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
    const cross = fromAX * ey - fromAY * ex;
    const height = Math.abs(cross) / length;
    const onRays = this.#line;
    onRays.ex = ex;
    onRays.ey = ey;
    onRays.offset = ax * ey - ay * ex;
    onRays.length = length;
    if (height <= this.#near) {
      const foot = -(fromAX * ex + fromAY * ey) / length;
      const beyond = Math.max(0, -foot, foot - length);
      if (height * height + beyond * beyond <= this.#near * this.#near) {
        this.#meetRayByRay(ax, ay, bx, by, onRays, of, meetings);
        return;
      }
    }
    const dx = this.dx[first] ?? 0;
    const dy = this.dy[first] ?? 0;
    const fromBX = bx - (this.x[first] ?? 0);
    const fromBY = by - (this.y[first] ?? 0);
    const asideA = dx * fromAY - dy * fromAX;
    const asideB = dx * fromBY - dy * fromBX;
    const alongA = dx * fromAX + dy * fromAY;
    const alongB = dx * fromBX + dy * fromBY;
    // True for an end that the rays reach within half a turn: the first ray has not passed it yet.
    const isAheadA = asideA >= -besideFirst * Math.abs(alongA);
    const isAheadB = asideB >= -besideFirst * Math.abs(alongB);
    const a = roughAngle(asideA, alongA) + (asideA < 0 && !isAheadA ? 2 * Math.PI : 0);
    const b = roughAngle(asideB, alongB) + (asideB < 0 && !isAheadB ? 2 * Math.PI : 0);
    const tolerance = meetings.bothAtCorners ? onBeam * this.#step : 0;
    // True if an origin may come so close to the extended line that it is not met.
    const isEdgeOn = height <= this.#spread + meetings.least;
    const last = this.end - 1;
    if (isAheadA !== isAheadB && (asideB - asideA) * cross > 0) {
      // The first ray meets the line.
      const end = isAheadA ? this.#reached(ax, ay, a, -tolerance) : this.#reached(bx, by, b, -tolerance);
      const begin = isAheadA ? this.#reached(bx, by, b, tolerance) : this.#reached(ax, ay, a, tolerance);
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

  /**
   * Returns the first ray that has reached a point; `end` if none has.
   * @param bearing about its angle from the first ray
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
      const offset = aside / (Math.max(along, Math.abs(aside)) * step);
      const size = Math.abs(offset);
      // The neighbours are a step away, give or take 4 %: so the next ray decides nothing.
      if (along > this.#regular && size > 0.05 && size < 0.95) return offset > 0 ? ray + 1 : ray;
      const next = Math.max(begin, Math.min(last, ray + Math.round(offset)));
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

/** More than the error of `roughAngle`. */
const roughly = 2e-5;

/** Returns the angle of a vector in radians, -π to π, with an error of up to 1.2e-5. It takes less time than atan2. */
function roughAngle(y: number, x: number): number {
  const sizeX = Math.abs(x);
  const sizeY = Math.abs(y);
  const ratio = Math.min(sizeX, sizeY) / Math.max(sizeX, sizeY, Number.MIN_VALUE);
  const square = ratio * ratio;
  const series = 0.180141 + square * (-0.085133 + square * 0.0208351);
  const eighth = ratio * (0.999866 + square * (-0.3302995 + square * series));
  const quarter = sizeY > sizeX ? Math.PI / 2 - eighth : eighth;
  const half = x < 0 ? Math.PI - quarter : quarter;
  return y < 0 ? -half : half;
}

/** Corrections after which a ray beside a point is found by steps of one ray. */
const mostCorrections = 8;
