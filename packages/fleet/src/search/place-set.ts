/**
 * A set of places, which are whole numbers below a limit, in the order of the numbers. It takes about 8 bytes for each place
 * that is in it, or one bit for each that may be in it: whatever is less.
 */
export class PlaceSet {
  readonly #limit: number;
  /** Sorted; empty if there are bits. */
  #sorted: number[] = [];
  #bits: Uint32Array | undefined;
  #size = 0;

  /** @param limit number of places that may be in it */
  constructor(limit: number) {
    this.#limit = limit;
  }

  get size(): number {
    return this.#size;
  }

  has(place: number): boolean {
    const bits = this.#bits;
    if (bits !== undefined) return hasBit(bits, place);
    return this.#sorted[indexIn(this.#sorted, place)] === place;
  }

  add(place: number): void {
    const [bits, sorted] = [this.#bits, this.#sorted];
    if (bits !== undefined) {
      if (hasBit(bits, place)) return;
      setBit(bits, place);
      this.#size++;
      return;
    }
    // Mostly, they are added in their order.
    const last = sorted[sorted.length - 1];
    if (last === place) return;
    if (last === undefined || last < place) sorted.push(place);
    else {
      const index = indexIn(sorted, place);
      if (sorted[index] === place) return;
      sorted.splice(index, 0, place);
    }
    this.#size++;
    if (sorted.length * 64 > this.#limit) this.#turnIntoBits();
  }

  delete(place: number): void {
    if (!this.has(place)) return;
    const bits = this.#bits;
    if (bits !== undefined) bits[place >>> 5] = (bits[place >>> 5] ?? 0) & ~(1 << (place & 31));
    else this.#sorted.splice(indexIn(this.#sorted, place), 1);
    this.#size--;
  }

  /** Its places, in their order. */
  *[Symbol.iterator](): Generator<number> {
    const bits = this.#bits;
    if (bits === undefined) {
      yield* this.#sorted;
      return;
    }
    for (let index = 0; index < bits.length; index++)
      for (let rest = bits[index] ?? 0; rest !== 0; rest &= rest - 1)
        yield index * 32 + 31 - Math.clz32(rest & -rest);
  }

  /** Returns a copy that takes a bit for each place: it answers faster. */
  asBits(): PlaceSet {
    return PlaceSet.inAny(this.#limit, [this]);
  }

  /** Returns the places that are in all of the sets, as a new set. @param sets one or more, with the same limit */
  static inAll(sets: readonly [PlaceSet, ...PlaceSet[]]): PlaceSet {
    const [smallest = sets[0], ...others] = sets.toSorted((one, other) => one.#size - other.#size);
    const lists = sets.map((set) => set.#bits).filter((bits) => bits !== undefined);
    if (lists.length === sets.length) return PlaceSet.#ofBits(smallest.#limit, common(lists));
    const all = new PlaceSet(smallest.#limit);
    for (const place of smallest) if (others.every((other) => other.has(place))) all.add(place);
    return all;
  }

  /** Returns the places that are in any of the sets, as a new set. */
  static inAny(limit: number, sets: Iterable<PlaceSet>): PlaceSet {
    const all = noBits(limit);
    for (const one of sets) {
      const bits = one.#bits;
      if (bits === undefined) for (const place of one.#sorted) setBit(all, place);
      else
        for (let index = 0; index < all.length; index++) all[index] = (all[index] ?? 0) | (bits[index] ?? 0);
    }
    return PlaceSet.#ofBits(limit, all);
  }

  static #ofBits(limit: number, bits: Uint32Array): PlaceSet {
    const set = new PlaceSet(limit);
    set.#bits = bits;
    set.#size = bitsSetIn(bits);
    return set;
  }

  #turnIntoBits(): void {
    const bits = noBits(this.#limit);
    for (const place of this.#sorted) setBit(bits, place);
    this.#bits = bits;
    this.#sorted = [];
  }
}

function noBits(limit: number): Uint32Array {
  return new Uint32Array(Math.ceil(limit / 32));
}

function hasBit(bits: Uint32Array, place: number): boolean {
  return ((bits[place >>> 5] ?? 0) & (1 << (place & 31))) !== 0;
}

function setBit(bits: Uint32Array, place: number): void {
  bits[place >>> 5] = (bits[place >>> 5] ?? 0) | (1 << (place & 31));
}

function common([first = new Uint32Array(), ...others]: readonly Uint32Array[]): Uint32Array {
  const all = first.slice();
  for (const bits of others)
    for (let index = 0; index < all.length; index++) all[index] = (all[index] ?? 0) & (bits[index] ?? 0);
  return all;
}

function bitsSetIn(bits: Uint32Array): number {
  let count = 0;
  for (const word of bits) {
    const pairs = word - ((word >>> 1) & 0x55555555);
    const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
    count += Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
  }
  return count;
}

/** Index of a place in a sorted list, or the index at which it would be. */
function indexIn(places: readonly number[], place: number): number {
  let [from, to] = [0, places.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((places[middle] ?? place) < place) from = middle + 1;
    else to = middle;
  }
  return from;
}
