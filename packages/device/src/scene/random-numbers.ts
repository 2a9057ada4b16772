import { gaussianAt } from './gaussian.js';

const words = 4_294_967_296;
/** Rounds after which every bit of the state hangs on every bit of the seed. */
const mixingRounds = 15;

/**
 * Random numbers of one turn (sfc32). They follow from the seed and the number of the turn alone, whatever was
 * drawn before: the same turn of the same seed is the same in every run.
 */
export class RandomNumbers {
  #a = 0;
  #b = 0;
  #c = 0;
  #count = 1;

  /** Begins a turn. Both are integers; of each its lowest 64 bits count. */
  begin(seed: number, turn: number): void {
    this.#a = seed | 0;
    this.#b = Math.floor(seed / words) | 0;
    this.#c = turn | 0;
    this.#count = (Math.floor(turn / words) + 1) | 0;
    for (let round = 0; round < mixingRounds; round++) this.#word();
  }

  /** From 0 up to below 1. */
  uniform(): number {
    return (this.#word() >>> 0) / words;
  }

  /** Of mean 0 and standard deviation 1; never beyond 4.2. */
  gaussian(): number {
    return gaussianAt(this.#word() >>> 0);
  }

  /** Of mean 1: how far something that comes at random is away. */
  exponential(): number {
    return -Math.log(1 - this.uniform());
  }

  #word(): number {
    const sum = (((this.#a + this.#b) | 0) + this.#count) | 0;
    this.#count = (this.#count + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) | 0;
    return sum;
  }
}
