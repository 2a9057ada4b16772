import type { RandomNumbers } from './random-numbers.js';
import type { NoiseSettings } from './scene-file.js';

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
