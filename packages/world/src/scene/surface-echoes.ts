import type { Scan } from '@azimuth/device';
import { type Detection, deviationOf, flagsOf, lossOf, type Noise, signalStrength } from './echoes.js';
import { ExpectedEchoes, writeNoisyEchoes } from './noisy-echoes.js';
import { type RandomNumbers, wordsOf } from './random-numbers.js';
import type { RayCaster } from './ray-caster.js';
import type { Surfaces } from './surfaces.js';

const always = wordsOf(1);

/** Whether the surface of a beam moves in this scan, and whether it did in the scan before, as bits. */
const movesNow = 1;
const movedBefore = 2;

/** What is expected of scans of which nothing is kept. Scanners of the same process share it. */
let passing = new ExpectedEchoes(0);

/**
 * Writes the echoes of scans without glass and fog, in which each beam meets one surface at most. It does the same as
 * EchoReceiver, because this is the main cost of most scenes. From the second scan at a pose on, what an echo is without
 * noise is kept, and computed again only for beams whose surface moves.
 */
export class SurfaceEchoes {
  readonly #detection: Detection;
  readonly #noise: Noise;
  readonly #random: RandomNumbers;
  readonly #beams: number;
  /** What is expected at the present pose; undefined until the second scan there. */
  #expected: ExpectedEchoes | undefined;
  /** By beam: bits that tell whether its surface moves. */
  readonly #moves: Uint8Array;
  #caster: RayCaster | undefined;
  #casts = 0;
  #hadMoving = false;
  /** Whether `#expected` is that of the present pose. */
  #kept = false;

  constructor(beams: number, detection: Detection, noise: Noise, random: RandomNumbers) {
    this.#detection = detection;
    this.#noise = noise;
    this.#random = random;
    this.#beams = beams;
    this.#moves = new Uint8Array(beams);
  }

  /** Writes the echoes of what the caster has cast. Nothing of what the scan had before is left. */
  write(scan: Scan, caster: RayCaster, surfaces: Surfaces): void {
    const expected = this.#expect(caster, surfaces);
    writeNoisyEchoes(scan, expected, this.#detection, this.#noise, this.#random);
  }

  #expect(caster: RayCaster, surfaces: Surfaces): ExpectedEchoes {
    if (caster !== this.#caster || caster.casts !== this.#casts) {
      this.#caster = caster;
      this.#casts = caster.casts;
      this.#kept = false;
      if (passing.beams !== this.#beams) passing = new ExpectedEchoes(this.#beams);
      this.#compute(passing, caster, surfaces);
      return passing;
    }
    this.#expected ??= new ExpectedEchoes(this.#beams);
    this.#update(this.#expected, caster, surfaces);
    return this.#expected;
  }

  /** Brings what is kept up to date. */
  #update(expected: ExpectedEchoes, caster: RayCaster, surfaces: Surfaces): void {
    const isNew = !this.#kept;
    if (!isNew && !caster.hasMoving && !this.#hadMoving) return;
    this.#kept = true;
    this.#hadMoving = caster.hasMoving;
    const { nearness, standingNearness } = caster;
    const moves = this.#moves;
    for (let beam = 0; beam < moves.length; beam++) {
      const now = nearness[beam] === standingNearness[beam] ? 0 : movesNow;
      moves[beam] = now | ((moves[beam] ?? 0) & movesNow ? movedBefore : 0);
    }
    this.#compute(expected, caster, surfaces, isNew ? undefined : moves);
  }

  /** Computes what is expected of all beams, or of those whose number in `which` is not 0. */
  #compute(expected: ExpectedEchoes, caster: RayCaster, surfaces: Surfaces, which?: Uint8Array): void {
    const { nearest, farthest, threshold } = this.#detection;
    const { sigma, dropouts } = this.#noise.settings;
    const { nearness, cosine, material } = caster;
    const { remission, reflector } = surfaces;
    const { beams } = expected;
    for (let beam = 0; beam < beams; beam++) {
      if (which !== undefined && which[beam] === 0) continue;
      expected.setLost(beam, always);
      const inverse = nearness[beam] ?? 0;
      if (inverse === 0) continue;
      const distance = 1 / inverse;
      if (distance < nearest || distance > farthest) continue;
      const of = material[beam] ?? 0;
      const bright = reflector[of] ?? 0;
      const strength = signalStrength(remission[of] ?? 0, bright === 1, cosine[beam] ?? 0, distance);
      if (strength < threshold) continue;
      const lostBelow = wordsOf(lossOf(dropouts, threshold, strength));
      const deviation = deviationOf(sigma, strength);
      expected.set(beam, lostBelow, distance, deviation, strength, flagsOf(bright, strength));
    }
  }
}
