import { EchoFlag, echoesPerBeam, type MeasuringOrder, type Scan, weakestEcho } from '@azimuth/device';
import { gaussianAt, type RandomNumbers } from '../random-numbers.js';
import { BeamFog } from './fog.js';
import { crossingsPerBeam, type Hits } from './ray-caster.js';
import type { NoiseSettings } from './scene-file.js';
import type { Surfaces } from './surfaces.js';
import type { World } from './world.js';

/** The largest RSSI of a telegram. */
const fullStrength = 65_535;
/** m: at this distance the signal is half as strong as close to the scanner. */
const halfDistance = 10;
/** The receiver blooms above this multiple of the largest RSSI. */
const bloomingFactor = 2;
/** RSSI at which the deviation of a distance is 1.41 times that of a strong echo. */
const weakStrength = 2000;

/**
 * Signal strength (RSSI) of what a surface sends back, before it is limited to 65535:
 * 65535 * remission * cos(angle of incidence) / (1 + (distance / 10 m)²). A retro-reflector sends light back where
 * it came from, so its angle of incidence does not count.
 * @param cosine of the angle of incidence
 * @param distance m
 */
function signalStrength(remission: number, reflector: boolean, cosine: number, distance: number): number {
  const part = distance / halfDistance;
  return (fullStrength * remission * (reflector ? 1 : cosine)) / (1 + part * part);
}

/** Share of the light that a droplet sends back. */
const dropletRemission = 0.03;

/** What turns light into echoes: the limits of the receiver, and its noise. */
export interface Receiver {
  /** RSSI of the weakest echo. */
  readonly threshold: number;
  /** m: the range within which light gives an echo. */
  readonly nearest: number;
  readonly farthest: number;
  /** Its noise, as the scene has it; all 0 if noise is switched off. */
  readonly sigma: number;
  readonly dropouts: number;
  readonly strength: number;
}

export function receiverOf(
  { sensitivity, longRange }: Pick<MeasuringOrder, 'sensitivity' | 'longRange'>,
  { enabled, sigma, dropouts, strength }: NoiseSettings,
): Receiver {
  const limits = { threshold: weakestEcho[sensitivity], nearest: 0.05, farthest: longRange ? 120 : 60 };
  return enabled
    ? { ...limits, sigma, dropouts, strength }
    : { ...limits, sigma: 0, dropouts: 0, strength: 0 };
}

/** Parts that the light of a beam has at most: of its crossings with glass, a droplet and a wall. */
const partsPerBeam = crossingsPerBeam + 2;

/** m: light from surfaces closer together along a beam gives one echo. */
const echoSeparation = 0.2;

/**
 * The light that comes back along the beams of a scan, before noise, in parts that may give an echo each: those of the first
 * beam, the nearest first, then those of the next. Light from less than 0.2 m behind the first surface of a part belongs to it.
 */
class ReturnedLight {
  readonly #receiver: Receiver;
  /** By beam: where its parts begin in the other arrays. One more entry is the end of the last beam. */
  readonly #begin: Uint32Array;
  /** By part: where its first surface is, in m. */
  readonly #nearest: Float64Array;
  /** By part: the strength (RSSI) of its surfaces together. */
  readonly #strength: Float64Array;
  /** By part: the distances in m of its surfaces, each times its strength, together. */
  readonly #weighted: Float64Array;
  /** By part: 1 if one of its surfaces is a retro-reflector. */
  readonly #reflector: Uint8Array;
  /** Beams that have ended. */
  #beams = 0;
  #parts = 0;

  constructor(receiver: Receiver, beams: number) {
    const most = partsPerBeam * beams;
    this.#receiver = receiver;
    this.#begin = new Uint32Array(beams + 1);
    this.#nearest = new Float64Array(most);
    this.#strength = new Float64Array(most);
    this.#weighted = new Float64Array(most);
    this.#reflector = new Uint8Array(most);
  }

  /** Forgets the light of all beams. */
  clear(): void {
    this.#beams = 0;
    this.#parts = 0;
  }

  /** Adds light to the beam after the last one that has ended. Light out of range is ignored. */
  add(distance: number, strength: number, reflector: boolean): void {
    const { nearest, farthest } = this.#receiver;
    if (!(distance >= nearest && distance <= farthest)) return;
    const last = this.#parts - 1;
    if (last >= (this.#begin[this.#beams] ?? 0) && distance < (this.#nearest[last] ?? 0) + echoSeparation) {
      this.#strength[last] = (this.#strength[last] ?? 0) + strength;
      this.#weighted[last] = (this.#weighted[last] ?? 0) + strength * distance;
      if (reflector) this.#reflector[last] = 1;
      return;
    }
    const part = this.#parts++;
    this.#nearest[part] = distance;
    this.#strength[part] = strength;
    this.#weighted[part] = strength * distance;
    this.#reflector[part] = reflector ? 1 : 0;
  }

  endBeam(): void {
    this.#beams++;
    this.#begin[this.#beams] = this.#parts;
  }

  /**
   * Writes the echoes of some beams, which have none yet, with noise. An echo of distance d and strength RSSI is lost with the
   * probability dropouts * (threshold / RSSI)². The standard deviation of d is sigma * sqrt(1 + 2000 / RSSI). Large noise
   * neither changes the order of echoes nor moves one out of range.
   * @param begin the first beam
   * @param end the beam after the last one
   * @param leastWords each beam takes so many random words or more
   */
  writeEchoes(scan: Scan, begin: number, end: number, leastWords: number, random: RandomNumbers): void {
    const { threshold, nearest, farthest, sigma, dropouts, strength: share } = this.#receiver;
    const { distance: distances, rssi, flags } = scan;
    const [begins, strengths, weighted, reflectors] = [
      this.#begin,
      this.#strength,
      this.#weighted,
      this.#reflector,
    ];
    let part = begins[begin] ?? 0;
    for (let beam = begin; beam < end; beam++) {
      const endPart = begins[beam + 1] ?? 0;
      let place = echoesPerBeam * beam;
      const endPlace = place + echoesPerBeam;
      let distance = nearest;
      let words = 0;
      for (; part < endPart && place < endPlace; part++) {
        const strength = strengths[part] ?? 0;
        if (strength < threshold) continue;
        words++;
        const weakness = threshold / strength;
        if (random.word() < dropouts * weakness * weakness * 2 ** 32) continue;
        words += 2;
        const deviation = sigma * Math.sqrt(1 + weakStrength / strength);
        const measured = (weighted[part] ?? 0) / strength + deviation * gaussianAt(random.word());
        distance = Math.min(Math.max(measured, distance), farthest);
        distances[place] = 1000 * distance;
        const noisy = strength * (1 + share * gaussianAt(random.word()));
        rssi[place] = Math.floor(Math.min(Math.max(noisy, 1), fullStrength) + 0.5);
        flags[place] = flagsOf(reflectors[part] === 1, strength);
        place++;
      }
      part = endPart;
      for (; words < leastWords; words++) random.word();
    }
  }
}

function flagsOf(reflector: boolean, strength: number): number {
  const blooming = strength > bloomingFactor * fullStrength ? EchoFlag.blooming : 0;
  return (reflector ? EchoFlag.reflector : 0) | blooming;
}

/** Random words of an echo: for its loss, its distance and its strength. */
const wordsOfEcho = 3;

/** Follows the light of each beam through glass and fog to the opaque surface that ends it, and back. */
export class LightPaths {
  readonly #surfaces: Surfaces;
  readonly #densities: readonly number[];
  readonly #light: ReturnedLight;
  /** What the beams met whose light is known. */
  #hits: Hits | undefined;

  constructor({ surfaces, densities }: World, receiver: Receiver, beams: number) {
    this.#surfaces = surfaces;
    this.#densities = densities;
    this.#light = new ReturnedLight(receiver, beams);
  }

  /**
   * Writes the echoes of a scan, with noise. Light is followed again only if the beams meet something else, or pass fog: its
   * droplets are elsewhere in each scan. So a scan of a scanner that stands still and streams takes 0.8 of the processor time.
   * A beam of a scan without glass and fog takes the words of one echo, whether it has one or not.
   */
  write(scan: Scan, hits: Hits, random: RandomNumbers): void {
    const { glass, fog } = hits;
    const { beams } = scan.geometry;
    const light = this.#light;
    const leastWords = glass.any || fog.any ? 0 : wordsOfEcho;
    scan.clear();
    if (fog.any || hits !== this.#hits) {
      light.clear();
      for (let beam = 0; beam < beams; beam++) {
        this.#follow(beam, hits, random);
        if (fog.any) light.writeEchoes(scan, beam, beam + 1, leastWords, random);
      }
    }
    this.#hits = hits;
    if (!fog.any) light.writeEchoes(scan, 0, beams, leastWords, random);
  }

  #follow(beam: number, { nearest, glass, fog: areas }: Hits, random: RandomNumbers): void {
    const { remission, reflector, transparency } = this.#surfaces;
    const light = this.#light;
    const end = 1 / (nearest.nearness[beam] ?? 0);
    const hasFog = (areas.count[beam] ?? 0) > 0;
    const fog = hasFog ? new BeamFog(areas, this.#densities, beam) : undefined;
    let droplet = fog === undefined ? Number.POSITIVE_INFINITY : fog.distanceAt(random.exponential());
    let through = 1;
    let place = crossingsPerBeam * beam;
    const endPlace = place + (glass.count[beam] ?? 0);
    for (let isPane = true; isPane; place++) {
      isPane = place < endPlace && (glass.distance[place] ?? 0) < end;
      const distance = isPane ? (glass.distance[place] ?? 0) : end;
      if (droplet < distance) {
        const strength = signalStrength(dropletRemission, false, 1, droplet);
        light.add(droplet, weakened(strength, through, fog, droplet), false);
        droplet = Number.POSITIVE_INFINITY;
      }
      const of = (isPane ? glass.of[place] : nearest.material[beam]) ?? 0;
      const cosine = (isPane ? glass.cosine[place] : nearest.cosine[beam]) ?? 0;
      const isReflector = reflector[of] === 1;
      const strength = signalStrength(remission[of] ?? 0, isReflector, cosine, distance);
      light.add(distance, weakened(strength, through, fog, distance), isReflector);
      through *= transparency[of] ?? 0;
    }
    light.endBeam();
  }
}

/**
 * What is left of the strength of light that passes twice through what is in front of a surface.
 * @param through the share of it that glass lets through
 */
function weakened(strength: number, through: number, fog: BeamFog | undefined, distance: number): number {
  const left = fog === undefined ? through : through * Math.exp(-fog.depthAt(distance));
  return strength * left * left;
}
