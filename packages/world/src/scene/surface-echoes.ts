import { echoesPerBeam, type Scan } from '@azimuth/device';
import type { Detection } from './detection.js';
import { flagsOf, strengthTold } from './echo-receiver.js';
import { gaussianAt } from './gaussian.js';
import type { Surfaces } from './materials.js';
import { deviationOf, lossOf, type Noise } from './noise.js';
import { type RandomNumbers, uniformAt } from './random-numbers.js';
import type { RayCaster } from './ray-caster.js';
import { signalStrength } from './signal-strength.js';

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
