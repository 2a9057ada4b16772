/** Counts by name since the process started. They never decrease. */
export class Tally<Name extends string> {
  readonly #names: readonly Name[];
  readonly #counts = new Map<Name, number>();

  /** @param names all names that can be counted */
  constructor(names: readonly Name[]) {
    this.#names = names;
  }

  add(name: Name): void {
    this.#counts.set(name, this.of(name) + 1);
  }

  of(name: Name): number {
    return this.#counts.get(name) ?? 0;
  }

  /**
   * Every name with its count, including those at 0: Prometheus does not see the first increase of a series that begins
   * with it.
   */
  get counts(): readonly (readonly [Name, number])[] {
    return this.#names.map((name) => [name, this.of(name)]);
  }

  /** Adds counts of an earlier start. */
  addAll(counts: Iterable<readonly [Name, number]>): void {
    for (const [name, count] of counts) if (count > 0) this.#counts.set(name, this.of(name) + count);
  }

  get total(): number {
    let total = 0;
    for (const count of this.#counts.values()) total += count;
    return total;
  }
}
