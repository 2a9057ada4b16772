/**
 * A part of the program that is loaded when it is needed for the first time, so that a scanner starts without it. Once
 * loaded it is there for every scanner of the process.
 */
export class Later<T> {
  readonly #load: () => Promise<T>;
  #part: T | undefined;

  constructor(load: () => Promise<T>) {
    this.#load = load;
  }

  /** The part; undefined until it was loaded. */
  get part(): T | undefined {
    return this.#part;
  }

  /** The part, loaded where it is not there yet. */
  async loaded(): Promise<T> {
    this.#part ??= await this.#load();
    return this.#part;
  }
}
