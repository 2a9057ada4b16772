/** A value that is set from outside, and that planned faults override for a time. */
export class OverriddenValue<T> {
  readonly #overrides = new Set<{ readonly value: T }>();
  #set: T;
  #value: T;

  constructor(value: T) {
    this.#set = value;
    this.#value = value;
  }

  /** That of the override that began last; without any, the one that was set. */
  get value(): T {
    return this.#value;
  }

  /** Sets it for now, or for when nothing overrides it any more. */
  set(value: T): void {
    this.#set = value;
    this.#settle();
  }

  /** Overrides it. Returns a function that ends this. */
  override(value: T): () => void {
    const override = { value };
    this.#overrides.add(override);
    this.#settle();
    return () => {
      this.#overrides.delete(override);
      this.#settle();
    };
  }

  #settle(): void {
    const last = [...this.#overrides].at(-1);
    this.#value = last === undefined ? this.#set : last.value;
  }
}
