import type { Variable } from '@azimuth/model';
import { type Follower, Following } from './following.js';

type Listener = (changed: readonly Variable<unknown>[]) => void;

/** Tells everybody who wants to know which variables have a new value. */
export class Announcements {
  readonly #listeners = new Set<Listener>();
  readonly #following = new Following();
  readonly #failed: (error: unknown) => void;

  /**
   * A listener that throws keeps nothing from the others, and undoes nothing: what has changed has changed. Its error
   * is told to `failed` when all have heard.
   */
  constructor(failed: (error: unknown) => void = rethrow) {
    this.#failed = failed;
  }

  /**
   * Calls `listener` after each change, once for all variables that changed together. Returns how to stop it. What
   * changes all the time is announced only while somebody follows it.
   */
  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Calls `listener` after each change of one variable, and each time it only goes on. Returns how to stop it.
   */
  follow(variable: Variable<unknown>, listener: Follower): () => void {
    return this.#following.follow(variable, listener);
  }

  /**
   * For a variable that changes all the time: its changes are announced only while somebody follows it. `begin` starts
   * that and answers how to stop it.
   */
  whileFollowed(variable: Variable<unknown>, begin: () => () => void): void {
    this.#following.whileFollowed(variable, begin);
  }

  changed(variables: readonly Variable<unknown>[]): void {
    if (variables.length === 0) return;
    const errors: unknown[] = [];
    for (const listener of this.#listeners) attempt(() => listener(variables), errors);
    for (const variable of variables) {
      for (const listener of this.#following.of(variable)) attempt(() => listener(false), errors);
    }
    for (const error of errors) this.#failed(error);
  }

  /**
   * What has a new value only in what moves on with every scan, as its time does, is told to those who follow it. To
   * everybody else, nothing has changed.
   */
  goesOn(variable: Variable<unknown>): void {
    const errors: unknown[] = [];
    for (const listener of this.#following.of(variable)) attempt(() => listener(true), errors);
    for (const error of errors) this.#failed(error);
  }
}

function attempt(act: () => void, errors: unknown[]): void {
  try {
    act();
  } catch (error) {
    errors.push(error);
  }
}

function rethrow(error: unknown): never {
  throw error;
}
