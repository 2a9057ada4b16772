/** Things that come one after the other, and are waited for. */
export class Line<T> {
  readonly #things: T[] = [];
  readonly #waiting: ((thing: T) => void)[] = [];

  push(thing: T): void {
    const waiting = this.#waiting.shift();
    if (waiting === undefined) this.#things.push(thing);
    else waiting(thing);
  }

  next(): Promise<T> {
    const thing = this.#things.shift();
    if (thing !== undefined) return Promise.resolve(thing);
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Those that nobody has asked for. */
  get length(): number {
    return this.#things.length;
  }
}
