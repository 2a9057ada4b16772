const words = 4_294_967_296;
/** Rounds after which every bit of the state depends on every bit of the seed. */
const mixingRounds = 15;

/**
 * The random numbers of one fault (sfc32). They depend on the seed of its plan and on the fault itself, not on other
 * faults: a plan with one fault more leaves all others as they were.
 */
export class Draws {
  #a: number;
  #b: number;
  #c: number;
  #count = 1;

  /** @param name tells the faults of one plan apart */
  constructor(seed: number, name: string) {
    this.#a = seed | 0;
    this.#b = hashOf(name, 0x811c9dc5);
    this.#c = hashOf(name, 0x9e3779b9);
    for (let round = 0; round < mixingRounds; round++) this.uniform();
  }

  /** From 0 up to below 1. */
  uniform(): number {
    const sum = (((this.#a + this.#b) | 0) + this.#count) | 0;
    this.#count = (this.#count + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) | 0;
    return (sum >>> 0) / words;
  }

  /** A whole number from 0 up to below `limit`. */
  below(limit: number): number {
    return Math.floor(this.uniform() * limit);
  }
}

/** FNV-1a from a start of one's own. */
function hashOf(text: string, start: number): number {
  let hash = start;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash | 0;
}
