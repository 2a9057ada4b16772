import { setImmediate as turn } from 'node:timers/promises';

/** Starts in progress at the same time, as long as none of them waits. */
const defaultAtOnce = 8;

/** Largest number of starts in progress, if they wait for a slow disk: they share its writes. */
const mostAtOnce = 64;

/**
 * ms after which running starts count as waiting for the disk, and the next one begins. It is about the CPU time of one
 * start.
 */
const patience = 10;

/**
 * The starts of scanners, which need milliseconds of CPU time each. They begin one after the other, each in a pass of the
 * event loop of its own, so that running scanners are served in between. Starts with waiting clients come first.
 */
export class StartQueue {
  readonly #awaited: (() => Promise<unknown>)[] = [];
  readonly #others: (() => Promise<unknown>)[] = [];
  #underWay = 0;
  #isBeginning = false;
  #ended = () => {};

  /** Starts a scanner with waiting clients. @returns the result of `start` */
  now<T>(start: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#awaited.push(() => start().then(resolve, reject));
      void this.#begin();
    });
  }

  /** Starts a scanner when no client waits for another one. @param start handles its errors itself */
  later(start: () => Promise<unknown>): void {
    this.#others.push(start);
    void this.#begin();
  }

  async #begin(): Promise<void> {
    if (this.#isBeginning) return;
    this.#isBeginning = true;
    while (this.#awaited.length + this.#others.length > 0) {
      if (this.#underWay >= defaultAtOnce) await this.#room();
      const start = this.#awaited.shift() ?? this.#others.shift();
      if (start === undefined) break;
      this.#underWay++;
      void start().finally(() => {
        this.#underWay--;
        this.#ended();
      });
      await turn();
    }
    this.#isBeginning = false;
  }

  /** Fulfilled when a start has ended, or when all running starts only wait. */
  #room(): Promise<void> {
    return new Promise((resolve) => {
      const timer = this.#underWay < mostAtOnce ? setTimeout(resolve, patience) : undefined;
      this.#ended = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
