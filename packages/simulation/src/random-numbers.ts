const words = 4_294_967_296;

/** Random words in a block. */
const blockSize = 64;
/** Rounds after which every bit of the state depends on every bit of the seed. */
const mixingRounds = 15;

/** Random numbers (sfc32). They depend only on the start values, and are the same in every run. */
export class RandomNumbers {
  #a = 0;
  #b = 0;
  #c = 0;
  #count = 0;
  /** The words of the current block. Generating a block costs less than one word at a time. */
  readonly #block = new Uint32Array(blockSize);
  #next = blockSize;

  /** Starts with four integers, of which the lowest 32 bits count. */
  begin(a: number, b: number, c: number, count: number): void {
    this.#a = a | 0;
    this.#b = b | 0;
    this.#c = c | 0;
    this.#count = count | 0;
    this.#generate(mixingRounds, this.#block);
    this.#next = blockSize;
  }

  /** Remembers the numbers that come next. The returned function puts them back. */
  remember(): () => void {
    const [a, b, c, count, next] = [this.#a, this.#b, this.#c, this.#count, this.#next];
    const block = this.#block.slice();
    return () => {
      this.#a = a;
      this.#b = b;
      this.#c = c;
      this.#count = count;
      this.#next = next;
      this.#block.set(block);
    };
  }

  /** Returns 32 random bits. */
  word(): number {
    if (this.#next === blockSize) {
      this.#generate(blockSize, this.#block);
      this.#next = 0;
    }
    return this.#block[this.#next++] ?? 0;
  }

  /** Fills the begin of an array with this many random words: those that `word` would return. */
  fill(into: Uint32Array, count: number): void {
    let at = 0;
    while (at < count && this.#next < blockSize) into[at++] = this.#block[this.#next++] ?? 0;
    this.#generate(count, into, at);
  }

  /** Returns a number from 0 up to below 1. */
  uniform(): number {
    return this.word() / words;
  }

  /** Returns a whole number from 0 up to below `limit`. */
  below(limit: number): number {
    return Math.floor(this.uniform() * limit);
  }

  /** Returns an exponentially distributed number of mean 1. */
  exponential(): number {
    return -Math.log(1 - this.uniform());
  }

  /** Writes words into an array from `begin` up to, but not including, `end`. */
  #generate(end: number, into: Uint32Array, begin = 0): void {
    let a = this.#a;
    let b = this.#b;
    let c = this.#c;
    let count = this.#count;
    for (let at = begin; at < end; at++) {
      const sum = (((a + b) | 0) + count) | 0;
      count = (count + 1) | 0;
      a = b ^ (b >>> 9);
      b = (c + (c << 3)) | 0;
      c = (((c << 21) | (c >>> 11)) + sum) | 0;
      into[at] = sum;
    }
    this.#a = a;
    this.#b = b;
    this.#c = c;
    this.#count = count;
  }
}

/**
 * Starts the random numbers of a scan. They depend only on the seed and the number of the scan, not on earlier numbers. The
 * lowest 64 bits of both count.
 */
export function beginScan(random: RandomNumbers, seed: number, scan: number): void {
  random.begin(seed, Math.floor(seed / words), scan, Math.floor(scan / words) + 1);
}

/**
 * Returns the random numbers of one fault. They depend on the seed of its plan and on the fault itself, not on other faults.
 * So one more fault in a plan changes no other fault.
 * @param name tells the faults of one plan apart
 */
export function faultRandomNumbers(seed: number, name: string): RandomNumbers {
  const random = new RandomNumbers();
  random.begin(seed, hashOf(name, 0x811c9dc5), hashOf(name, 0x9e3779b9), 1);
  return random;
}

/** FNV-1a with another start value. */
function hashOf(text: string, start: number): number {
  let hash = start;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash | 0;
}

const bits = 11;
const steps = 1 << bits;
const fractionBits = 32 - bits;
/** The last quantile, in place of infinity. The last step then has the mean of the tail that it replaces. */
const outermost = 3.82;

/** Quantiles of the normal distribution in steps of 1/2048. */
const quantiles = quantileTable();

/**
 * Returns a normally distributed number from 32 random bits: mean 0, standard deviation 1, never beyond 3.9. It interpolates
 * linearly in a table.
 */
export function gaussianAt(word: number): number {
  const step = word >>> fractionBits;
  const fraction = (word & ((1 << fractionBits) - 1)) / (1 << fractionBits);
  const from = quantiles[step] ?? 0;
  return from + ((quantiles[step + 1] ?? 0) - from) * fraction;
}

/**
 * Computes the quantiles. The derivative of a quantile q is 1 / density(q). It is integrated outward from the median
 * (Runge-Kutta). The other half is the mirror image.
 */
function quantileTable(): Float32Array {
  const table = new Float32Array(steps + 1);
  const derivative = (q: number) => Math.sqrt(2 * Math.PI) * Math.exp((q * q) / 2);
  let q = 0;
  for (let step = steps / 2 + 1; step < steps; step++) {
    // A program that starts has not compiled this loop yet: only the tail, where the quantiles rise steeply, needs more parts.
    const parts = step < 0.97 * steps ? 1 : 8;
    const width = 1 / steps / parts;
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
