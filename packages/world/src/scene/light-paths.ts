import { echoesPerBeam, type Scan } from '@azimuth/device';
import type { RandomNumbers } from '../random-numbers.js';
import { flagsOf, isLost, noisyDistance, noisyStrength, type Receiver, signalStrength } from './echoes.js';
import { type Crossings, crossingsPerBeam, type RayCaster } from './ray-caster.js';
import type { World } from './world.js';

/** Share of the light that a droplet sends back. */
const dropletRemission = 0.03;

/** The fog along one beam. */
interface Fog {
  /** Places of its crossings: from `first` up to, but not including, `end`. */
  readonly first: number;
  readonly end: number;
  /** Density at the scanner. */
  readonly density: number;
}

/**
 * The fog of a scene. Its depth at a distance is the sum of density times length up to there: the share exp(-depth) of the light
 * reaches it. One droplet of each beam may give an echo, at a random depth with mean 1.
 */
class FogAreas {
  readonly #crossings: Crossings;
  readonly #densities: readonly number[];

  /** @param densities per m, by fog area */
  constructor(crossings: Crossings, densities: readonly number[]) {
    this.#crossings = crossings;
    this.#densities = densities;
  }

  /** The fog of a beam; undefined if there is none. */
  along(beam: number): Fog | undefined {
    const count = this.#crossings.count[beam] ?? 0;
    if (count === 0) return undefined;
    const first = crossingsPerBeam * beam;
    const end = first + count;
    // A beam ends outside all areas: it began in those that it leaves more often than it enters.
    let density = 0;
    for (let place = first; place < end; place++) density -= this.#change(place);
    return { first, end, density };
  }

  /** Depth at a distance in m. */
  depthAt(distance: number, { first, end, ...fog }: Fog): number {
    const { distance: crossed } = this.#crossings;
    let depth = 0;
    let density = fog.density;
    let from = 0;
    for (let place = first; place < end; place++) {
      const to = crossed[place] ?? 0;
      if (to >= distance) break;
      depth += Math.max(0, density) * (to - from);
      density += this.#change(place);
      from = to;
    }
    return depth + Math.max(0, density) * (distance - from);
  }

  /** Distance in m of a depth; Infinity if the fog ends before. */
  distanceAt(depth: number, { first, end, ...fog }: Fog): number {
    let left = depth;
    let density = fog.density;
    let from = 0;
    for (let place = first; place < end; place++) {
      const to = this.#crossings.distance[place] ?? 0;
      const gain = Math.max(0, density) * (to - from);
      if (gain > left) return from + left / density;
      left -= gain;
      density += this.#change(place);
      from = to;
    }
    return Number.POSITIVE_INFINITY;
  }

  /** By how much the density changes at a crossing. */
  #change(place: number): number {
    return (this.#crossings.sign[place] ?? 0) * (this.#densities[this.#crossings.of[place] ?? 0] ?? 0);
  }
}

/** m: two surfaces closer together along a beam give one echo. */
const echoSeparation = 0.2;
/** Surfaces that can send light of one beam back: at most 16 panes of glass, a droplet and a wall, with some room. */
const mostReturns = 24;

/** Follows the light of each beam through glass and fog to the opaque surface that ends it, and back. */
export class LightPaths {
  readonly #world: World;
  readonly #caster: RayCaster;
  readonly #receiver: Receiver;
  readonly #random: RandomNumbers;
  readonly #fog: FogAreas;
  /** The light of one beam that comes back, the nearest first. */
  readonly #distance = new Float64Array(mostReturns);
  readonly #strength = new Float64Array(mostReturns);
  readonly #reflector = new Uint8Array(mostReturns);
  #count = 0;

  constructor(world: World, caster: RayCaster, receiver: Receiver, random: RandomNumbers) {
    this.#world = world;
    this.#caster = caster;
    this.#receiver = receiver;
    this.#random = random;
    this.#fog = new FogAreas(caster.fog, world.densities);
  }

  /** Writes the echoes of what the caster has cast. */
  write(scan: Scan): void {
    scan.clear();
    for (let beam = 0; beam < scan.geometry.beams; beam++) {
      this.#follow(beam);
      this.#writeEchoes(scan, beam);
    }
  }

  #follow(beam: number): void {
    const { glass } = this.#caster;
    const { nearness, cosine, material } = this.#caster.nearest;
    const { transparency } = this.#world.surfaces;
    const inverse = nearness[beam] ?? 0;
    const end = inverse > 0 ? 1 / inverse : Number.POSITIVE_INFINITY;
    const fog = this.#caster.fog.any ? this.#fog.along(beam) : undefined;
    let droplet =
      fog === undefined ? Number.POSITIVE_INFINITY : this.#fog.distanceAt(this.#random.exponential(), fog);
    let through = 1;
    const first = crossingsPerBeam * beam;
    const panes = glass.any ? (glass.count[beam] ?? 0) : 0;
    this.#count = 0;
    for (let place = first; place < first + panes; place++) {
      const distance = glass.distance[place] ?? 0;
      if (distance >= end) break;
      if (droplet < distance) {
        this.#receive(droplet, dropletStrength(droplet), false, through, fog);
        droplet = Number.POSITIVE_INFINITY;
      }
      const of = glass.of[place] ?? 0;
      this.#receiveSurface(distance, glass.cosine[place] ?? 0, of, through, fog);
      through *= transparency[of] ?? 0;
    }
    if (droplet < end) this.#receive(droplet, dropletStrength(droplet), false, through, fog);
    if (inverse !== 0) this.#receiveSurface(end, cosine[beam] ?? 0, material[beam] ?? 0, through, fog);
  }

  #receiveSurface(
    distance: number,
    cosine: number,
    material: number,
    through: number,
    fog: Fog | undefined,
  ): void {
    const { remission, reflector } = this.#world.surfaces;
    const isReflector = reflector[material] === 1;
    const strength = signalStrength(remission[material] ?? 0, isReflector, cosine, distance);
    this.#receive(distance, strength, isReflector, through, fog);
  }

  /** Light passes twice through what is in front of a surface. Light out of range is ignored. */
  #receive(
    distance: number,
    strength: number,
    reflector: boolean,
    through: number,
    fog: Fog | undefined,
  ): void {
    const { nearest, farthest } = this.#receiver;
    if (distance < nearest || distance > farthest) return;
    const left = fog === undefined ? through : through * Math.exp(-this.#fog.depthAt(distance, fog));
    this.#distance[this.#count] = distance;
    this.#strength[this.#count] = strength * left * left;
    this.#reflector[this.#count] = reflector ? 1 : 0;
    this.#count = Math.min(this.#count + 1, mostReturns - 1);
  }

  /**
   * Writes the echoes of the light of a beam that has none yet. Light from less than 0.2 m behind the first surface of an echo
   * belongs to it: strengths add up, and the distance is their weighted mean.
   */
  #writeEchoes(scan: Scan, beam: number): void {
    const receiver = this.#receiver;
    let echo = 0;
    let last = receiver.nearest;
    for (let at = 0; at < this.#count && echo < echoesPerBeam; ) {
      const until = (this.#distance[at] ?? 0) + echoSeparation;
      let strength = 0;
      let weighted = 0;
      let reflector = 0;
      for (; at < this.#count && (this.#distance[at] ?? 0) < until; at++) {
        const part = this.#strength[at] ?? 0;
        strength += part;
        weighted += part * (this.#distance[at] ?? 0);
        reflector |= this.#reflector[at] ?? 0;
      }
      if (strength < receiver.threshold || isLost(receiver, strength, this.#random.word())) continue;
      const place = echoesPerBeam * beam + echo;
      last = noisyDistance(receiver, weighted / strength, strength, last, this.#random.word());
      scan.distance[place] = last * 1000;
      scan.rssi[place] = noisyStrength(receiver, strength, this.#random.word());
      scan.flags[place] = flagsOf(reflector === 1, strength);
      echo++;
    }
  }
}

function dropletStrength(distance: number): number {
  return signalStrength(dropletRemission, false, 1, distance);
}
