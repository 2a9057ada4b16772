import type { RandomNumbers } from './random-numbers.js';
import type { NoiseSettings } from './scene-file.js';

/** RSSI at which the deviation of a distance is 1.41 times that of a strong echo. */
const weakStrength = 2000;

/** How far measured values are off. */
export class Noise {
  readonly #settings: NoiseSettings;

  constructor(settings: NoiseSettings) {
    this.#settings = settings;
  }

  /** Standard deviation in m of the distance of an echo: sigma * sqrt(1 + 2000 / RSSI). */
  deviation(strength: number): number {
    const { enabled, sigma } = this.#settings;
    return enabled ? sigma * Math.sqrt(1 + weakStrength / strength) : 0;
  }

  /** Whether an echo is lost: with a probability of dropouts * (threshold / RSSI)². */
  loses(strength: number, threshold: number, random: RandomNumbers): boolean {
    const { enabled, dropouts } = this.#settings;
    if (!enabled) return false;
    const part = threshold / strength;
    return random.uniform() < dropouts * part * part;
  }

  /** A distance in m as it is measured. */
  distance(distance: number, strength: number, random: RandomNumbers): number {
    if (!this.#settings.enabled) return distance;
    return distance + this.deviation(strength) * random.gaussian();
  }

  /** A strength as it is measured. */
  strength(strength: number, random: RandomNumbers): number {
    const { enabled, strength: share } = this.#settings;
    return enabled ? strength * (1 + share * random.gaussian()) : strength;
  }
}
