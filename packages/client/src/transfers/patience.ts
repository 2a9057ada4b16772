/** Gives a transfer up when nothing has moved for a while: how long the whole takes says nothing, as files differ. */
export class Patience {
  readonly #milliseconds: number;
  readonly #controller = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(milliseconds: number) {
    this.#milliseconds = milliseconds;
    this.renew();
  }

  /** Aborted with a TimeoutError when patience ends. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Something has moved. */
  renew(): void {
    this.end();
    this.#timer = setTimeout(() => {
      this.#controller.abort(new DOMException('nothing moved', 'TimeoutError'));
    }, this.#milliseconds);
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}
