import type { BeamFan, Meetings, ProjectedCircle, ProjectedLine } from './beam-fan.js';

/** m: a surface nearer than this touches the scanner and is not measured. */
export const touching = 1e-6;

/** The opaque surface that each beam meets first. */
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
  /** By beam: number of the line, if all came through `lineInAnyOrder`. */
  readonly #line: Uint32Array;

  constructor(fan: BeamFan) {
    this.nearness = new Float64Array(fan.beams);
    this.cosine = new Float64Array(fan.beams);
    this.material = new Uint32Array(fan.beams);
    this.#line = new Uint32Array(fan.beams);
    this.#fan = fan;
  }

  /** Forgets all surfaces. */
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

  /**
   * The same for lines that do not come in the order of their numbers. Of lines that are equally near, the one with the
   * lowest number counts, as if they did. No other surface may have come since `clear`.
   */
  lineInAnyOrder(
    { p, q, height }: ProjectedLine,
    begin: number,
    end: number,
    material: number,
    number: number,
  ): void {
    const { cosine, sine } = this.#fan;
    const { nearness: nearnesses, cosine: cosines, material: materials } = this;
    const numbers = this.#line;
    for (let beam = begin; beam <= end; beam++) {
      const nearness = (cosine[beam] ?? 0) * p - (sine[beam] ?? 0) * q;
      const nearest = nearnesses[beam] ?? 0;
      if (nearness > nearest || (nearness === nearest && number < (numbers[beam] ?? 0))) {
        nearnesses[beam] = nearness;
        cosines[beam] = nearness * height;
        materials[beam] = material;
        numbers[beam] = number;
      }
    }
  }

  circle({ x, y, radius, inside }: ProjectedCircle, begin: number, end: number, material: number): void {
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
