/**
 * Collects what is thrown outside of every call, as in a timer, until it is disposed of. Meanwhile the listeners of the test
 * runner get nothing: they cannot say which mutant has thrown.
 */
export class StrayErrors {
  readonly #errors: unknown[] = [];
  readonly #exceptionListeners = process.listeners('uncaughtException');
  readonly #rejectionListeners = process.listeners('unhandledRejection');
  readonly #collect = (error: unknown) => {
    this.#errors.push(error);
  };

  constructor() {
    process.removeAllListeners('uncaughtException').on('uncaughtException', this.#collect);
    process.removeAllListeners('unhandledRejection').on('unhandledRejection', this.#collect);
  }

  /** The first one; undefined if there is none. */
  get first(): unknown {
    return this.#errors[0];
  }

  [Symbol.dispose](): void {
    process.off('uncaughtException', this.#collect);
    process.off('unhandledRejection', this.#collect);
    for (const listener of this.#exceptionListeners) process.on('uncaughtException', listener);
    for (const listener of this.#rejectionListeners) process.on('unhandledRejection', listener);
  }
}
