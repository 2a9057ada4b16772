/** More than anybody listens to at once; without an end, forged addresses would fill the memory. */
const most = 32;

/** Something for each sender. Of too many senders, the one that has been silent for longest is forgotten. */
export class Senders<T> {
  readonly #known = new Map<string, T>();
  readonly #make: () => T;

  constructor(make: () => T) {
    this.#make = make;
  }

  of(sender: string): T {
    const known = this.#known.get(sender) ?? this.#make();
    this.#known.delete(sender);
    this.#known.set(sender, known);
    if (this.#known.size > most) {
      const [silent = ''] = this.#known.keys();
      this.#known.delete(silent);
    }
    return known;
  }

  all(): Iterable<T> {
    return this.#known.values();
  }
}
