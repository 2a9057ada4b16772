import type { LinkFaults } from '@azimuth/device';

type How = 'silent' | 'reset';

/** The network cable. Several faults may have pulled it out: it is in again when all of them are over. */
export class Cable implements LinkFaults {
  readonly #pulledBy = new Map<object, How>();
  readonly #listeners = new Set<() => void>();
  #down: How | undefined;

  get down(): How | undefined {
    return this.#down;
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Pulls it out. Returns a function that puts it in again. */
  pull(how: How): () => void {
    const pull = {};
    this.#pulledBy.set(pull, how);
    this.#changed();
    return () => {
      if (this.#pulledBy.delete(pull)) this.#changed();
    };
  }

  #changed(): void {
    this.#down = this.#pulledBy.values().next().value;
    for (const listener of [...this.#listeners]) listener();
  }
}
