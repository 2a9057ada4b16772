import { EchoFlag, echoesPerBeam, type MeasuringOrder, type Scan, weakestEcho } from '@azimuth/device';
import type { RandomNumbers } from '../random-numbers.js';
import type { RayCaster } from './ray-caster.js';
import type { NoiseSettings } from './scene-file.js';
import type { Surfaces } from './surfaces.js';

/** The largest RSSI of a telegram. */
const fullStrength = 65_535;
/** m: at this distance the signal is half as strong as close to the scanner. */
const halfDistance = 10;
/** The receiver blooms above this multiple of the largest RSSI. */
const bloomingFactor = 2;
/** RSSI at which the deviation of a distance is 1.41 times that of a strong echo. */
const weakStrength = 2000;

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

/** What turns light into echoes: the limits of the receiver, and its noise. */
export interface Receiver {
  /** RSSI of the weakest echo. */
  readonly threshold: number;
  /** m: the range within which light gives an echo. */
  readonly nearest: number;
  readonly farthest: number;
  /** Its noise, as the scene has it; all 0 if noise is switched off. */
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

/**
 * Whether an echo is lost, which has the probability dropouts * (threshold / RSSI)².
 * @param word 32 random bits
 */
export function isLost({ threshold, dropouts }: Receiver, strength: number, word: number): boolean {
  const part = threshold / strength;
  return word < dropouts * part * part * 2 ** 32;
}

/**
 * The distance of an echo in m with noise. Its standard deviation is sigma * sqrt(1 + 2000 / RSSI). Large noise neither changes
 * the order of echoes nor moves one out of range.
 * @param least m: where the echo before it is
 * @param word 32 random bits
 */
export function noisyDistance(
  { sigma, farthest }: Receiver,
  distance: number,
  strength: number,
  least: number,
  word: number,
): number {
  const measured = distance + sigma * Math.sqrt(1 + weakStrength / strength) * gaussianAt(word);
  return Math.min(Math.max(measured, least), farthest);
}

/** The RSSI of an echo with noise: a whole number from 1 to 65535. @param word 32 random bits */
export function noisyStrength({ strength: share }: Receiver, strength: number, word: number): number {
  const noisy = strength * (1 + share * gaussianAt(word));
  return Math.floor(Math.min(Math.max(noisy, 1), fullStrength) + 0.5);
}

export function flagsOf(reflector: boolean, strength: number): number {
  const blooming = strength > bloomingFactor * fullStrength ? EchoFlag.blooming : 0;
  return (reflector ? EchoFlag.reflector : 0) | blooming;
}

/**
 * Writes the echoes of a scan without glass and fog, in which each beam meets one surface at most. Each beam takes three
 * random words, whether it has an echo or not.
 */
export function writeSurfaceEchoes(
  scan: Scan,
  { nearest: { nearness, cosine, material } }: RayCaster,
  { remission, reflector }: Surfaces,
  receiver: Receiver,
  random: RandomNumbers,
): void {
  const { distance: distances, rssi, flags } = scan;
  const { threshold, nearest, farthest } = receiver;
  scan.clear();
  for (let beam = 0; beam < nearness.length; beam++) {
    const lossWord = random.word();
    const distanceWord = random.word();
    const strengthWord = random.word();
    const distance = 1 / (nearness[beam] ?? 0);
    if (!(distance >= nearest && distance <= farthest)) continue;
    const of = material[beam] ?? 0;
    const isReflector = reflector[of] === 1;
    const strength = signalStrength(remission[of] ?? 0, isReflector, cosine[beam] ?? 0, distance);
    if (strength < threshold || isLost(receiver, strength, lossWord)) continue;
    const place = echoesPerBeam * beam;
    distances[place] = 1000 * noisyDistance(receiver, distance, strength, nearest, distanceWord);
    rssi[place] = noisyStrength(receiver, strength, strengthWord);
    flags[place] = flagsOf(isReflector, strength);
  }
}

const bits = 11;
const steps = 1 << bits;
const fractionBits = 32 - bits;
/** The last entry, in place of infinity: chosen so that the last step has the mean of the tail that it replaces. */
const outermost = 3.82;

/** Quantiles of the normal distribution in steps of 1/2048. */
const quantiles = quantileTable();

/**
 * A normally distributed number from 32 random bits, of mean 0 and standard deviation 1, never beyond 3.9: linear interpolation
 * in a table.
 */
export function gaussianAt(word: number): number {
  const step = word >>> fractionBits;
  const fraction = (word & ((1 << fractionBits) - 1)) / (1 << fractionBits);
  const from = quantiles[step] ?? 0;
  return from + ((quantiles[step + 1] ?? 0) - from) * fraction;
}

/**
 * The derivative of a quantile q is 1 / density(q). It is integrated outward from the median (Runge-Kutta); the other
 * half is its mirror image.
 */
function quantileTable(): Float32Array {
  const table = new Float32Array(steps + 1);
  const derivative = (q: number) => Math.sqrt(2 * Math.PI) * Math.exp((q * q) / 2);
  const parts = 8;
  const width = 1 / steps / parts;
  let q = 0;
  for (let step = steps / 2 + 1; step < steps; step++) {
    for (let part = 0; part < parts; part++) {
      const first = derivative(q);
      const second = derivative(q + (width / 2) * first);
      const third = derivative(q + (width / 2) * second);
      const fourth = derivative(q + width * third);
      q += (width / 6) * (first + 2 * second + 2 * third + fourth);
    }
    table[step] = q;
    table[steps - step] = -q;
  }
  table[steps] = outermost;
  table[0] = -outermost;
  return table;
}
