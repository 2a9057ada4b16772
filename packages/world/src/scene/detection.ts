import { type MeasuringOrder, weakestEcho } from '@azimuth/device';
import type { RandomNumbers } from './random-numbers.js';
import type { NoiseSettings } from './scene-file.js';

/** What a receiver takes for an echo. */
export interface Detection {
  /** RSSI. */
  readonly threshold: number;
  /** m. */
  readonly nearest: number;
  readonly farthest: number;
}

/** m: two surfaces closer together along a beam give one echo. */
export const echoSeparation = 0.2;

export function detectionOf({
  sensitivity,
  longRange,
}: Pick<MeasuringOrder, 'sensitivity' | 'longRange'>): Detection {
  return { threshold: weakestEcho[sensitivity], nearest: 0.05, farthest: longRange ? 120 : 60 };
}

/** The strongest signal that can be told. */
export const fullStrength = 65_535;
/** m: here light has lost half of what it had near by. */
const halfDistance = 10;
/** Times the strongest signal, from which on the receiver blooms. */
const bloomingFrom = 2;

/**
 * Signal strength (RSSI) of what a surface sends back, before it is cut off at the strongest that can be told:
 * 65535 * remission * cos(angle of incidence) / (1 + (distance / 10 m)²). A retro-reflector sends light back where
 * it came from, so that its angle does not count.
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

/** Whether a signal is so strong that the receiver blooms: more than twice what can be told. */
export function blooms(strength: number): boolean {
  return strength > bloomingFrom * fullStrength;
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

/** How far measured values are off. */
export class Noise {
  readonly #settings: NoiseSettings;

  /** With noise that is switched off nothing is off. */
  constructor(settings: NoiseSettings) {
    this.#settings = settings.enabled ? settings : { ...settings, sigma: 0, dropouts: 0, strength: 0 };
  }

  /** What it is made of, all 0 where it is switched off. */
  get settings(): NoiseSettings {
    return this.#settings;
  }

  /** Whether an echo is lost. */
  loses(strength: number, threshold: number, random: RandomNumbers): boolean {
    return random.uniform() < lossOf(this.#settings.dropouts, threshold, strength);
  }

  /** A distance in m as it is measured. */
  distance(distance: number, strength: number, random: RandomNumbers): number {
    return distance + deviationOf(this.#settings.sigma, strength) * random.gaussian();
  }

  /** A strength as it is measured. */
  strength(strength: number, random: RandomNumbers): number {
    return strength * (1 + this.#settings.strength * random.gaussian());
  }
}
