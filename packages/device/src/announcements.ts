import type { Variable } from '@azimuth/model';

type Listener = (changed: readonly Variable<unknown>[]) => void;

/** Tells everybody who wants to know which variables have a new value. */
export class Announcements {
  readonly #listeners = new Set<Listener>();
  readonly #failed: (error: unknown) => void;

  /**
   * A listener that throws keeps nothing from the others, and undoes nothing: what has changed has changed. Its error
   * is told to `failed` when all have heard.
   */
  constructor(failed: (error: unknown) => void = rethrow) {
    this.#failed = failed;
  }

  /** Calls `listener` after each change, once for all variables that changed together. Returns how to stop it. */
  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  changed(variables: readonly Variable<unknown>[]): void {
    if (variables.length === 0) return;
    const errors: unknown[] = [];
    for (const listener of this.#listeners) {
      try {
        listener(variables);
      } catch (error) {
        errors.push(error);
      }
    }
    for (const error of errors) this.#failed(error);
  }
}

function rethrow(error: unknown): never {
  throw error;
}
