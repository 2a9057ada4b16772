import { EchoFlag, echoesPerBeam, type MeasuringOrder, type Scan } from '@azimuth/device';
import { weakestEcho } from '@azimuth/device/cores';
import { gaussianAt, type RandomNumbers } from '../random-numbers.js';
import type { NoiseSettings } from '../scene/scene-file.js';
import type { Surfaces } from '../scene/surfaces.js';
import { BeamFog } from './fog.js';
import { crossingsPerBeam, type Hits } from './ray-caster.js';
import type { SceneBodies } from './scene-bodies.js';
import { fullStrength, SingleEchoes } from './single-echoes.js';

/** Distance (m) at which the signal is half as strong as close to the scanner. */
const halfDistance = 10;
/** The receiver blooms above this multiple of the largest RSSI. */
const bloomingFactor = 2;
/** RSSI at which the deviation of a distance is 1.41 times that of a strong echo. */
const weakStrength = 2000;

/**
 * Returns the signal strength (RSSI) of the light that a surface returns, before the limit of 65535: 65535 * remission *
 * cos(angle of incidence) / (1 + (distance / 10 m)²). A retro-reflector returns light to its source, so its angle of
 * incidence does not count.
 * @param cosine of the angle of incidence
 * @param distance m
 */
function signalStrength(remission: number, reflector: boolean, cosine: number, distance: number): number {
  const part = distance / halfDistance;
  return (fullStrength * remission * (reflector ? 1 : cosine)) / (1 + part * part);
}

/** Share of the light that a droplet returns. */
const dropletRemission = 0.03;

/** The receiver: its limits, and its noise. */
export interface Receiver {
  /** RSSI of the weakest echo. */
  readonly threshold: number;
  /** Range in m within which light gives an echo. */
  readonly nearest: number;
  readonly farthest: number;
  /** Its noise as in the scene; all 0 if noise is switched off. */
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

/** Largest number of parts of the light of a beam: its crossings with glass, a droplet and a wall. */
const partsPerBeam = crossingsPerBeam + 2;

/** Distance (m) between surfaces along a beam below which their light gives one echo. */
const echoSeparation = 0.2;

/**
 * The numbers of a part: at first those of its light, then in their place those of its echo, ready for noise.
 *
 * | number    | of the light                              | of the echo                          |
 * |-----------|-------------------------------------------|--------------------------------------|
 * | strength  | of all its surfaces, RSSI                 | the same; 0 if it is too weak        |
 * | distance  | sum of distance (m) times strength        | m                                    |
 * | deviation | distance of its first surface in m        | standard deviation of distance in m  |
 * | lost      |                                           | random words below it lose the echo  |
 */
const numberAt = { strength: 0, distance: 1, deviation: 2, lost: 3, all: 4 } as const;

/**
 * The light that comes back along the beams of a scan, before noise. It is divided into parts, and each part may give an
 * echo. The parts of the first beam come first, the nearest first, then the parts of the next beam. A part begins with a
 * surface, and light from less than 0.2 m behind this surface belongs to the part.
 */
class ReturnedLight {
  readonly #receiver: Receiver;
  /** By beam: index of its first part in the other arrays. One more entry is the end of the last beam. */
  readonly #begin: Uint32Array;
  /** By part: its numbers, see `numberAt`. */
  readonly #numbers: Float64Array;
  /** By part: 1 if one of its surfaces is a retro-reflector; then the flags of its echo. */
  readonly #flags: Uint8Array;
  /** Beams that have ended. */
  #beams = 0;
  #parts = 0;
  /** Number of parts that are ready for noise. */
  #ready = 0;

  constructor(receiver: Receiver, beams: number) {
    const most = partsPerBeam * beams;
    this.#receiver = receiver;
    this.#begin = new Uint32Array(beams + 1);
    this.#numbers = new Float64Array(numberAt.all * most);
    this.#flags = new Uint8Array(most);
  }

  /** Removes the light of all beams. */
  clear(): void {
    this.#beams = 0;
    this.#parts = 0;
    this.#ready = 0;
  }

  /** Adds light to the current beam: the beam after the last one that has ended. Light out of range is ignored. */
  add(distance: number, strength: number, reflector: boolean): void {
    const { nearest, farthest } = this.#receiver;
    if (!(distance >= nearest && distance <= farthest)) return;
    const numbers = this.#numbers;
    const last = this.#parts - 1;
    const lastAt = numberAt.all * last;
    const isOfLast =
      last >= (this.#begin[this.#beams] ?? 0) &&
      distance < (numbers[lastAt + numberAt.deviation] ?? 0) + echoSeparation;
    if (isOfLast) {
      numbers[lastAt + numberAt.strength] = (numbers[lastAt + numberAt.strength] ?? 0) + strength;
      numbers[lastAt + numberAt.distance] = (numbers[lastAt + numberAt.distance] ?? 0) + strength * distance;
      if (reflector) this.#flags[last] = 1;
      return;
    }
    const part = this.#parts++;
    const at = numberAt.all * part;
    numbers[at + numberAt.strength] = strength;
    numbers[at + numberAt.distance] = strength * distance;
    numbers[at + numberAt.deviation] = distance;
    this.#flags[part] = reflector ? 1 : 0;
  }

  /**
   * Adds the light of an opaque surface to the current beam and ends it, and so with the next beams, up to one that passes
   * glass or fog.
   * @param panes number of crossings with glass, by beam
   * @param fog number of crossings with fog, by beam
   * @returns the beam that passes glass or fog, or the number of beams
   */
  addOpaque(
    { nearness, cosine, material }: Hits['nearest'],
    { remission, reflector }: Surfaces,
    panes: Uint8Array,
    fog: Uint8Array,
  ): number {
    const { nearest: least, farthest } = this.#receiver;
    const [begins, numbers, flags] = [this.#begin, this.#numbers, this.#flags];
    let beam = this.#beams;
    let part = this.#parts;
    for (; beam < panes.length && panes[beam] === 0 && fog[beam] === 0; beam++) {
      const distance = 1 / (nearness[beam] ?? 0);
      if (distance >= least && distance <= farthest) {
        const of = material[beam] ?? 0;
        const isReflector = reflector[of] === 1;
        const strength = signalStrength(remission[of] ?? 0, isReflector, cosine[beam] ?? 0, distance);
        const at = numberAt.all * part;
        numbers[at + numberAt.strength] = strength;
        numbers[at + numberAt.distance] = strength * distance;
        flags[part] = isReflector ? 1 : 0;
        part++;
      }
      begins[beam + 1] = part;
    }
    this.#beams = beam;
    this.#parts = part;
    return beam;
  }

  endBeam(): void {
    this.#beams++;
    this.#begin[this.#beams] = this.#parts;
  }

  /** Makes the parts ready for noise: computes what their echoes have in common in all scans. */
  prepare(): void {
    const receiver = this.#receiver;
    const [numbers, flags] = [this.#numbers, this.#flags];
    for (let part = this.#ready; part < this.#parts; part++) {
      const at = numberAt.all * part;
      const strength = numbers[at + numberAt.strength] ?? 0;
      numbers[at + numberAt.strength] = strength < receiver.threshold ? 0 : strength;
      numbers[at + numberAt.distance] = (numbers[at + numberAt.distance] ?? 0) / strength;
      numbers[at + numberAt.deviation] = deviationOf(strength, receiver);
      numbers[at + numberAt.lost] = lostBelow(strength, receiver);
      flags[part] = flagsOf(flags[part] === 1, strength);
    }
    this.#ready = this.#parts;
  }

  /** Makes all beams ready for noise, if each has at most one part. */
  prepareSingle(echoes: SingleEchoes): void {
    const receiver = this.#receiver;
    const [begins, numbers, flags] = [this.#begin, this.#numbers, this.#flags];
    echoes.clear();
    for (let beam = 0; beam < this.#beams; beam++) {
      const part = begins[beam] ?? 0;
      const at = numberAt.all * part;
      const strength = part === begins[beam + 1] ? 0 : (numbers[at + numberAt.strength] ?? 0);
      if (strength >= receiver.threshold) {
        const distance = (numbers[at + numberAt.distance] ?? 0) / strength;
        const deviation = deviationOf(strength, receiver);
        const flagsOfEcho = flagsOf(flags[part] === 1, strength);
        echoes.set(beam, { strength, distance, deviation, lost: lostBelow(strength, receiver), flagsOfEcho });
      }
    }
  }

  /**
   * Writes the echoes of some beams, with noise. Their light is prepared, and they have no echoes yet. An echo of distance d
   * and strength RSSI is lost with the probability dropouts * (threshold / RSSI)². The standard deviation of d is
   * sigma * sqrt(1 + 2000 / RSSI). Large noise neither changes the order of echoes nor moves one out of range.
   * @param begin the first beam
   * @param end the beam after the last one
   */
  writeEchoes(scan: Scan, begin: number, end: number, random: RandomNumbers): void {
    const { nearest, farthest, strength: share } = this.#receiver;
    const { distance: distances, rssi, flags } = scan;
    const [begins, numbers, flagsOfParts] = [this.#begin, this.#numbers, this.#flags];
    let part = begins[begin] ?? 0;
    for (let beam = begin; beam < end; beam++) {
      const endPart = begins[beam + 1] ?? 0;
      let place = echoesPerBeam * beam;
      const endPlace = place + echoesPerBeam;
      let distance = nearest;
      for (; part < endPart && place < endPlace; part++) {
        const at = numberAt.all * part;
        const strength = numbers[at + numberAt.strength] ?? 0;
        if (strength === 0) continue;
        if (random.word() < (numbers[at + numberAt.lost] ?? 0)) continue;
        const noise = (numbers[at + numberAt.deviation] ?? 0) * gaussianAt(random.word());
        const measured = (numbers[at + numberAt.distance] ?? 0) + noise;
        distance = Math.min(Math.max(measured, distance), farthest);
        distances[place] = 1000 * distance;
        const noisy = strength * (1 + share * gaussianAt(random.word()));
        rssi[place] = Math.floor(Math.min(Math.max(noisy, 1), fullStrength) + 0.5);
        flags[place] = flagsOfParts[part] ?? 0;
        place++;
      }
      part = endPart;
    }
  }
}

/** Returns the standard deviation of a distance in m. */
function deviationOf(strength: number, { sigma }: Receiver): number {
  return sigma * Math.sqrt(1 + weakStrength / strength);
}

/** Returns the number below which random words lose an echo. */
function lostBelow(strength: number, { threshold, dropouts }: Receiver): number {
  const weakness = threshold / strength;
  return dropouts * weakness * weakness * 2 ** 32;
}

function flagsOf(reflector: boolean, strength: number): number {
  const blooming = strength > bloomingFactor * fullStrength ? EchoFlag.blooming : 0;
  return (reflector ? EchoFlag.reflector : 0) | blooming;
}

/** Follows the light of each beam through glass and fog to the opaque surface at its end, and back. */
export class LightPaths {
  readonly #surfaces: Surfaces;
  readonly #densities: readonly number[];
  readonly #light: ReturnedLight;
  readonly #single: SingleEchoes;
  /** The surfaces for which the light is known. */
  #hits: Hits | undefined;

  constructor({ surfaces, densities }: SceneBodies, receiver: Receiver, beams: number) {
    this.#surfaces = surfaces;
    this.#densities = densities;
    this.#light = new ReturnedLight(receiver, beams);
    this.#single = new SingleEchoes(receiver, beams);
  }

  /**
   * Writes the echoes of a scan, with noise. If the beams meet the same surfaces as before, the light is not followed again.
   * If they pass fog, it is: its droplets are elsewhere in each scan. Without glass and fog, each beam uses the random words
   * of one echo, even if it has no echo.
   */
  write(scan: Scan, hits: Hits, random: RandomNumbers): void {
    const { glass, fog } = hits;
    const { beams } = scan.geometry;
    const light = this.#light;
    const isSingle = !glass.any && !fog.any;
    if (!isSingle) scan.clear();
    if (fog.any || hits !== this.#hits) {
      light.clear();
      for (let beam = 0; beam < beams; beam++) {
        const first = beam;
        beam = light.addOpaque(hits.nearest, this.#surfaces, glass.count, fog.count);
        if (fog.any) this.#writeFoggy(scan, first, beam, random);
        if (beam === beams) break;
        this.#follow(beam, hits, random);
        if (fog.any) this.#writeFoggy(scan, beam, beam + 1, random);
      }
      if (isSingle) light.prepareSingle(this.#single);
      else light.prepare();
    }
    this.#hits = hits;
    scan.mostEchoes = isSingle ? 1 : echoesPerBeam;
    scan.hasFlags = !isSingle || this.#single.hasFlags;
    if (isSingle) this.#single.write(scan, random);
    else if (!fog.any) light.writeEchoes(scan, 0, beams, random);
  }

  #writeFoggy(scan: Scan, begin: number, end: number, random: RandomNumbers): void {
    this.#light.prepare();
    this.#light.writeEchoes(scan, begin, end, random);
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
 * Returns the strength of light after it has passed twice through everything in front of a surface.
 * @param through the share of it that glass lets through
 */
function weakened(strength: number, through: number, fog: BeamFog | undefined, distance: number): number {
  const left = fog === undefined ? through : through * Math.exp(-fog.depthAt(distance));
  return strength * left * left;
}
