import { type Crossings, crossingsPerBeam } from './ray-caster.js';

/**
 * The fog along one beam. Its depth at a distance is the sum of density times length up to there. The share exp(-depth) of
 * the light reaches this distance. One droplet may give an echo, at a random depth with mean 1.
 */
export class BeamFog {
  readonly #crossings: Crossings;
  readonly #densities: readonly number[];
  /** Indices of its crossings: from `first` up to below `end`. */
  readonly #first: number;
  readonly #end: number;
  /** Density at the scanner. */
  readonly #density: number;

  /** @param densities per m, by fog area */
  constructor(crossings: Crossings, densities: readonly number[], beam: number) {
    this.#crossings = crossings;
    this.#densities = densities;
    this.#first = crossingsPerBeam * beam;
    this.#end = this.#first + (crossings.count[beam] ?? 0);
    // A beam ends outside all areas. If it leaves an area more often than it enters it, it began inside.
    let density = 0;
    for (let place = this.#first; place < this.#end; place++) density -= this.#change(place);
    this.#density = density;
  }

  /** Returns the depth at a distance in m. */
  depthAt(distance: number): number {
    let depth = 0;
    let density = this.#density;
    let from = 0;
    for (let place = this.#first; place < this.#end; place++) {
      const to = this.#crossings.distance[place] ?? 0;
      if (to >= distance) break;
      depth += Math.max(0, density) * (to - from);
      density += this.#change(place);
      from = to;
    }
    return depth + Math.max(0, density) * (distance - from);
  }

  /** Returns the distance in m of a depth; Infinity if the fog ends before. */
  distanceAt(depth: number): number {
    let left = depth;
    let density = this.#density;
    let from = 0;
    for (let place = this.#first; place < this.#end; place++) {
      const to = this.#crossings.distance[place] ?? 0;
      const gain = Math.max(0, density) * (to - from);
      if (gain > left) return from + left / density;
      left -= gain;
      density += this.#change(place);
      from = to;
    }
    return Number.POSITIVE_INFINITY;
  }

  /** Returns the change of the density at a crossing. */
  #change(place: number): number {
    return (this.#crossings.sign[place] ?? 0) * (this.#densities[this.#crossings.of[place] ?? 0] ?? 0);
  }
}
