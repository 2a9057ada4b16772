import type { Variable } from '@azimuth/model';

type Listener = (changed: readonly Variable<unknown>[]) => void;

/** Tells everybody who wants to know which variables have a new value. */
export class Announcements {
  readonly #listeners = new Set<Listener>();

  /** Calls `listener` after each change, once for all variables that changed together. Returns how to stop it. */
  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  changed(variables: readonly Variable<unknown>[]): void {
    if (variables.length === 0) return;
    for (const listener of this.#listeners) listener(variables);
  }
}
