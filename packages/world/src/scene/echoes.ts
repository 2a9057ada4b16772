import { EchoFlag, echoesPerBeam, type MeasuringOrder, type Scan, weakestEcho } from '@azimuth/device';
import type { RandomNumbers } from './random-numbers.js';
import type { NoiseSettings } from './scene-file.js';

/** Limits of the receiver: the weakest signal and the range that give an echo. */
export interface Detection {
  /** RSSI of the weakest echo. */
  readonly threshold: number;
  /** m. */
  readonly nearest: number;
  readonly farthest: number;
}

/** m: two surfaces closer together along a beam give one echo. */
const echoSeparation = 0.2;

export function detectionOf({
  sensitivity,
  longRange,
}: Pick<MeasuringOrder, 'sensitivity' | 'longRange'>): Detection {
  return { threshold: weakestEcho[sensitivity], nearest: 0.05, farthest: longRange ? 120 : 60 };
}

/** The largest RSSI of a telegram. */
const fullStrength = 65_535;
/** m: at this distance the signal is half as strong as close to the scanner. */
const halfDistance = 10;
/** The receiver blooms above this multiple of the largest RSSI. */
const bloomingFactor = 2;

/**
 * Signal strength (RSSI) of what a surface sends back, before it is limited to 65535:
 * 65535 * remission * cos(angle of incidence) / (1 + (distance / 10 m)²). A retro-reflector sends light back where
 * it came from, so its angle of incidence does not count.
 * @param cosine of the angle of incidence
 * @param distance m
 */
export function signalStrength(
  remission: number,
  reflector: boolean,
  cosine: number,
  distance: number,
): number {
  const part = distance / halfDistance;
  return (fullStrength * remission * (reflector ? 1 : cosine)) / (1 + part * part);
}

/** Whether a signal is so strong that the receiver blooms: more than twice the largest RSSI. */
function blooms(strength: number): boolean {
  return strength > bloomingFactor * fullStrength;
}

/** RSSI at which the deviation of a distance is 1.41 times that of a strong echo. */
const weakStrength = 2000;

/** Standard deviation of the distance of an echo: sigma * sqrt(1 + 2000 / RSSI), in the unit of sigma. */
export function deviationOf(sigma: number, strength: number): number {
  return sigma * Math.sqrt(1 + weakStrength / strength);
}

/** Probability that an echo is lost: dropouts * (threshold / RSSI)². */
export function lossOf(dropouts: number, threshold: number, strength: number): number {
  const part = threshold / strength;
  return dropouts * part * part;
}

/** The noise of measured distances and strengths. */
export class Noise {
  readonly #settings: NoiseSettings;

  constructor(settings: NoiseSettings) {
    this.#settings = settings.enabled ? settings : { ...settings, sigma: 0, dropouts: 0, strength: 0 };
  }

  /** Its deviations and losses, all 0 if noise is switched off. */
  get settings(): NoiseSettings {
    return this.#settings;
  }

  /** Whether an echo is lost. */
  loses(strength: number, threshold: number, random: RandomNumbers): boolean {
    return random.uniform() < lossOf(this.#settings.dropouts, threshold, strength);
  }

  /** A distance in m with noise. */
  distance(distance: number, strength: number, random: RandomNumbers): number {
    return distance + deviationOf(this.#settings.sigma, strength) * random.gaussian();
  }

  /** A strength with noise. */
  strength(strength: number, random: RandomNumbers): number {
    return strength * (1 + this.#settings.strength * random.gaussian());
  }
}

/** Surfaces that can send light of one beam back: at most 16 panes of glass, a droplet and a wall, with some room. */
const mostReturns = 24;

/** Turns the light that comes back along a beam into echoes. */
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

  /** Receives light from this distance (m), not less than that of the light before. Ignores light out of range. */
  receive(distance: number, strength: number, reflector: boolean): void {
    if (distance < this.#detection.nearest || distance > this.#detection.farthest) return;
    this.#distance[this.#count] = distance;
    this.#strength[this.#count] = strength;
    this.#reflector[this.#count] = reflector ? 1 : 0;
    this.#count = Math.min(this.#count + 1, mostReturns - 1);
  }

  /**
   * Writes the echoes of the received light into a beam of a scan that has none yet. Light from less than 0.2 m
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

  /** Writes an echo, not nearer than `least`. Returns its measured distance in m. */
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
    // Large noise must not change the order of echoes, or move one out of range.
    if (measured < least) measured = least;
    if (measured > farthest) measured = farthest;
    scan.distance[place] = measured * 1000;
    const rssi = this.#noise.strength(strength, this.#random);
    scan.rssi[place] = rssiOf(rssi);
    scan.flags[place] = flagsOf(reflector, strength);
    return measured;
  }
}

/** The RSSI of a signal: a whole number from 1 to 65535. */
export function rssiOf(strength: number): number {
  if (strength >= fullStrength) return fullStrength;
  return strength < 1 ? 1 : (strength + 0.5) | 0;
}

/** The flags of an echo. @param reflector 1 if it comes from a retro-reflector */
export function flagsOf(reflector: number, strength: number): number {
  return (reflector === 1 ? EchoFlag.reflector : 0) | (blooms(strength) ? EchoFlag.blooming : 0);
}
