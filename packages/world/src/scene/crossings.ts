import type { BeamFan } from './beam-fan.js';
import type { Outline } from './outline.js';
import type { Frame } from './pose.js';
import { CircleSight, LineSight } from './sight.js';

/** Places for crossings of a beam; further ones are left out. */
export const crossingsPerBeam = 16;

/**
 * Where beams go through surfaces that let light through, the nearest first: `crossingsPerBeam * beam + place` in
 * each array. A beam exactly on a corner that two lines share goes through one of them.
 */
export class Crossings {
  /** Crossings of a beam. */
  readonly count: Uint8Array;
  /** m. */
  readonly distance: Float64Array;
  /** Cosine of the angle of incidence. */
  readonly cosine: Float64Array;
  /** What the line or circle belongs to. */
  readonly of: Uint32Array;
  /** 1 where the beam comes in (through a counter-clockwise outline), -1 where it goes out. */
  readonly sign: Int8Array;
  /** Whether there are any at all. */
  any = false;
  readonly #fan: BeamFan;
  readonly #line: LineSight;
  readonly #circle: CircleSight;

  constructor(fan: BeamFan) {
    const places = crossingsPerBeam * fan.beams;
    this.count = new Uint8Array(fan.beams);
    this.distance = new Float64Array(places);
    this.cosine = new Float64Array(places);
    this.of = new Uint32Array(places);
    this.sign = new Int8Array(places);
    this.#fan = fan;
    this.#line = new LineSight(fan);
    this.#circle = new CircleSight(fan);
  }

  clear(): void {
    if (!this.any) return;
    this.count.fill(0);
    this.any = false;
  }

  /** Lists where the beams cross the lines of an outline. */
  lines(outline: Outline, frame: Frame, least: number): void {
    const fan = this.#fan;
    const sight = this.#line;
    const count = outline.ofLine.length;
    for (let line = 0; line < count; line++) {
      if (!sight.look(outline, line, frame, least)) continue;
      const of = outline.ofLine[line] ?? 0;
      fan.coverBefore(sight.from, sight.to);
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

  /** Lists where the beams cross the circles of an outline. */
  circles(outline: Outline, frame: Frame, least: number): void {
    const fan = this.#fan;
    const count = outline.ofCircle.length;
    for (let circle = 0; circle < count; circle++) {
      this.#circle.look(outline, circle, frame);
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
