/** Work that goes on from `open` to `close`. Opening it twice does no harm. */
export class WhileOpen {
  readonly #work: (aborted: AbortSignal) => Promise<void>;
  #stop: AbortController | undefined;

  /** @param work ends when its signal is aborted */
  constructor(work: (aborted: AbortSignal) => Promise<void>) {
    this.#work = work;
  }

  open(): void {
    if (this.#stop !== undefined) return;
    this.#stop = new AbortController();
    void this.#work(this.#stop.signal);
  }

  close(): void {
    this.#stop?.abort();
    this.#stop = undefined;
  }
}
