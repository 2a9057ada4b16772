import type { BeamFan, Meetings, ProjectedCircle, ProjectedLine } from './beam-fan.js';

/** Crossings that are kept for each beam; further ones are left out. */
export const crossingsPerBeam = 16;

/**
 * Where the beams cross surfaces that let light through, the nearest first: crossing `n` of a beam is at
 * `crossingsPerBeam * beam + n` in each array. A beam exactly on a corner that two lines share crosses one of them.
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
  /** What the line or circle belongs to: a material or a fog area. */
  readonly of: Uint32Array;
  /** 1 if the beam enters (through a counter-clockwise outline), -1 if it leaves. */
  readonly sign: Int8Array;
  /** Whether any beam has a crossing. */
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

  circle({ x, y, radius, inside }: ProjectedCircle, begin: number, end: number, of: number): void {
    const { cosine, sine } = this.#fan;
    for (let beam = begin; beam <= end; beam++) {
      const c = cosine[beam] ?? 0;
      const s = sine[beam] ?? 0;
      const along = c * x + s * y;
      const aside = c * y - s * x;
      const half = Math.sqrt(Math.max(0, radius * radius - aside * aside));
      const incidence = half / radius;
      if (!inside) this.#add(beam, along - half, incidence, of, 1);
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
