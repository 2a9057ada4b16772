import { EchoFlag, echoesPerBeam, type Scan } from '@azimuth/device';
import { type Detection, echoSeparation } from './detection.js';
import type { Noise } from './noise.js';
import type { RandomNumbers } from './random-numbers.js';
import { blooms, fullStrength } from './signal-strength.js';

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
