import { EchoFlag, echoesPerBeam, type Scan } from '@azimuth/device';
import {
  blooms,
  type Detection,
  deviationOf,
  echoSeparation,
  fullStrength,
  lossOf,
  type Noise,
  signalStrength,
} from './detection.js';
import type { Surfaces } from './materials.js';
import { gaussianAt, type RandomNumbers, uniformAt } from './random-numbers.js';
import type { RayCaster } from './ray-caster.js';

/** More than the glass, the droplet and the wall that one beam can meet. */
const mostReturns = 24;

/** Makes echoes of the light that comes back along a beam. */
export class EchoReceiver {
  readonly #detection: Detection;
  readonly #noise: Noise;
  readonly #random: RandomNumbers;
  readonly #distance = new Float64Array(mostReturns);
  readonly #strength = new Float64Array(mostReturns);
  readonly #reflector = new Uint8Array(mostReturns);
  #count = 0;

  constructor(detection: Detection, noise: Noise, random: RandomNumbers) {
    this.#detection = detection;
    this.#noise = noise;
    this.#random = random;
  }

  /** Takes light from this distance (m), not nearer than what came before. What is out of range is not received. */
  take(distance: number, strength: number, reflector: boolean): void {
    if (distance < this.#detection.nearest || distance > this.#detection.farthest) return;
    this.#distance[this.#count] = distance;
    this.#strength[this.#count] = strength;
    this.#reflector[this.#count] = reflector ? 1 : 0;
    this.#count = Math.min(this.#count + 1, mostReturns - 1);
  }

  /**
   * Writes the echoes of what was taken into a beam of a scan that has none yet. What comes from less than 0.2 m
   * behind the first surface of an echo belongs to it: strengths add up, and the distance is their weighted mean.
   */
  write(scan: Scan, beam: number): void {
    let echo = 0;
    let last = this.#detection.nearest;
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
      if (!this.#detects(strength)) continue;
      last = this.#echo(scan, echoesPerBeam * beam + echo, weighted / strength, strength, reflector, last);
      echo++;
    }
    this.#count = 0;
  }

  #detects(strength: number): boolean {
    const { threshold } = this.#detection;
    return strength >= threshold && !this.#noise.loses(strength, threshold, this.#random);
  }

  /** Writes an echo, not nearer than `least`. Returns how far away it was measured. */
  #echo(
    scan: Scan,
    place: number,
    distance: number,
    strength: number,
    reflector: number,
    least: number,
  ): number {
    const { farthest } = this.#detection;
    let measured = this.#noise.distance(distance, strength, this.#random);
    // Large noise must not bring echoes out of their order, or out of the range.
    if (measured < least) measured = least;
    if (measured > farthest) measured = farthest;
    scan.distance[place] = measured * 1000;
    const rssi = this.#noise.strength(strength, this.#random);
    scan.rssi[place] = strengthTold(rssi);
    scan.flags[place] = flagsOf(reflector, strength);
    return measured;
  }
}

/** A signal strength as it is told: whole, at least 1, and no stronger than can be told. */
export function strengthTold(strength: number): number {
  if (strength >= fullStrength) return fullStrength;
  return strength < 1 ? 1 : (strength + 0.5) | 0;
}

/** The flags of an echo. @param reflector 1 where it comes from a reflector */
export function flagsOf(reflector: number, strength: number): number {
  return (reflector === 1 ? EchoFlag.reflector : 0) | (blooms(strength) ? EchoFlag.blooming : 0);
}

/** Random words that the echo of a beam takes: for its loss, its distance and its strength. */
const wordsPerBeam = 3;

/**
 * Writes the echoes of a turn in which there is neither glass nor fog, into a scan that has none yet: a beam meets one
 * surface at most. What EchoReceiver does, in one loop: it is what most turns of most scenes cost.
 */
export function writeSurfaceEchoes(
  scan: Scan,
  { nearness, cosine, material }: RayCaster,
  { remission, reflector }: Surfaces,
  { nearest, farthest, threshold }: Detection,
  { settings }: Noise,
  random: RandomNumbers,
): void {
  const { beams } = scan.geometry;
  const { distance: distances, rssi, flags } = scan;
  const { sigma, dropouts, strength: share } = settings;
  const words = random.words(wordsPerBeam * beams);
  for (let beam = 0; beam < beams; beam++) {
    const inverse = nearness[beam] ?? 0;
    if (inverse === 0) continue;
    const distance = 1 / inverse;
    if (distance < nearest || distance > farthest) continue;
    const of = material[beam] ?? 0;
    const bright = reflector[of] ?? 0;
    const strength = signalStrength(remission[of] ?? 0, bright === 1, cosine[beam] ?? 0, distance);
    if (strength < threshold) continue;
    const word = wordsPerBeam * beam;
    if (uniformAt(words[word] ?? 0) < lossOf(dropouts, threshold, strength)) continue;
    let measured = distance + deviationOf(sigma, strength) * gaussianAt(words[word + 1] ?? 0);
    // Large noise must not bring echoes out of the range.
    if (measured < nearest) measured = nearest;
    if (measured > farthest) measured = farthest;
    const place = echoesPerBeam * beam;
    distances[place] = measured * 1000;
    rssi[place] = strengthTold(strength * (1 + share * gaussianAt(words[word + 2] ?? 0)));
    flags[place] = flagsOf(bright, strength);
  }
}
