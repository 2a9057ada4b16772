import type { ScanGeometry } from '@azimuth/device';
import { BeamFan } from './beam-fan.js';
import { Crossings } from './crossings.js';
import type { BodyOutlines, Outline } from './outline.js';
import type { Frame } from './pose.js';
import { CircleSight, LineSight } from './sight.js';

/** m: a surface that the scanner itself touches is not seen. */
const touching = 1e-6;

/**
 * Casts the beams of a turn by angular sweep: for each line the beams that it covers, met directly. What opaque
 * surfaces a beam meets is known by the nearest one; glass and outlines of fog are listed. All arrays are made once.
 */
export class RayCaster {
  /** By beam: 1 / distance of the nearest opaque surface in 1/m; 0 where there is none. */
  readonly nearness: Float64Array;
  /** By beam: cosine of the angle of incidence there. */
  readonly cosine: Float64Array;
  /** By beam: number of its material. */
  readonly material: Uint32Array;
  readonly glass: Crossings;
  readonly fog: Crossings;
  readonly #fan: BeamFan;
  readonly #line: LineSight;
  readonly #circle: CircleSight;

  constructor(geometry: ScanGeometry) {
    const { beams } = geometry;
    this.nearness = new Float64Array(beams);
    this.cosine = new Float64Array(beams);
    this.material = new Uint32Array(beams);
    this.#fan = new BeamFan(geometry);
    this.#line = new LineSight(this.#fan);
    this.#circle = new CircleSight(this.#fan);
    this.glass = new Crossings(this.#fan);
    this.fog = new Crossings(this.#fan);
  }

  /** Forgets what was met. */
  clear(): void {
    this.nearness.fill(0);
    this.glass.clear();
    this.fog.clear();
  }

  /** Casts the beams over a body, too, seen in this frame. */
  cast({ opaque, glass, fog }: BodyOutlines, frame: Frame): void {
    this.#lines(opaque, frame);
    this.#circles(opaque, frame);
    this.glass.lines(glass, frame, touching);
    this.glass.circles(glass, frame, touching);
    this.fog.lines(fog, frame, 0);
    this.fog.circles(fog, frame, 0);
  }

  #lines(outline: Outline, frame: Frame): void {
    const fan = this.#fan;
    const sight = this.#line;
    const count = outline.ofLine.length;
    for (let line = 0; line < count; line++) {
      if (!sight.look(outline, line, frame, touching)) continue;
      const material = outline.ofLine[line] ?? 0;
      fan.cover(sight.from, sight.to);
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
      this.#circle.look(outline, circle, frame);
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
