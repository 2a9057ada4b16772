/** What a wait needs of a connection. */
export interface WaitingClock {
  readonly pause: (ms: number) => Promise<void>;
  /** ms on a clock that never goes back. */
  readonly now: () => number;
}

/** How long a wait lasts at most: pauses, and what passes while a scanner does not answer. */
export class WaitLimit {
  readonly #clock: WaitingClock;
  readonly #begin: number;
  #paused = 0;

  /**
   * @param ms the limit
   * @param since when it began, in words: `after its reboot`
   */
  constructor(
    clock: WaitingClock,
    readonly ms: number,
    readonly since = '',
  ) {
    this.#clock = clock;
    this.#begin = clock.now();
  }

  /** ms so far. */
  get waited(): number {
    return Math.max(this.#paused, this.#clock.now() - this.#begin);
  }

  /** ms that are left, at least 0. */
  get left(): number {
    return Math.max(0, this.ms - this.waited);
  }

  get isOver(): boolean {
    return this.left === 0;
  }

  /** The limit in words: `within 600 s after its reboot`. */
  get text(): string {
    return `within ${this.ms / 1000} s ${this.since}`.trimEnd();
  }

  /** Waits that many milliseconds, and not beyond the limit. */
  async pause(ms: number): Promise<void> {
    const time = Math.min(ms, this.left);
    await this.#clock.pause(time);
    this.#paused += time;
  }
}
