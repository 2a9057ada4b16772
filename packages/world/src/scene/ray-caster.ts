import type { ScanGeometry } from '@azimuth/device';
import { BeamFan, ProjectedCircle, ProjectedLine } from './beam-fan.js';
import type { Frame } from './pose.js';
import type { BodyOutlines, Outline } from './surfaces.js';

/** Crossings that are kept for each beam; further ones are left out. */
export const crossingsPerBeam = 16;

/**
 * Where the beams cross surfaces that let light through, the nearest first: crossing `n` of a beam is at
 * `crossingsPerBeam * beam + n` in each array. A beam exactly on a corner that two lines share crosses one of them.
 */
export class Crossings {
  /** Number of crossings, by beam. */
  readonly count: Uint8Array;
  /** m. */
  readonly distance: Float64Array;
  /** Cosine of the angle of incidence. */
  readonly cosine: Float64Array;
  /** What the line or circle belongs to: a material or a fog area. */
  readonly of: Uint32Array;
  /** 1 if the beam enters (through a counter-clockwise outline), -1 if it leaves. */
  readonly sign: Int8Array;
  /** Whether any beam has a crossing. */
  any = false;
  readonly #fan: BeamFan;
  readonly #line: ProjectedLine;
  readonly #circle: ProjectedCircle;

  constructor(fan: BeamFan) {
    const places = crossingsPerBeam * fan.beams;
    this.count = new Uint8Array(fan.beams);
    this.distance = new Float64Array(places);
    this.cosine = new Float64Array(places);
    this.of = new Uint32Array(places);
    this.sign = new Int8Array(places);
    this.#fan = fan;
    this.#line = new ProjectedLine(fan);
    this.#circle = new ProjectedCircle(fan);
  }

  clear(): void {
    if (!this.any) return;
    this.count.fill(0);
    this.any = false;
  }

  /** Adds the crossings with the lines of an outline. */
  addLines(outline: Outline, frame: Frame, least: number): void {
    const fan = this.#fan;
    const projected = this.#line;
    const count = outline.ofLine.length;
    for (let line = 0; line < count; line++) {
      if (!projected.project(outline, line, frame, least)) continue;
      const of = outline.ofLine[line] ?? 0;
      fan.coverBefore(projected.from, projected.to);
      this.#crossLine(fan.begin, fan.end, of);
      if (fan.otherEnd >= 0) this.#crossLine(fan.otherBegin, fan.otherEnd, of);
    }
  }

  #crossLine(begin: number, end: number, of: number): void {
    const { p, q, height, forward } = this.#line;
    const { cosine, sine } = this.#fan;
    for (let beam = begin; beam <= end; beam++) {
      const nearness = (cosine[beam] ?? 0) * p - (sine[beam] ?? 0) * q;
      if (nearness > 0) this.#add(beam, 1 / nearness, nearness * height, of, forward ? -1 : 1);
    }
  }

  /** Adds the crossings with the circles of an outline. */
  addCircles(outline: Outline, frame: Frame, least: number): void {
    const fan = this.#fan;
    const count = outline.ofCircle.length;
    for (let circle = 0; circle < count; circle++) {
      this.#circle.project(outline, circle, frame);
      const of = outline.ofCircle[circle] ?? 0;
      this.#circle.cover();
      this.#crossCircle(fan.begin, fan.end, of, least);
      if (fan.otherEnd >= 0) this.#crossCircle(fan.otherBegin, fan.otherEnd, of, least);
    }
  }

  #crossCircle(begin: number, end: number, of: number, least: number): void {
    const { x, y, radius, inside } = this.#circle;
    const { cosine, sine } = this.#fan;
    for (let beam = begin; beam <= end; beam++) {
      const c = cosine[beam] ?? 0;
      const s = sine[beam] ?? 0;
      const along = c * x + s * y;
      const aside = c * y - s * x;
      const half = Math.sqrt(Math.max(0, radius * radius - aside * aside));
      const incidence = half / radius;
      if (!inside) this.#add(beam, along - half, incidence, of, 1);
      if (along + half > least) this.#add(beam, along + half, incidence, of, -1);
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

/** m: a surface nearer than this touches the scanner and is not measured. */
const touching = 1e-6;

/**
 * Casts the beams of a scan surface by surface: each line and circle is intersected only with the beams that it covers. Of
 * the opaque surfaces that a beam meets the nearest is kept; crossings with glass and outlines of fog are all listed.
 * All arrays are made once.
 */
export class RayCaster {
  /** By beam: 1 / distance of the nearest opaque surface in 1/m; 0 if there is none. */
  readonly nearness: Float64Array;
  /** By beam: cosine of the angle of incidence there. */
  readonly cosine: Float64Array;
  /** By beam: number of its material. */
  readonly material: Uint32Array;
  readonly glass: Crossings;
  readonly fog: Crossings;
  readonly #fan: BeamFan;
  readonly #line: ProjectedLine;
  readonly #circle: ProjectedCircle;

  constructor(geometry: ScanGeometry) {
    const { beams } = geometry;
    this.nearness = new Float64Array(beams);
    this.cosine = new Float64Array(beams);
    this.material = new Uint32Array(beams);
    this.#fan = new BeamFan(geometry);
    this.#line = new ProjectedLine(this.#fan);
    this.#circle = new ProjectedCircle(this.#fan);
    this.glass = new Crossings(this.#fan);
    this.fog = new Crossings(this.#fan);
  }

  /** Forgets all surfaces and crossings. */
  clear(): void {
    this.nearness.fill(0);
    this.glass.clear();
    this.fog.clear();
  }

  /** Casts the beams over one more body, with its place and direction in this frame. */
  cast({ opaque, glass, fog }: BodyOutlines, frame: Frame): void {
    this.#lines(opaque, frame);
    this.#circles(opaque, frame);
    this.glass.addLines(glass, frame, touching);
    this.glass.addCircles(glass, frame, touching);
    this.fog.addLines(fog, frame, 0);
    this.fog.addCircles(fog, frame, 0);
  }

  #lines(outline: Outline, frame: Frame): void {
    const fan = this.#fan;
    const projected = this.#line;
    const count = outline.ofLine.length;
    for (let line = 0; line < count; line++) {
      if (!projected.project(outline, line, frame, touching)) continue;
      const material = outline.ofLine[line] ?? 0;
      fan.cover(projected.from, projected.to);
      this.#meetLine(fan.begin, fan.end, material);
      if (fan.otherEnd >= 0) this.#meetLine(fan.otherBegin, fan.otherEnd, material);
    }
  }

  #meetLine(begin: number, end: number, material: number): void {
    const { p, q, height } = this.#line;
    const { cosine, sine } = this.#fan;
    const nearnesses = this.nearness;
    for (let beam = begin; beam <= end; beam++) {
      const nearness = (cosine[beam] ?? 0) * p - (sine[beam] ?? 0) * q;
      if (nearness > (nearnesses[beam] ?? 0)) {
        nearnesses[beam] = nearness;
        this.cosine[beam] = nearness * height;
        this.material[beam] = material;
      }
    }
  }

  #circles(outline: Outline, frame: Frame): void {
    const fan = this.#fan;
    const count = outline.ofCircle.length;
    for (let circle = 0; circle < count; circle++) {
      this.#circle.project(outline, circle, frame);
      const material = outline.ofCircle[circle] ?? 0;
      this.#circle.cover();
      this.#meetCircle(fan.begin, fan.end, material);
      if (fan.otherEnd >= 0) this.#meetCircle(fan.otherBegin, fan.otherEnd, material);
    }
  }

  #meetCircle(begin: number, end: number, material: number): void {
    const { x, y, radius, inside } = this.#circle;
    const { cosine, sine } = this.#fan;
    for (let beam = begin; beam <= end; beam++) {
      const c = cosine[beam] ?? 0;
      const s = sine[beam] ?? 0;
      const along = c * x + s * y;
      const aside = c * y - s * x;
      const half = Math.sqrt(Math.max(0, radius * radius - aside * aside));
      const distance = inside ? along + half : along - half;
      if (distance > touching && 1 / distance > (this.nearness[beam] ?? 0)) {
        this.nearness[beam] = 1 / distance;
        this.cosine[beam] = half / radius;
        this.material[beam] = material;
      }
    }
  }
}
