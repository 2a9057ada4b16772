import { type Crossings, crossingsPerBeam } from './crossings.js';
import type { RandomNumbers } from './random-numbers.js';

/** Share of the light that a droplet sends back. */
export const dropletRemission = 0.03;

/**
 * The fog along one beam. Its depth at a distance is the sum of density times way up to there: exp(-depth) of the
 * light comes so far. One droplet a beam may give an echo, at a depth drawn at random with mean 1.
 */
export class FogColumn {
  readonly #densities: Float64Array;
  #crossings: Crossings | undefined;
  #first = 0;
  #count = 0;
  /** Density at the scanner. */
  #begin = 0;

  /** @param densities per m, by fog area */
  constructor(densities: readonly number[]) {
    this.#densities = Float64Array.from(densities);
  }

  /** Looks along a beam; false where there is no fog. */
  look(crossings: Crossings, beam: number): boolean {
    this.#crossings = crossings;
    this.#first = crossingsPerBeam * beam;
    this.#count = crossings.any ? (crossings.count[beam] ?? 0) : 0;
    this.#begin = 0;
    // A beam ends outside of every area: what it goes out of more often than it comes in, it began in.
    for (let place = 0; place < this.#count; place++) this.#begin -= this.#change(place);
    return this.#count > 0;
  }

  /** Depth at a distance in m. */
  depthAt(distance: number): number {
    let depth = 0;
    let density = this.#begin;
    let from = 0;
    for (let place = 0; place < this.#count; place++) {
      const to = this.#distance(place);
      if (to >= distance) break;
      depth += Math.max(0, density) * (to - from);
      density += this.#change(place);
      from = to;
    }
    return depth + Math.max(0, density) * (distance - from);
  }

  /** Distance in m of a depth; Infinity where the fog ends before. */
  distanceAt(depth: number): number {
    let left = depth;
    let density = this.#begin;
    let from = 0;
    for (let place = 0; place < this.#count; place++) {
      const to = this.#distance(place);
      const gain = Math.max(0, density) * (to - from);
      if (gain > left) return from + left / density;
      left -= gain;
      density += this.#change(place);
      from = to;
    }
    return Number.POSITIVE_INFINITY;
  }

  /** Distance in m of the droplet that gives an echo; Infinity where there is none. */
  droplet(random: RandomNumbers): number {
    return this.distanceAt(random.exponential());
  }

  #distance(place: number): number {
    return this.#crossings?.distance[this.#first + place] ?? 0;
  }

  #change(place: number): number {
    const at = this.#first + place;
    const area = this.#crossings?.of[at] ?? 0;
    return (this.#crossings?.sign[at] ?? 0) * (this.#densities[area] ?? 0);
  }
}
