/** How a telegram follows those before it. `lost` never came, as far as one can tell by now. */
export type Step =
  | { readonly kind: 'next'; readonly lost: number }
  /** It was overtaken by others; `counted` tells that it had been given up as lost. */
  | { readonly kind: 'late'; readonly counted: boolean }
  /** The same number once more. */
  | { readonly kind: 'repeated' }
  /** The counter went back. */
  | { readonly kind: 'restart' };

/** How far (telegrams, µs) a network may put a telegram behind others. What goes back further is a restart. */
const latest = { telegrams: 64, transmitTime: 1_000_000 };

/** The sequence numbers of one sender's stream, which rise by one with each telegram. */
export class Sequence {
  #last: number | undefined;
  #transmitTime = 0;
  readonly #missing = new Set<number>();

  /** @param transmitTime µs, on the sender's clock: it tells a telegram that is late from a counter that began anew. */
  follow(sequence: number, transmitTime: number): Step {
    const last = this.#last;
    if (last === undefined || sequence > last) return this.#forward(sequence, transmitTime, last);
    if (sequence === last) return { kind: 'repeated' };
    const behind = this.#transmitTime - transmitTime;
    const isBehind = behind >= 0 && behind < latest.transmitTime;
    // One that is waited for is late whatever its time says: the clock of a scanner jumps where it is synchronised.
    if (last - sequence <= latest.telegrams && (isBehind || this.#missing.has(sequence))) {
      return { kind: 'late', counted: this.#missing.delete(sequence) };
    }
    this.#missing.clear();
    this.#last = sequence;
    this.#transmitTime = transmitTime;
    return { kind: 'restart' };
  }

  #forward(sequence: number, transmitTime: number, last = sequence - 1): Step {
    const oldest = sequence - latest.telegrams;
    for (const number of this.#missing) {
      if (number < oldest) this.#missing.delete(number);
    }
    const lost = sequence - last - 1;
    // Counted backwards from the new one: numbers above 2^53 do not rise by adding 1.
    for (let back = Math.min(lost, latest.telegrams); back > 0; back--) this.#missing.add(sequence - back);
    this.#last = sequence;
    this.#transmitTime = transmitTime;
    return { kind: 'next', lost };
  }
}
