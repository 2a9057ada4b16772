import { echoesPerBeam, type Scan } from '@azimuth/device';
import {
  type Detection,
  deviationOf,
  flagsOf,
  lossOf,
  type Noise,
  rssiOf,
  signalStrength,
} from './echoes.js';
import { gaussianAt, type RandomNumbers, wordsOf } from './random-numbers.js';
import type { RayCaster } from './ray-caster.js';
import type { Surfaces } from './surfaces.js';

/** Random words for the echo of a beam: for its loss, its distance and its strength. */
const wordsPerBeam = 3;

/**
 * Writes the echoes of scans without glass and fog, in which each beam meets one surface at most. It does the same as
 * EchoReceiver in one loop, because this is the main cost of most scenes. From the second scan at a pose on, what an echo is
 * without noise is kept, and computed again only for beams whose surface moves.
 */
export class SurfaceEchoes {
  readonly #detection: Detection;
  readonly #noise: Noise;
  readonly #random: RandomNumbers;
  /** By beam, without noise: m. */
  readonly #distance: Float64Array;
  /** By beam: RSSI. */
  readonly #strength: Float64Array;
  /** By beam: standard deviation of the distance in m. */
  readonly #deviation: Float64Array;
  /** By beam: the echo is lost if its random word is less than this. */
  readonly #lostBelow: Float64Array;
  readonly #flags: Uint8Array;
  /** By beam: 1 if the surface moves. */
  readonly #moves: Uint8Array;
  #caster: RayCaster | undefined;
  #casts = 0;
  #hadMoving = false;
  /** Whether what an echo is without noise is kept for the present pose. */
  #kept = false;

  constructor(beams: number, detection: Detection, noise: Noise, random: RandomNumbers) {
    this.#detection = detection;
    this.#noise = noise;
    this.#random = random;
    this.#distance = new Float64Array(beams);
    this.#strength = new Float64Array(beams);
    this.#deviation = new Float64Array(beams);
    this.#lostBelow = new Float64Array(beams);
    this.#flags = new Uint8Array(beams);
    this.#moves = new Uint8Array(beams);
  }

  /** Writes the echoes of what the caster has cast. `scan` has no echoes yet. */
  write(scan: Scan, caster: RayCaster, surfaces: Surfaces): void {
    if (caster === this.#caster && caster.casts === this.#casts) {
      this.#expect(caster, surfaces);
      this.#writeExpected(scan);
      return;
    }
    this.#caster = caster;
    this.#casts = caster.casts;
    this.#kept = false;
    this.#writeOnce(scan, caster, surfaces);
  }

  /** Writes the echoes of the first scan at a pose, and keeps nothing. */
  #writeOnce(scan: Scan, { nearness, cosine, material }: RayCaster, surfaces: Surfaces): void {
    const { nearest, farthest, threshold } = this.#detection;
    const { sigma, dropouts, strength: share } = this.#noise.settings;
    const { remission, reflector } = surfaces;
    const { distance: distances, rssi, flags } = scan;
    const beams = this.#lostBelow.length;
    const words = this.#random.words(wordsPerBeam * beams);
    for (
      let beam = 0, word = 0, place = 0;
      beam < beams;
      beam++, word += wordsPerBeam, place += echoesPerBeam
    ) {
      const inverse = nearness[beam] ?? 0;
      if (inverse === 0) continue;
      const distance = 1 / inverse;
      if (distance < nearest || distance > farthest) continue;
      const of = material[beam] ?? 0;
      const bright = reflector[of] ?? 0;
      const strength = signalStrength(remission[of] ?? 0, bright === 1, cosine[beam] ?? 0, distance);
      if (strength < threshold) continue;
      if ((words[word] ?? 0) < wordsOf(lossOf(dropouts, threshold, strength))) continue;
      const measured = distance + deviationOf(sigma, strength) * gaussianAt(words[word + 1] ?? 0);
      // Large noise must not move an echo out of range.
      distances[place] = Math.min(Math.max(measured, nearest), farthest) * 1000;
      rssi[place] = rssiOf(strength * (1 + share * gaussianAt(words[word + 2] ?? 0)));
      flags[place] = flagsOf(bright, strength);
    }
  }

  #writeExpected(scan: Scan): void {
    const { nearest, farthest } = this.#detection;
    const share = this.#noise.settings.strength;
    const [distance, strength, deviation] = [this.#distance, this.#strength, this.#deviation];
    const [lostBelow, echoFlags] = [this.#lostBelow, this.#flags];
    const { distance: distances, rssi, flags } = scan;
    const beams = lostBelow.length;
    const words = this.#random.words(wordsPerBeam * beams);
    for (
      let beam = 0, word = 0, place = 0;
      beam < beams;
      beam++, word += wordsPerBeam, place += echoesPerBeam
    ) {
      if ((words[word] ?? 0) < (lostBelow[beam] ?? 0)) continue;
      const measured = (distance[beam] ?? 0) + (deviation[beam] ?? 0) * gaussianAt(words[word + 1] ?? 0);
      // Large noise must not move an echo out of range.
      distances[place] = Math.min(Math.max(measured, nearest), farthest) * 1000;
      rssi[place] = rssiOf((strength[beam] ?? 0) * (1 + share * gaussianAt(words[word + 2] ?? 0)));
      flags[place] = echoFlags[beam] ?? 0;
    }
  }

  /** Brings what is expected of each beam up to date. */
  #expect(caster: RayCaster, surfaces: Surfaces): void {
    const isNew = !this.#kept;
    if (!isNew && !caster.hasMoving && !this.#hadMoving) return;
    this.#kept = true;
    this.#hadMoving = caster.hasMoving;
    const { nearest, farthest, threshold } = this.#detection;
    const { sigma, dropouts } = this.#noise.settings;
    const { nearness, standingNearness, cosine, material } = caster;
    const { remission, reflector } = surfaces;
    const [expected, strengths, deviations] = [this.#distance, this.#strength, this.#deviation];
    const [lostBelow, flags, moved] = [this.#lostBelow, this.#flags, this.#moves];
    const always = wordsOf(1);
    for (let beam = 0; beam < lostBelow.length; beam++) {
      const inverse = nearness[beam] ?? 0;
      const moves = inverse === (standingNearness[beam] ?? 0) ? 0 : 1;
      if (!isNew && (moves | (moved[beam] ?? 0)) === 0) continue;
      moved[beam] = moves;
      lostBelow[beam] = always;
      if (inverse === 0) continue;
      const distance = 1 / inverse;
      if (distance < nearest || distance > farthest) continue;
      const of = material[beam] ?? 0;
      const bright = reflector[of] ?? 0;
      const strength = signalStrength(remission[of] ?? 0, bright === 1, cosine[beam] ?? 0, distance);
      if (strength < threshold) continue;
      expected[beam] = distance;
      strengths[beam] = strength;
      deviations[beam] = deviationOf(sigma, strength);
      lostBelow[beam] = wordsOf(lossOf(dropouts, threshold, strength));
      flags[beam] = flagsOf(bright, strength);
    }
  }
}
