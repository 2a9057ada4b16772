import { setImmediate } from 'node:timers/promises';
import type { MonitorClock } from '../../src/clock.js';

interface Pause {
  readonly at: number;
  readonly over: () => void;
}

/** A clock that stands still until the test moves it. */
export class ManualClock implements MonitorClock {
  #now = Date.UTC(2026, 5, 1, 12);
  readonly #pauses = new Set<Pause>();

  now(): number {
    return this.#now;
  }

  pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted || milliseconds <= 0) return Promise.resolve();
    return new Promise((resolve) => {
      const pause: Pause = {
        at: this.#now + milliseconds,
        over: () => {
          this.#pauses.delete(pause);
          resolve();
        },
      };
      this.#pauses.add(pause);
      signal?.addEventListener('abort', pause.over, { once: true });
    });
  }

  /** Moves the time forward. Each pause ends at its time, and what waits for it goes on before the next one ends. */
  async advance(milliseconds: number): Promise<void> {
    const until = this.#now + milliseconds;
    await setImmediate();
    for (let next = this.#next(until); next !== undefined; next = this.#next(until)) {
      this.#now = Math.max(this.#now, next.at);
      next.over();
      await setImmediate();
    }
    this.#now = until;
  }

  /** The pause that ends first, up to this time. */
  #next(until: number): Pause | undefined {
    return [...this.#pauses]
      .filter(({ at }) => at <= until)
      .toSorted((one, other) => one.at - other.at)
      .at(0);
  }
}
