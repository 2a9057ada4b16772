import type { Variable } from '@azimuth/model';

/** @param goesOn whether only that moves on which does so with every scan */
export type Follower = (goesOn: boolean) => void;

const nobody: ReadonlySet<Follower> = new Set();

/** Who follows which variable; what changes all the time is put to work only while somebody does. */
export class Following {
  readonly #followers = new Map<Variable<unknown>, Set<Follower>>();
  readonly #begin = new Map<Variable<unknown>, () => () => void>();
  readonly #stop = new Map<Variable<unknown>, () => void>();

  of(variable: Variable<unknown>): ReadonlySet<Follower> {
    return this.#followers.get(variable) ?? nobody;
  }

  /** Returns how to stop; once is enough, and twice does no harm. */
  follow(variable: Variable<unknown>, listener: Follower): () => void {
    const followers = this.#followers.get(variable) ?? new Set<Follower>();
    this.#followers.set(variable, followers);
    // Every following is one of its own, whoever listens.
    const call: Follower = (goesOn) => listener(goesOn);
    followers.add(call);
    if (followers.size === 1) this.#start(variable);
    return () => {
      if (followers.delete(call) && followers.size === 0) this.#end(variable);
    };
  }

  whileFollowed(variable: Variable<unknown>, begin: () => () => void): void {
    this.#begin.set(variable, begin);
    if (this.of(variable).size > 0) this.#start(variable);
  }

  #start(variable: Variable<unknown>): void {
    const begin = this.#begin.get(variable);
    if (begin !== undefined) this.#stop.set(variable, begin());
  }

  #end(variable: Variable<unknown>): void {
    this.#followers.delete(variable);
    this.#stop.get(variable)?.();
    this.#stop.delete(variable);
  }
}
