/** Counts by name that only grow: how often something has happened since the process started. */
export class Tally<Name extends string> {
  readonly #counts = new Map<Name, number>();

  add(name: Name): void {
    this.#counts.set(name, this.of(name) + 1);
  }

  of(name: Name): number {
    return this.#counts.get(name) ?? 0;
  }

  /** Every name that was counted, with its count. */
  get counts(): Iterable<readonly [Name, number]> {
    return this.#counts;
  }
}
