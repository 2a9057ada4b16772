import { echoesPerBeam, type Scan } from '@azimuth/device';
import { gaussianAt, type RandomNumbers } from '../random-numbers.js';

/** The largest RSSI of a telegram. */
export const fullStrength = 65_535;

/** Random words of an echo: for its loss, its distance and its strength. */
const wordsOfEcho = 3;

/** More than each random word: the echo of a beam that has none is always lost. */
const always = 2 ** 32;

/** Places of the numbers of a beam: see {@link SingleEcho}. */
const numberAt = { lost: 0, distance: 1, deviation: 2, strength: 3, all: 4 } as const;

/** Beams that are computed together: what they need fits into the nearest cache of the processor. */
const beamsTogether = 256;

// The compiler knows where these arrays are, and their lengths: a loop over them takes a fifth less time than one over
// the arrays of a scan. The places of further echoes stay 0.
const words = new Uint32Array(wordsOfEcho * beamsTogether);
const distances = new Float32Array(echoesPerBeam * beamsTogether);
const strengths = new Uint16Array(echoesPerBeam * beamsTogether);
const flags = new Uint8Array(echoesPerBeam * beamsTogether);

/** Limits of what a receiver measures, and its noise. */
export interface Limits {
  /** Range in m. */
  readonly nearest: number;
  readonly farthest: number;
  /** Standard deviation of a strength, as a share of it. */
  readonly strength: number;
}

/** The echo of a beam, ready for noise. */
interface SingleEcho {
  /** Random words below it lose the echo. */
  readonly lost: number;
  /** m; also its standard deviation. */
  readonly distance: number;
  readonly deviation: number;
  /** RSSI. */
  readonly strength: number;
  readonly flagsOfEcho: number;
}

/** The echoes of beams with one echo at most, ready for noise: what they have in common in all scans. */
export class SingleEchoes {
  readonly #limits: Limits;
  readonly #beams: number;
  readonly #numbers: Float64Array;
  readonly #flags: Uint8Array;
  #hasFlags = false;

  constructor(limits: Limits, beams: number) {
    this.#limits = limits;
    this.#beams = beams;
    this.#numbers = new Float64Array(numberAt.all * beams);
    this.#flags = new Uint8Array(beams);
  }

  /** False if no echo has flags. */
  get hasFlags(): boolean {
    return this.#hasFlags;
  }

  /** Removes the echoes of all beams. */
  clear(): void {
    this.#numbers.fill(always);
    this.#hasFlags = false;
  }

  /** Sets the echo of a beam. */
  set(beam: number, { lost, distance, deviation, strength, flagsOfEcho }: SingleEcho): void {
    const at = numberAt.all * beam;
    this.#numbers[at + numberAt.lost] = lost;
    this.#numbers[at + numberAt.distance] = distance;
    this.#numbers[at + numberAt.deviation] = deviation;
    this.#numbers[at + numberAt.strength] = strength;
    this.#flags[beam] = flagsOfEcho;
    if (flagsOfEcho !== 0) this.#hasFlags = true;
  }

  /**
   * Writes all echoes of a scan, with noise. Nothing of what the scan had before is left. Each beam uses the random words of
   * one echo, even if it has no echo.
   */
  write(scan: Scan, random: RandomNumbers): void {
    for (let begin = 0; begin < this.#beams; begin += beamsTogether) {
      const count = Math.min(beamsTogether, this.#beams - begin);
      random.fill(words, wordsOfEcho * count);
      this.#compute(begin, count);
      const places = echoesPerBeam * count;
      const at = echoesPerBeam * begin;
      const isFull = count === beamsTogether;
      scan.distance.set(isFull ? distances : distances.subarray(0, places), at);
      scan.rssi.set(isFull ? strengths : strengths.subarray(0, places), at);
      scan.flags.set(isFull ? flags : flags.subarray(0, places), at);
    }
  }

  /** Computes the echoes of some beams with the random words. */
  #compute(begin: number, count: number): void {
    const { nearest, farthest, strength: share } = this.#limits;
    const [numbers, flagsOfBeams] = [this.#numbers, this.#flags];
    for (let index = 0, place = 0, at = numberAt.all * begin; index < count; index++) {
      if ((words[place] ?? 0) < (numbers[at + numberAt.lost] ?? 0)) {
        distances[place] = 0;
        strengths[place] = 0;
        flags[place] = 0;
      } else {
        const noise = (numbers[at + numberAt.deviation] ?? 0) * gaussianAt(words[place + 1] ?? 0);
        const measured = (numbers[at + numberAt.distance] ?? 0) + noise;
        distances[place] = 1000 * Math.min(Math.max(measured, nearest), farthest);
        const noisy =
          (numbers[at + numberAt.strength] ?? 0) * (1 + share * gaussianAt(words[place + 2] ?? 0));
        strengths[place] = (Math.min(Math.max(noisy, 1), fullStrength) + 0.5) | 0;
        flags[place] = flagsOfBeams[begin + index] ?? 0;
      }
      place += echoesPerBeam;
      at += numberAt.all;
    }
  }
}
