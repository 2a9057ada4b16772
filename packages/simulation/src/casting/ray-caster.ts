import type { ScanGeometry } from '@azimuth/device';
import type { Pose } from '../motion/pose.js';
import type { BodyOutlines, Outline } from '../scene/surfaces.js';
import {
  BeamFan,
  chordOf,
  type Frame,
  frameOf,
  type ProjectedCircle,
  type ProjectedLine,
  projectedCircle,
  projectedLine,
} from './beam-fan.js';
import { fewestLines, NearFirstSweep } from './fast/near-first-sweep.js';

/** Distance (m) below which a surface touches the scanner and is not measured. */
const touching = 1e-6;

/** Called with the beams that meet lines and circles of outlines. */
interface Meetings {
  /** Distance (m) below which a line is not met. */
  readonly least: number;
  /** True if a beam on a corner of two lines meets both; else it meets one of them. */
  readonly bothAtCorners: boolean;
  /** The beams from `begin` to `end`, both included, meet a line. */
  line(line: ProjectedLine, begin: number, end: number, of: number): void;
  /** The beams from `begin` to `end`, both included, meet a circle. */
  circle(circle: ProjectedCircle, begin: number, end: number, of: number): void;
}

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
  readonly #fan: BeamFan;

  constructor(fan: BeamFan) {
    this.nearness = new Float64Array(fan.beams);
    this.cosine = new Float64Array(fan.beams);
    this.material = new Uint32Array(fan.beams);
    this.#fan = fan;
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

  line({ p, q, height }: ProjectedLine, begin: number, end: number, material: number): void {
    const { cosine, sine } = this.#fan;
    const { nearness: nearnesses, cosine: cosines, material: materials } = this;
    for (let beam = begin; beam <= end; beam++) {
      const nearness = (cosine[beam] ?? 0) * p - (sine[beam] ?? 0) * q;
      if (nearness > (nearnesses[beam] ?? 0)) {
        nearnesses[beam] = nearness;
        cosines[beam] = nearness * height;
        materials[beam] = material;
      }
    }
  }

  circle(circle: ProjectedCircle, begin: number, end: number, material: number): void {
    const { cosine, sine } = this.#fan;
    for (let beam = begin; beam <= end; beam++) {
      const { along, half } = chordOf(circle, cosine[beam] ?? 0, sine[beam] ?? 0);
      const distance = circle.inside ? along + half : along - half;
      if (distance > touching && 1 / distance > (this.nearness[beam] ?? 0)) {
        this.nearness[beam] = 1 / distance;
        this.cosine[beam] = half / circle.radius;
        this.material[beam] = material;
      }
    }
  }
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
  readonly #fan: BeamFan;

  /** @param least m: crossings nearer than this are left out */
  constructor(fan: BeamFan, least: number) {
    const places = crossingsPerBeam * fan.beams;
    this.least = least;
    this.count = new Uint8Array(fan.beams);
    this.distance = new Float64Array(places);
    this.cosine = new Float64Array(places);
    this.of = new Uint32Array(places);
    this.sign = new Int8Array(places);
    this.#fan = fan;
  }

  clear(): void {
    if (!this.any) return;
    this.count.fill(0);
    this.any = false;
  }

  line({ p, q, height, forward }: ProjectedLine, begin: number, end: number, of: number): void {
    const { cosine, sine } = this.#fan;
    for (let beam = begin; beam <= end; beam++) {
      const nearness = (cosine[beam] ?? 0) * p - (sine[beam] ?? 0) * q;
      if (nearness > 0) this.#add(beam, 1 / nearness, nearness * height, of, forward ? -1 : 1);
    }
  }

  circle(circle: ProjectedCircle, begin: number, end: number, of: number): void {
    const { cosine, sine } = this.#fan;
    for (let beam = begin; beam <= end; beam++) {
      const { along, half } = chordOf(circle, cosine[beam] ?? 0, sine[beam] ?? 0);
      const incidence = half / circle.radius;
      if (!circle.inside) this.#add(beam, along - half, incidence, of, 1);
      if (along + half > this.least) this.#add(beam, along + half, incidence, of, -1);
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

/**
 * Finds the beams that meet an outline, line by line and circle by circle. It checks each line and circle only with the beams
 * that it covers.
 */
function sweep(fan: BeamFan, outline: Outline, frame: Frame, meetings: Meetings): void {
  sweepLines(fan, outline, frame, meetings);
  sweepCircles(fan, outline, frame, meetings);
}

function sweepLines(fan: BeamFan, outline: Outline, frame: Frame, meetings: Meetings): void {
  const { ofLine } = outline;
  for (let at = 0; at < ofLine.length; at++) {
    const line = projectedLine(fan, outline, at, frame, meetings.least);
    if (line === undefined) continue;
    const covers = meetings.bothAtCorners
      ? fan.covered(line.from, line.to)
      : fan.coveredBefore(line.from, line.to);
    const of = ofLine[at] ?? 0;
    meetings.line(line, covers.begin, covers.end, of);
    if (covers.otherEnd >= 0) meetings.line(line, 0, covers.otherEnd, of);
  }
}

function sweepCircles(fan: BeamFan, outline: Outline, frame: Frame, meetings: Meetings): void {
  const { ofCircle } = outline;
  for (let at = 0; at < ofCircle.length; at++) {
    const circle = projectedCircle(fan, outline, at, frame);
    const { begin, end, otherEnd } = circle.covers;
    const of = ofCircle[at] ?? 0;
    meetings.circle(circle, begin, end, of);
    if (otherEnd >= 0) meetings.circle(circle, 0, otherEnd, of);
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

/** A body that moves, with its position and direction. */
export interface MovingBody {
  readonly outlines: BodyOutlines;
  readonly frame: Frame;
}

const origin: Pose = { x: 0, y: 0, heading: 0 };

/** The last cast. */
interface Cast {
  readonly standing: BodyOutlines;
  readonly scanner: Pose;
  readonly hasMoving: boolean;
  readonly hits: Hits;
}

/**
 * Casts the beams of a scan. For each beam, it stores the nearest opaque surface, and lists all crossings with glass and
 * outlines of fog. Bodies that do not move are cast again only if the scanner has moved. All arrays are made once.
 */
export class RayCaster {
  readonly #glass: Crossings;
  readonly #fog: Crossings;
  readonly #fan: BeamFan;
  /** The nearest surfaces of the bodies that do not move, and of all bodies if some move. */
  readonly #standing: NearestSurfaces;
  readonly #all: NearestSurfaces;
  /** The nearest surfaces of what moves with the scanner; undefined if there is nothing. */
  #attached: NearestSurfaces | undefined;
  #last: Cast | undefined;
  /** Sweep for many opaque lines that do not move, used from the second pose on. */
  #nearFirst: NearFirstSweep | undefined;

  constructor(geometry: ScanGeometry) {
    const fan = new BeamFan(geometry);
    this.#fan = fan;
    this.#standing = new NearestSurfaces(fan);
    this.#all = new NearestSurfaces(fan);
    this.#glass = new Crossings(fan, touching);
    this.#fog = new Crossings(fan, 0);
  }

  /**
   * Casts the beams of a scanner at this pose over bodies that do not move and others that do. If nothing has moved, it
   * returns the same object as before.
   * @param attached a body that moves with the scanner, always the same one. Its opaque surfaces are cast once
   */
  cast(standing: BodyOutlines, moving: readonly MovingBody[], scanner: Pose, attached?: MovingBody): Hits {
    const last = this.#last;
    const isSame = last?.standing === standing && isAt(last.scanner, scanner);
    const hasMoving = moving.length > 0;
    if (isSame && !last.hasMoving && !hasMoving) return last.hits;
    const frame = frameOf(origin, scanner);
    if (!isSame) {
      this.#chooseSweep(last?.standing, standing);
      if (attached !== undefined) this.#attached ??= this.#nearestOf(attached);
      this.#castOpaque(standing.opaque, frame);
    }
    if (!isSame || last.hasMoving) this.#castClear(standing, frame, attached);
    if (hasMoving) this.#castMoving(moving);
    const nearest = hasMoving ? this.#all : this.#standing;
    const hits = { nearest, glass: this.#glass, fog: this.#fog };
    this.#last = { standing, scanner: { ...scanner }, hasMoving, hits };
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

  #castOpaque(opaque: Outline, frame: Frame): void {
    if (this.#attached === undefined) this.#standing.clear();
    else this.#standing.copy(this.#attached);
    if (this.#nearFirst === undefined) sweepLines(this.#fan, opaque, frame, this.#standing);
    else this.#nearFirst.over(frame, this.#standing);
    sweepCircles(this.#fan, opaque, frame, this.#standing);
  }

  /** Casts glass and fog that do not move. */
  #castClear({ glass, fog }: BodyOutlines, frame: Frame, attached: MovingBody | undefined): void {
    this.#glass.clear();
    this.#fog.clear();
    sweep(this.#fan, glass, frame, this.#glass);
    sweep(this.#fan, fog, frame, this.#fog);
    if (attached === undefined) return;
    sweep(this.#fan, attached.outlines.glass, attached.frame, this.#glass);
    sweep(this.#fan, attached.outlines.fog, attached.frame, this.#fog);
  }

  #nearestOf({ outlines, frame }: MovingBody): NearestSurfaces {
    const nearest = new NearestSurfaces(this.#fan);
    sweep(this.#fan, outlines.opaque, frame, nearest);
    return nearest;
  }

  #castMoving(bodies: readonly MovingBody[]): void {
    this.#all.copy(this.#standing);
    for (const { outlines, frame } of bodies) {
      sweep(this.#fan, outlines.opaque, frame, this.#all);
      sweep(this.#fan, outlines.glass, frame, this.#glass);
      sweep(this.#fan, outlines.fog, frame, this.#fog);
    }
  }
}

function isAt(one: Pose, other: Pose): boolean {
  return one.x === other.x && one.y === other.y && one.heading === other.heading;
}
