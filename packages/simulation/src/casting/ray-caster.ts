import type { ScanGeometry } from '@azimuth/device';
import type { Pose } from '../motion/pose.js';
import type { Trajectory } from '../motion/trajectory.js';
import type { Legs } from '../scene/scene-file.js';
import type { BodyOutlines, Outline } from '../scene/surfaces.js';
import { BeamFan, BeamPoses, type BeamRange } from './beam-poses.js';
import { fewestLines, NearFirstSweep } from './fast/near-first-sweep.js';
import { despiteRounding, type LineOnRays, type Meetings, Rays, touching } from './rays.js';
import type { AttachedBody, MovingBody, SceneBodies } from './scene-bodies.js';

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
    // A division for each beam would take most of the time: first, a product tells whether the line may be nearer.
    const side = offset - (x[begin] ?? 0) * ey + (y[begin] ?? 0) * ex > 0 ? 1 : -1;
    const sideX = side * ex;
    const sideY = side * ey;
    const sideOffset = side * offset;
    for (let beam = begin; beam <= end; beam++) {
      const across = (dx[beam] ?? 0) * sideY - (dy[beam] ?? 0) * sideX;
      const height = sideOffset - (x[beam] ?? 0) * sideY + (y[beam] ?? 0) * sideX;
      if (across * despiteRounding < (nearnesses[beam] ?? 0) * height) continue;
      const nearness = across / height;
      if (nearness > (nearnesses[beam] ?? 0)) {
        nearnesses[beam] = nearness;
        cosines[beam] = across / length;
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

/** The surfaces that the beams of a scan meet. The arrays belong to the caster: they are valid until it casts again. */
export interface Hits {
  /** The nearest opaque surface of each beam. */
  readonly nearest: Pick<NearestSurfaces, 'nearness' | 'cosine' | 'material'>;
  /** The crossings with glass, and with outlines of fog. */
  readonly glass: Crossings;
  readonly fog: Crossings;
}

const none: readonly number[] = [];

/** The last cast. */
interface Cast {
  readonly standing: BodyOutlines;
  /** Of the scanner. */
  readonly trajectory: Trajectory;
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
  /** The beams in the axes of the scene, and of a body. */
  readonly #inScene: Rays;
  readonly #onBody: Rays;
  /** By beam: how far the left leg is ahead, in half strides. The right leg is as far behind. */
  readonly #swing: Float64Array;
  /** rad/s of the mirror. */
  readonly #mirror: number;
  /** The only part of a scan in which nothing jumps. */
  readonly #whole: readonly BeamRange[];
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
    this.#swing = new Float64Array(fan.beams);
    this.#mirror = fan.step / fan.interval;
    this.#whole = [{ begin: 0, end: fan.beams }];
    this.#standing = new NearestSurfaces(fan);
    this.#all = new NearestSurfaces(fan);
    this.#glass = new Crossings(fan, touching);
    this.#fog = new Crossings(fan, 0);
  }

  /**
   * Casts the beams of a scan over the bodies of a scene. If nothing has moved since the scan before, it returns the same
   * object.
   * @param trajectory of the scanner
   * @param time of the first beam: s of the world
   */
  cast({ standing, moving, attached }: SceneBodies, trajectory: Trajectory, time: number): Hits {
    const last = this.#last;
    const isFixed = last?.trajectory === trajectory && trajectory.isFixed;
    if (isFixed && last.standing === standing && !last.hasMoving && moving.length === 0) return last.hits;
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
      scanner.fill(all, this.#inScene);
      this.#inScene.direct(this.#fan);
      this.#chooseSweep(last?.standing, standing);
      if (this.#onVehicle === undefined) this.#standing.clear();
      else this.#standing.copy(this.#onVehicle.nearest);
      for (const part of this.#parts(none)) this.#castOpaque(standing.opaque, part);
    }
    if (!isSame || last.hasMoving) {
      this.#glass.clear();
      this.#fog.clear();
      for (const part of this.#parts(none)) {
        this.#selectScene(part);
        this.#castClear(standing, this.#inScene);
      }
      if (attached !== undefined && this.#onVehicle !== undefined)
        this.#castClear(attached.outlines, this.#onVehicle.rays);
    }
    if (hasMoving) {
      this.#all.copy(this.#standing);
      for (const body of moving) this.#castMoving(body, time);
    }
    const nearest = hasMoving ? this.#all : this.#standing;
    const hits = { nearest, glass: this.#glass, fog: this.#fog };
    this.#last = { standing, trajectory, scanner: place, hasMoving, hits };
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

  /** Returns the parts of the scan in which neither the scanner jumps nor a body does. */
  #parts(jumpsOfBody: readonly number[]): readonly BeamRange[] {
    const { jumps } = this.#scanner;
    if (jumps.length === 0 && jumpsOfBody.length === 0) return this.#whole;
    const begins = [...new Set([0, ...jumps, ...jumpsOfBody])].sort((a, b) => a - b);
    return begins.map((begin, part) => ({ begin, end: begins[part + 1] ?? this.#fan.beams }));
  }

  #selectScene(part: BeamRange): void {
    const { speed, leastTurn, mostTurn } = this.#scanner;
    this.#inScene.select(part, speed, this.#mirror + leastTurn, this.#mirror + mostTurn);
  }

  #castOpaque(opaque: Outline, part: BeamRange): void {
    this.#selectScene(part);
    if (this.#nearFirst === undefined) this.#inScene.meetLines(opaque, this.#standing);
    else this.#nearFirst.over(this.#inScene, this.#standing);
    this.#inScene.meetCircles(opaque, this.#standing);
  }

  /** Casts glass and fog that do not move. */
  #castClear({ glass, fog }: BodyOutlines, rays: Rays): void {
    rays.meet(glass, this.#glass);
    rays.meet(fog, this.#fog);
  }

  #nearestOn({ outlines, place }: AttachedBody) {
    const all = { begin: 0, end: this.#fan.beams };
    const poses = new BeamPoses(this.#fan);
    const rays = new Rays(this.#fan);
    const nearest = new NearestSurfaces(this.#fan);
    poses.follow(place, 0);
    poses.fill(all, rays);
    rays.direct(this.#fan);
    rays.select(all, 0, this.#mirror, this.#mirror);
    rays.meet(outlines.opaque, nearest);
    return { rays, nearest };
  }

  #castMoving(body: MovingBody, time: number): void {
    this.#body.follow(body.trajectory, time);
    for (const part of this.#parts(this.#body.jumps)) this.#castPart(body, part);
  }

  /** Casts the beams of a part of the scan that may meet a body and its legs. */
  #castPart({ outlines, legs, radius }: MovingBody, part: BeamRange): void {
    const body = this.#body;
    const { begin, end } = part;
    const duration = (end - begin) * this.#fan.interval;
    this.#selectScene(part);
    body.poseAt(begin, this.#pose);
    const { x, y, heading } = this.#pose;
    if (radius > 0) {
      const toward = this.#inScene.toward(x, y, radius + body.speed * duration);
      this.#castRange(outlines, toward.begin, toward.end + 1);
      this.#castRange(outlines, toward.otherBegin, toward.otherEnd + 1);
    }
    if (legs === undefined) return;
    const { apart, stride, radius: legRadius } = legs.settings;
    const aside = Math.hypot(stride / 2, apart / 2);
    const turn = Math.max(Math.abs(body.leastTurn), Math.abs(body.mostTurn));
    const travels = (body.speed + footSpeed * body.pace + turn * aside) * duration;
    const swing = Math.sin((Math.PI / stride) * body.travelledAt(begin));
    for (let side = 1; side >= -1; side -= 2) {
      const ahead = (side * stride * swing) / 2;
      const left = (side * apart) / 2;
      const footX = x + ahead * Math.cos(heading) - left * Math.sin(heading);
      const footY = y + ahead * Math.sin(heading) + left * Math.cos(heading);
      const toward = this.#inScene.toward(footX, footY, legRadius + travels);
      this.#castRange(legs.outlines, toward.begin, toward.end + 1, legs.settings, side);
      this.#castRange(legs.outlines, toward.otherBegin, toward.otherEnd + 1, legs.settings, side);
    }
  }

  /**
   * Casts some beams onto a body, or onto one of its legs.
   * @param side of the leg: 1 left, -1 right. The left leg is ahead while the right one is behind
   */
  #castRange(outlines: BodyOutlines, begin: number, end: number, legs?: Legs, side = 0): void {
    if (begin >= end) return;
    const scanner = this.#scanner;
    const body = this.#body;
    const range = { begin, end };
    body.fillSeen(this.#inScene, range, this.#onBody);
    if (legs !== undefined) {
      body.fillSwing(legs.stride, range, this.#swing);
      this.#onBody.move((-side * legs.stride) / 2, this.#swing, (-side * legs.apart) / 2, range);
    }
    const turn = Math.max(Math.abs(body.leastTurn), Math.abs(body.mostTurn));
    const relative = scanner.speed + body.speed + (legs === undefined ? 0 : footSpeed * body.pace);
    // The axes of a body that turns move the faster the farther the scanner is away.
    const sweeping = turn === 0 ? 0 : turn * this.#onBody.mostDistance(range, relative);
    this.#onBody.select(
      range,
      relative + sweeping,
      this.#mirror + scanner.leastTurn - body.mostTurn,
      this.#mirror + scanner.mostTurn - body.leastTurn,
    );
    this.#castOnto(outlines);
  }

  #castOnto({ opaque, glass, fog }: BodyOutlines): void {
    this.#onBody.meet(opaque, this.#all);
    this.#onBody.meet(glass, this.#glass);
    this.#onBody.meet(fog, this.#fog);
  }
}

function isAt(one: Pose | undefined, other: Pose | undefined): boolean {
  if (one === undefined || other === undefined) return false;
  return one.x === other.x && one.y === other.y && one.heading === other.heading;
}
