import type { ScanGeometry } from '@azimuth/device';
import type { Pose } from '../motion/pose.js';
import type { Trajectory } from '../motion/trajectory.js';
import type { Legs } from '../scene/scene-file.js';
import type { BodyOutlines, Outline } from '../scene/surfaces.js';
import { fewestLines, NearFirstSweep } from './fast/near-first-sweep.js';
import { BeamFan, BeamPoses, type LineOnRays, type Meetings, Rays, touching } from './rays.js';

/** The first opaque surface that each beam meets. */
export class NearestSurfaces implements Meetings {
  readonly least = touching;
  readonly bothAtCorners = true;
  /** By beam: 1 / distance in 1/m; 0 if there is no surface. */
  readonly nearness: Float64Array;
  /** By beam: cosine of the angle of incidence. */
  readonly cosine: Float64Array;
  /** By beam: number of the material. */
  readonly material: Uint32Array;

  constructor({ beams }: BeamFan) {
    this.nearness = new Float64Array(beams);
    this.cosine = new Float64Array(beams);
    this.material = new Uint32Array(beams);
  }

  /** Removes all surfaces. */
  clear(): void {
    this.nearness.fill(0);
  }

  copy(other: NearestSurfaces): void {
    this.nearness.set(other.nearness);
    this.cosine.set(other.cosine);
    this.material.set(other.material);
  }

  line(
    { x, y, dx, dy }: Rays,
    { ex, ey, offset, length }: LineOnRays,
    begin: number,
    end: number,
    material: number,
  ): void {
    const { nearness: nearnesses, cosine: cosines, material: materials } = this;
    for (let beam = begin; beam <= end; beam++) {
      const across = (dx[beam] ?? 0) * ey - (dy[beam] ?? 0) * ex;
      const nearness = across / (offset - (x[beam] ?? 0) * ey + (y[beam] ?? 0) * ex);
      if (nearness > (nearnesses[beam] ?? 0)) {
        nearnesses[beam] = nearness;
        cosines[beam] = Math.abs(across) / length;
        materials[beam] = material;
      }
    }
  }

  circle(
    rays: Rays,
    x: number,
    y: number,
    radius: number,
    begin: number,
    end: number,
    material: number,
  ): void {
    for (let beam = begin; beam <= end; beam++) {
      const { along, half, inside } = chordOf(rays, beam, x, y, radius);
      const distance = inside ? along + half : along - half;
      if (distance > touching && 1 / distance > (this.nearness[beam] ?? 0)) {
        this.nearness[beam] = 1 / distance;
        this.cosine[beam] = half / radius;
        this.material[beam] = material;
      }
    }
  }
}

/**
 * Returns the two points at which a ray meets a circle: at `along - half` and `along + half` m; NaN if it does not. The cosine
 * of both angles of incidence is `half / radius`.
 */
function chordOf(rays: Rays, beam: number, x: number, y: number, radius: number) {
  const awayX = x - (rays.x[beam] ?? 0);
  const awayY = y - (rays.y[beam] ?? 0);
  const c = rays.dx[beam] ?? 0;
  const s = rays.dy[beam] ?? 0;
  const aside = c * awayY - s * awayX;
  const square = radius * radius;
  return {
    along: c * awayX + s * awayY,
    half: Math.sqrt(square - aside * aside),
    inside: awayX * awayX + awayY * awayY <= square,
  };
}

/** Largest number of crossings of each beam; further ones are left out. */
export const crossingsPerBeam = 16;

/**
 * The crossings of beams with surfaces that let light through, the nearest first: crossing `n` of a beam is at
 * `crossingsPerBeam * beam + n` in each array. A beam exactly on a corner of two lines crosses one of them.
 */
export class Crossings implements Meetings {
  readonly least: number;
  readonly bothAtCorners = false;
  /** Number of crossings, by beam. */
  readonly count: Uint8Array;
  /** m. */
  readonly distance: Float64Array;
  /** Cosine of the angle of incidence. */
  readonly cosine: Float64Array;
  /** The material or the fog area of the line or circle. */
  readonly of: Uint32Array;
  /** 1 if the beam enters (through a counter-clockwise outline), -1 if it leaves. */
  readonly sign: Int8Array;
  /** True if any beam has a crossing. */
  any = false;

  /** @param least m: crossings nearer than this are left out */
  constructor(fan: BeamFan, least: number) {
    const places = crossingsPerBeam * fan.beams;
    this.least = least;
    this.count = new Uint8Array(fan.beams);
    this.distance = new Float64Array(places);
    this.cosine = new Float64Array(places);
    this.of = new Uint32Array(places);
    this.sign = new Int8Array(places);
  }

  clear(): void {
    if (!this.any) return;
    this.count.fill(0);
    this.any = false;
  }

  line(
    { x, y, dx, dy }: Rays,
    { ex, ey, offset, length }: LineOnRays,
    begin: number,
    end: number,
    of: number,
  ): void {
    for (let beam = begin; beam <= end; beam++) {
      const across = (dx[beam] ?? 0) * ey - (dy[beam] ?? 0) * ex;
      const height = offset - (x[beam] ?? 0) * ey + (y[beam] ?? 0) * ex;
      const distance = height / across;
      if (distance > 0) this.#add(beam, distance, Math.abs(across) / length, of, height > 0 ? -1 : 1);
    }
  }

  circle(rays: Rays, x: number, y: number, radius: number, begin: number, end: number, of: number): void {
    for (let beam = begin; beam <= end; beam++) {
      const { along, half, inside } = chordOf(rays, beam, x, y, radius);
      if (!(along + half > this.least)) continue;
      const incidence = half / radius;
      if (!inside) this.#add(beam, along - half, incidence, of, 1);
      this.#add(beam, along + half, incidence, of, -1);
    }
  }

  #add(beam: number, distance: number, cosine: number, of: number, sign: number): void {
    const first = crossingsPerBeam * beam;
    const count = this.count[beam] ?? 0;
    let place = first + count;
    if (count === crossingsPerBeam) {
      place--;
      if ((this.distance[place] ?? 0) <= distance) return;
    } else this.count[beam] = count + 1;
    for (; place > first && (this.distance[place - 1] ?? 0) > distance; place--) {
      this.distance[place] = this.distance[place - 1] ?? 0;
      this.cosine[place] = this.cosine[place - 1] ?? 0;
      this.of[place] = this.of[place - 1] ?? 0;
      this.sign[place] = this.sign[place - 1] ?? 0;
    }
    this.distance[place] = distance;
    this.cosine[place] = cosine;
    this.of[place] = of;
    this.sign[place] = sign;
    this.any = true;
  }
}

/** Finds the beams that meet an outline, line by line and circle by circle. */
function sweep(rays: Rays, outline: Outline, meetings: Meetings): void {
  sweepLines(rays, outline, meetings);
  sweepCircles(rays, outline, meetings);
}

function sweepLines(rays: Rays, outline: Outline, meetings: Meetings): void {
  const { ofLine } = outline;
  for (let line = 0; line < ofLine.length; line++) rays.meetLine(outline, line, ofLine[line] ?? 0, meetings);
}

function sweepCircles(rays: Rays, { circles, ofCircle }: Outline, meetings: Meetings): void {
  for (let circle = 0; circle < ofCircle.length; circle++) {
    const place = 3 * circle;
    rays.meetCircle(
      circles[place] ?? 0,
      circles[place + 1] ?? 0,
      circles[place + 2] ?? 0,
      ofCircle[circle] ?? 0,
      meetings,
    );
  }
}

/** The surfaces that the beams of a scan meet. The arrays belong to the caster: they are valid until it casts again. */
export interface Hits {
  /** The nearest opaque surface of each beam. */
  readonly nearest: Pick<NearestSurfaces, 'nearness' | 'cosine' | 'material'>;
  /** The crossings with glass, and with outlines of fog. */
  readonly glass: Crossings;
  readonly fog: Crossings;
}

/** A body that moves. */
export interface MovingBody {
  readonly outlines: BodyOutlines;
  readonly trajectory: Trajectory;
  readonly legs: { readonly settings: Legs; readonly outlines: BodyOutlines } | undefined;
  /** No part of it is farther than this from the origin of its coordinates, in m. */
  readonly radius: number;
}

/** A body that moves with the scanner: its vehicle. */
export interface AttachedBody {
  readonly outlines: BodyOutlines;
  /** Where the scanner stands in the coordinates of the body. */
  readonly place: Trajectory;
}

/** The last cast. */
interface Cast {
  readonly standing: BodyOutlines;
  /** The pose of a scanner that stood during the whole scan; undefined if it moved. */
  readonly scanner: Pose | undefined;
  readonly hasMoving: boolean;
  readonly hits: Hits;
}

/** Share of the speed of walking that a foot moves faster or slower than the body: its stride is a sine. */
const footSpeed = Math.PI / 2;

/**
 * Casts the beams of a scan. For each beam, it stores the nearest opaque surface, and lists all crossings with glass and
 * outlines of fog. Scanner and bodies are where they are at the time of each beam. Bodies that do not move are cast again
 * only if the scanner moves. All arrays are made once.
 */
export class RayCaster {
  readonly #glass: Crossings;
  readonly #fog: Crossings;
  readonly #fan: BeamFan;
  readonly #scanner: BeamPoses;
  readonly #body: BeamPoses;
  /** The beams in the axes of the scene, of a body, and of one of its feet. */
  readonly #inScene: Rays;
  readonly #onBody: Rays;
  readonly #onFoot: Rays;
  /** By beam: m of the left foot ahead of the body. The right foot is as far behind. */
  readonly #footAhead: Float64Array;
  /** rad/s of the mirror. */
  readonly #mirror: number;
  readonly #pose: Pose = { x: 0, y: 0, heading: 0 };
  /** The nearest surfaces of the bodies that do not move, and of all bodies if some move. */
  readonly #standing: NearestSurfaces;
  readonly #all: NearestSurfaces;
  /** The beams on the vehicle of the scanner, and the nearest surfaces of it; undefined without one. */
  #onVehicle: { readonly rays: Rays; readonly nearest: NearestSurfaces } | undefined;
  #last: Cast | undefined;
  /** Sweep for many opaque lines that do not move, used from the second pose on. */
  #nearFirst: NearFirstSweep | undefined;

  constructor(geometry: ScanGeometry) {
    const fan = new BeamFan(geometry);
    this.#fan = fan;
    this.#scanner = new BeamPoses(fan);
    this.#body = new BeamPoses(fan);
    this.#inScene = new Rays(fan);
    this.#onBody = new Rays(fan);
    this.#onFoot = new Rays(fan);
    this.#footAhead = new Float64Array(fan.beams);
    this.#mirror = fan.step / fan.interval;
    this.#standing = new NearestSurfaces(fan);
    this.#all = new NearestSurfaces(fan);
    this.#glass = new Crossings(fan, touching);
    this.#fog = new Crossings(fan, 0);
  }

  /**
   * Casts the beams of a scan over bodies that do not move and others that do. If nothing has moved since the scan before, it
   * returns the same object.
   * @param time of the first beam: s of the world
   * @param attached always the same one. Its opaque surfaces are cast once
   */
  cast(
    standing: BodyOutlines,
    moving: readonly MovingBody[],
    trajectory: Trajectory,
    time: number,
    attached?: AttachedBody,
  ): Hits {
    const last = this.#last;
    if (attached !== undefined) this.#onVehicle ??= this.#nearestOn(attached);
    const scanner = this.#scanner;
    scanner.follow(trajectory, time);
    scanner.poseAt(0, this.#pose);
    const place = scanner.stands ? { ...this.#pose } : undefined;
    const isSame = last?.standing === standing && isAt(last.scanner, place);
    const hasMoving = moving.length > 0;
    if (isSame && !last.hasMoving && !hasMoving) return last.hits;
    if (!isSame) {
      const all = { begin: 0, end: this.#fan.beams };
      scanner.fill(all);
      this.#inScene.fillOf(scanner, this.#fan, all);
      this.#chooseSweep(last?.standing, standing);
      if (this.#onVehicle === undefined) this.#standing.clear();
      else this.#standing.copy(this.#onVehicle.nearest);
      this.#eachPart([], () => this.#castOpaque(standing.opaque));
    }
    if (!isSame || last.hasMoving) {
      this.#glass.clear();
      this.#fog.clear();
      this.#eachPart([], () => this.#castClear(standing, this.#inScene));
      if (attached !== undefined && this.#onVehicle !== undefined)
        this.#castClear(attached.outlines, this.#onVehicle.rays);
    }
    if (hasMoving) {
      this.#all.copy(this.#standing);
      for (const body of moving) this.#castMoving(body, time);
    }
    const nearest = hasMoving ? this.#all : this.#standing;
    const hits = { nearest, glass: this.#glass, fog: this.#fog };
    this.#last = { standing, scanner: place, hasMoving, hits };
    return hits;
  }

  /**
   * Chooses the sweep for bodies that do not move. A scanner that never moves casts these bodies once, and needs no groups of
   * lines.
   */
  #chooseSweep(before: BodyOutlines | undefined, { opaque }: BodyOutlines): void {
    if (before?.opaque !== opaque) this.#nearFirst = undefined;
    else if (opaque.ofLine.length >= fewestLines) this.#nearFirst ??= new NearFirstSweep(opaque, this.#fan);
  }

  /** Selects the rays in the scene of each part of the scan in which nothing jumps. @param jumps further ones */
  #eachPart(jumps: readonly number[], cast: () => void): void {
    const { speed, leastTurn, mostTurn, jumps: own } = this.#scanner;
    const ends = [...own, ...jumps, this.#fan.beams].sort((a, b) => a - b);
    const motion = { speed, leastTurn: this.#mirror + leastTurn, mostTurn: this.#mirror + mostTurn };
    let begin = 0;
    for (const end of ends) {
      if (end === begin) continue;
      this.#inScene.select({ begin, end }, motion);
      cast();
      begin = end;
    }
  }

  #castOpaque(opaque: Outline): void {
    if (this.#nearFirst === undefined) sweepLines(this.#inScene, opaque, this.#standing);
    else this.#nearFirst.over(this.#inScene, this.#standing);
    sweepCircles(this.#inScene, opaque, this.#standing);
  }

  /** Casts glass and fog that do not move. */
  #castClear({ glass, fog }: BodyOutlines, rays: Rays): void {
    sweep(rays, glass, this.#glass);
    sweep(rays, fog, this.#fog);
  }

  #nearestOn({ outlines, place }: AttachedBody) {
    const all = { begin: 0, end: this.#fan.beams };
    const poses = new BeamPoses(this.#fan);
    const rays = new Rays(this.#fan);
    const nearest = new NearestSurfaces(this.#fan);
    poses.follow(place, 0);
    poses.fill(all);
    rays.fillOf(poses, this.#fan, all);
    rays.select(all, { speed: 0, leastTurn: this.#mirror, mostTurn: this.#mirror });
    sweep(rays, outlines.opaque, nearest);
    return { rays, nearest };
  }

  /** Casts a body that moves, with the beams that may meet it. */
  #castMoving(body: MovingBody, time: number): void {
    this.#body.follow(body.trajectory, time);
    this.#eachPart(this.#body.jumps, () => {
      const { begin, end } = this.#inScene;
      const travels = this.#body.speed * (end - begin) * this.#fan.interval;
      this.#body.poseAt(begin, this.#pose);
      const { from, to, again } = this.#inScene.toward(this.#pose.x, this.#pose.y, body.radius + travels);
      for (const shift of [0, again]) {
        const range = {
          begin: Math.max(begin, begin + Math.ceil(from + shift)),
          end: Math.min(end, begin + Math.floor(to + shift) + 1),
        };
        if (range.begin < range.end) this.#castRange(body, range);
      }
    });
  }

  #castRange({ outlines, legs }: MovingBody, range: { readonly begin: number; readonly end: number }): void {
    const scanner = this.#scanner;
    const body = this.#body;
    body.fill(range);
    this.#onBody.fillFor(body, this.#inScene, range);
    const turn = Math.max(Math.abs(body.leastTurn), Math.abs(body.mostTurn));
    const { begin, end } = range;
    const duration = (end - begin) * this.#fan.interval;
    const relative = scanner.speed + body.speed;
    const distance = Math.hypot(this.#onBody.x[begin] ?? 0, this.#onBody.y[begin] ?? 0) + relative * duration;
    const motion = {
      speed: relative + turn * distance,
      leastTurn: this.#mirror + scanner.leastTurn - body.mostTurn,
      mostTurn: this.#mirror + scanner.mostTurn - body.leastTurn,
    };
    this.#onBody.select(range, motion);
    this.#castOnto(outlines, this.#onBody);
    if (legs === undefined) return;
    const { apart, stride } = legs.settings;
    for (let beam = begin; beam < end; beam++)
      this.#footAhead[beam] = legAhead(stride, body.travelledAt(beam));
    const footMotion = { ...motion, speed: motion.speed + footSpeed * body.pace };
    for (const side of [1, -1]) {
      this.#onFoot.fillMoved(this.#onBody, this.#footAhead, side, (side * apart) / 2, range);
      this.#onFoot.select(range, footMotion);
      this.#castOnto(legs.outlines, this.#onFoot);
    }
  }

  #castOnto({ opaque, glass, fog }: BodyOutlines, rays: Rays): void {
    sweep(rays, opaque, this.#all);
    sweep(rays, glass, this.#glass);
    sweep(rays, fog, this.#fog);
  }
}

/** Returns the distance (m) of the left leg ahead of the middle after this many metres. The right leg is as far behind. */
function legAhead(stride: number, travelled: number): number {
  return (stride / 2) * Math.sin((Math.PI * travelled) / stride);
}

function isAt(one: Pose | undefined, other: Pose | undefined): boolean {
  if (one === undefined || other === undefined) return false;
  return one.x === other.x && one.y === other.y && one.heading === other.heading;
}
