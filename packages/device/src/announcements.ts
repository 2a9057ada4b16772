import type { Variable } from '@azimuth/model';
import { type Follower, Following } from './following.js';

type Listener = (changed: readonly Variable<unknown>[]) => void;

interface Subscription {
  /** The variables whose changes are told; undefined for all. */
  readonly to: ReadonlySet<Variable<unknown>> | undefined;
  readonly listener: Listener;
}

/** Tells everybody who wants to know which variables have a new value. */
export class Announcements {
  readonly #subscriptions = new Set<Subscription>();
  /** Who is told of a change of each variable, as far as it was asked for since the last subscription. */
  readonly #ofVariable = new Map<Variable<unknown>, readonly Subscription[]>();
  readonly #following = new Following();
  readonly #effects = new Set<Promise<unknown>>();
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
    return this.#add({ to: undefined, listener });
  }

  /** The same for some variables: calls `listener` after each change of one or more of them. */
  subscribeTo(variables: Iterable<Variable<unknown>>, listener: Listener): () => void {
    return this.#add({ to: new Set(variables), listener });
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
    for (const subscription of this.#toldOf(variables)) {
      // One that was called before may have ended this one.
      if (this.#subscriptions.has(subscription)) attempt(() => subscription.listener(variables), errors);
    }
    for (const variable of variables) {
      for (const listener of this.#following.of(variable)) attempt(() => listener(false), errors);
    }
    for (const error of errors) this.#failed(error);
  }

  /** The effect of a change takes a moment: whoever has made the change may wait for that. */
  takesEffect(effect: Promise<unknown>): void {
    const done = () => this.#effects.delete(effect);
    this.#effects.add(effect);
    effect.then(done, done);
  }

  /** Is fulfilled when all changes up to now have taken effect, or have failed to; undefined where they have already. */
  get underWay(): Promise<unknown> | undefined {
    return this.#effects.size === 0 ? undefined : Promise.allSettled(this.#effects);
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

  #add(subscription: Subscription): () => void {
    this.#subscriptions.add(subscription);
    this.#ofVariable.clear();
    return () => {
      this.#subscriptions.delete(subscription);
      this.#ofVariable.clear();
    };
  }

  /** In the order in which they have subscribed. Most changes are of one variable. */
  #toldOf(variables: readonly Variable<unknown>[]): readonly Subscription[] {
    const [variable, ...others] = variables;
    if (variable === undefined || others.length > 0) return this.#find(variables);
    let found = this.#ofVariable.get(variable);
    if (found === undefined) {
      found = this.#find(variables);
      this.#ofVariable.set(variable, found);
    }
    return found;
  }

  #find(variables: readonly Variable<unknown>[]): readonly Subscription[] {
    return [...this.#subscriptions].filter(
      ({ to }) => to === undefined || variables.some((variable) => to.has(variable)),
    );
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
