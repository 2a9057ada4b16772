import { setImmediate as turn } from 'node:timers/promises';

/** Starts under way at the same time: while one waits for the disk, another one goes on. */
const mostAtOnce = 4;

/**
 * The starts of scanners, which take milliseconds of CPU time each. A few are under way at a time, and one begins in each pass
 * of the event loop, so that scanners that run are served between them. Starts that somebody waits for come first.
 */
export class StartQueue {
  readonly #awaited: (() => Promise<unknown>)[] = [];
  readonly #others: (() => Promise<unknown>)[] = [];
  #underWay = 0;
  #isBeginning = false;

  /** Starts a scanner that somebody waits for. @returns as `start` */
  now<T>(start: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#awaited.push(() => start().then(resolve, reject));
      void this.#begin();
    });
  }

  /** Starts a scanner when nobody waits for another one. @param start settles its errors itself */
  later(start: () => Promise<unknown>): void {
    this.#others.push(start);
    void this.#begin();
  }

  async #begin(): Promise<void> {
    if (this.#isBeginning) return;
    this.#isBeginning = true;
    while (this.#underWay < mostAtOnce) {
      const start = this.#awaited.shift() ?? this.#others.shift();
      if (start === undefined) break;
      this.#underWay++;
      void start().finally(() => {
        this.#underWay--;
        void this.#begin();
      });
      await turn();
    }
    this.#isBeginning = false;
  }
}
