import type { Variable } from '@azimuth/model';

/** @param isRoutine true if only values that change with every scan (a time, a count) are new */
type Follower = (isRoutine: boolean) => void;

const nobody: ReadonlySet<Follower> = new Set();

/** Listeners by the name of their variable. Values that change all the time are computed only while they are followed. */
class Following {
  readonly #followers = new Map<string, Set<Follower>>();
  readonly #begin = new Map<string, () => () => void>();
  readonly #stop = new Map<string, () => void>();

  of(variable: Variable<unknown>): ReadonlySet<Follower> {
    return this.#followers.get(variable.name) ?? nobody;
  }

  /** Adds a listener. Returns a function that removes it. A second call of that function does nothing. */
  follow(variable: Variable<unknown>, listener: Follower): () => void {
    const followers = this.#followers.get(variable.name) ?? new Set<Follower>();
    this.#followers.set(variable.name, followers);
    // Copies the function: the same listener may follow more than once.
    const call: Follower = (isRoutine) => listener(isRoutine);
    followers.add(call);
    if (followers.size === 1) this.#start(variable);
    return () => {
      if (followers.delete(call) && followers.size === 0) this.#end(variable);
    };
  }

  whileFollowed(variable: Variable<unknown>, begin: () => () => void): void {
    this.#begin.set(variable.name, begin);
    if (this.of(variable).size > 0) this.#start(variable);
  }

  #start({ name }: Variable<unknown>): void {
    const begin = this.#begin.get(name);
    if (begin !== undefined) this.#stop.set(name, begin());
  }

  #end({ name }: Variable<unknown>): void {
    this.#followers.delete(name);
    this.#stop.get(name)?.();
    this.#stop.delete(name);
  }
}

/** A returned value counts only if it is a promise: the change has taken effect when the promise is settled. */
type Listener = (changed: readonly Variable<unknown>[]) => unknown;

interface Subscription {
  /** The names of the variables whose changes are announced; undefined for all. */
  readonly to: ReadonlySet<string> | undefined;
  readonly listener: Listener;
  /** True if the listener only announces further variables, and holds nothing itself. */
  readonly isDerived?: boolean;
}

/** Announces to subscribers which variables have a new value. */
export class Announcements {
  readonly #subscriptions = new Set<Subscription>();
  /** The subscriptions to each variable: a cache, cleared with each new subscription. */
  readonly #ofVariable = new Map<string, readonly Subscription[]>();
  readonly #following = new Following();
  readonly #effects = new Set<Promise<unknown>>();
  /** The announced variables by name while announcements are held back. */
  #held: Map<string, Variable<unknown>> | undefined;
  readonly #failed: (error: unknown) => void;

  /**
   * Calls all listeners, even if one throws, and the change stays. `failed` is called with the error after all
   * listeners.
   */
  constructor(failed: (error: unknown) => void = rethrow) {
    this.#failed = failed;
  }

  /**
   * Calls `listener` after each change, once for all variables that changed together. Returns a function that ends it.
   * Variables that change all the time are announced only while they are followed. If the effect of the change takes
   * time, the listener returns a promise, and the author of the change may wait for it.
   */
  subscribe(listener: Listener): () => void {
    return this.#add({ to: undefined, listener });
  }

  /** Calls `listener` after each change of one or more of these variables. */
  subscribeTo(variables: Iterable<Variable<unknown>>, listener: Listener): () => void {
    return this.#add({ to: new Set(Array.from(variables, ({ name }) => name)), listener });
  }

  /** As `subscribeTo`, for a listener that only announces variables which follow these. */
  deriveFrom(variables: Iterable<Variable<unknown>>, listener: Listener): () => void {
    return this.#add({ to: new Set(Array.from(variables, ({ name }) => name)), listener, isDerived: true });
  }

  /** True if a part of the scanner acts on changes of this variable, so that more than its value has changed. */
  hasEffects(name: string): boolean {
    for (const { to, isDerived } of this.#subscriptions)
      if (isDerived !== true && to?.has(name) === true) return true;
    return false;
  }

  /**
   * Calls `listener` after each change of one variable, including routine changes. Returns a function that removes it.
   */
  follow(variable: Variable<unknown>, listener: Follower): () => void {
    return this.#following.follow(variable, listener);
  }

  /**
   * Registers a variable that changes all the time. Its changes are announced only while it is followed. `begin` starts
   * the announcements, and returns a function that stops them.
   */
  whileFollowed(variable: Variable<unknown>, begin: () => () => void): void {
    this.#following.whileFollowed(variable, begin);
  }

  /**
   * @returns a promise while effects of the change are pending: fulfilled when it has taken effect, or has failed to;
   * otherwise undefined
   */
  changed(variables: readonly Variable<unknown>[]): Promise<unknown> | undefined {
    if (variables.length === 0) return undefined;
    if (this.#held !== undefined) {
      for (const variable of variables) this.#held.set(variable.name, variable);
      return undefined;
    }
    const errors: unknown[] = [];
    let effects: Promise<unknown>[] | undefined;
    for (const subscription of this.#subscriptionsTo(variables)) {
      // An earlier listener may have ended this subscription.
      if (!this.#subscriptions.has(subscription)) continue;
      try {
        const effect = subscription.listener(variables);
        if (effect instanceof Promise) effects = [...(effects ?? []), effect];
      } catch (error) {
        errors.push(error);
      }
    }
    for (const variable of variables) this.#callFollowers(variable, false, errors);
    for (const error of errors) this.#failed(error);
    return effects === undefined ? undefined : this.#allOf(effects);
  }

  /**
   * Calls `act`, and afterwards makes one announcement instead of all that it has made.
   * @param differs true for a variable that has another value than before
   * @returns as `changed`
   */
  together(act: () => void, differs: (variable: Variable<unknown>) => boolean): Promise<unknown> | undefined {
    const held = new Map<string, Variable<unknown>>();
    this.#held = held;
    try {
      act();
    } finally {
      this.#held = undefined;
    }
    return this.changed([...held.values()].filter(differs));
  }

  #callFollowers(variable: Variable<unknown>, isRoutine: boolean, errors: unknown[]): void {
    for (const listener of this.#following.of(variable)) {
      try {
        listener(isRoutine);
      } catch (error) {
        errors.push(error);
      }
    }
  }

  #allOf(effects: readonly Promise<unknown>[]): Promise<unknown> {
    const all = Promise.allSettled(effects);
    this.#effects.add(all);
    void all.then(() => this.#effects.delete(all));
    return all;
  }

  /**
   * Resolves when all changes up to now have taken effect or failed to. Undefined if no effect is pending. For callers
   * that let time pass.
   */
  get pendingEffects(): Promise<unknown> | undefined {
    return this.#effects.size === 0 ? undefined : Promise.allSettled(this.#effects);
  }

  /**
   * Reports a new value of a routine kind, such as a time that changes with every scan. Only its followers are called.
   */
  changedRoutinely(variable: Variable<unknown>): void {
    if (this.#held !== undefined) return;
    const errors: unknown[] = [];
    this.#callFollowers(variable, true, errors);
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

  /** Subscriptions in order. Cached for changes of a single variable, the most frequent case. */
  #subscriptionsTo(variables: readonly Variable<unknown>[]): readonly Subscription[] {
    const [variable] = variables;
    if (variable === undefined || variables.length > 1) return this.#find(variables);
    let found = this.#ofVariable.get(variable.name);
    if (found === undefined) {
      found = this.#find(variables);
      this.#ofVariable.set(variable.name, found);
    }
    return found;
  }

  #find(variables: readonly Variable<unknown>[]): readonly Subscription[] {
    const names = variables.map(({ name }) => name);
    return [...this.#subscriptions].filter(
      ({ to }) => to === undefined || names.some((name) => to.has(name)),
    );
  }
}

function rethrow(error: unknown): never {
  throw error;
}
