import { type After, bySystem, doubledPause, pause } from '@azimuth/async';

/** First and longest pause in ms before something that has failed is begun again. */
const firstPause = 500;
const longestPause = 10_000;

/**
 * Time in ms for which work goes on after nobody wants it any more: a viewer that ends a subscription and begins it again, as
 * when its layout changes, finds it running.
 */
export const lingering = 5000;

/** Work that runs until the signal is aborted. It calls `works` when it does what it is for. */
export type Work = (signal: AbortSignal, works: () => void) => Promise<void>;

export interface WhileWantedOptions {
  readonly work: Work;
  /** Told why the work has failed, before it is begun again; undefined when it works. */
  readonly onState?: (failure: string | undefined) => void;
  /** Waits; by default by the timers of the system. */
  readonly wait?: typeof pause;
  /** Counts the time until the work ends; by default by the timers of the system. */
  readonly after?: After;
}

/**
 * Work that runs while at least one wants it, and longer by `lingering`. If it fails, it begins again after a pause, which grows
 * with each failure.
 * It never runs twice at the same time: what it has to restore at its end is restored before it begins again.
 */
export class WhileWanted {
  readonly #options: WhileWantedOptions;
  #wanted = 0;
  #stop: AbortController | undefined;
  /** Cancels the end that is due. */
  #cancelEnd: (() => void) | undefined;
  #over: Promise<void> = Promise.resolve();

  constructor(options: WhileWantedOptions) {
    this.#options = options;
  }

  /** True while it is wanted, or was so short a time ago that its work goes on. */
  get isRunning(): boolean {
    return this.#wanted > 0 || this.#cancelEnd !== undefined;
  }

  /** Wants the work from now on. @returns ends that; further calls of it do nothing */
  want(): () => void {
    this.#wanted++;
    if (this.#wanted === 1 && !this.#goesOn()) this.#begin();
    let wants = true;
    return () => {
      if (!wants) return;
      wants = false;
      this.#wanted--;
      if (this.#wanted === 0) this.#endLater();
    };
  }

  /** Ends the work, even if it is wanted. Resolves when it has ended. */
  async close(): Promise<void> {
    this.#cancelEnd?.();
    this.#stop?.abort();
    await this.#over;
  }

  /** Lets work that was about to end go on. @returns false if none does */
  #goesOn(): boolean {
    if (this.#cancelEnd === undefined) return false;
    this.#cancelEnd();
    this.#cancelEnd = undefined;
    return true;
  }

  #endLater(): void {
    const { after = bySystem({ keepsAlive: false }) } = this.#options;
    this.#cancelEnd = after(lingering, () => {
      this.#cancelEnd = undefined;
      this.#stop?.abort();
    });
  }

  #begin(): void {
    const stop = new AbortController();
    this.#stop = stop;
    this.#over = this.#over.then(() => this.#repeat(stop.signal));
  }

  async #repeat(signal: AbortSignal): Promise<void> {
    const { work, onState, wait = pause } = this.#options;
    let failures = 0;
    const works = () => {
      failures = 0;
      onState?.(undefined);
    };
    while (!signal.aborted) {
      const failure = await failureOf(work(signal, works));
      if (signal.aborted) return;
      onState?.(failure);
      await wait(doubledPause(firstPause, failures++, longestPause), signal);
    }
  }
}

async function failureOf(work: Promise<void>): Promise<string> {
  try {
    await work;
    return 'it ended';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
