import { setImmediate } from 'node:timers/promises';
import type { MonitorClock } from '../../src/clock.js';

interface Sleep {
  until: number;
  readonly end: () => void;
}

/** A clock that stands until a test moves it on. */
export class TestClock implements MonitorClock {
  readonly #sleeps = new Set<Sleep>();
  #now: number;
  #woken = 0;

  constructor(now = Date.UTC(2026, 0, 15, 12)) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted === true) return Promise.resolve();
    return new Promise((resolve) => {
      const end = () => {
        this.#sleeps.delete(sleep);
        signal?.removeEventListener('abort', end);
        this.#woken++;
        resolve();
      };
      const sleep: Sleep = { until: this.#now + milliseconds, end };
      this.#sleeps.add(sleep);
      signal?.addEventListener('abort', end);
    });
  }

  /** Lets these seconds pass: each sleep ends at its time, and what follows from it is done before the next one. */
  async advance(seconds: number): Promise<void> {
    const end = this.#now + seconds * 1000;
    await settled(() => this.#woken);
    for (let next = this.#next; next !== undefined && next.until <= end; next = this.#next) {
      this.#now = Math.max(this.#now, next.until);
      next.end();
      await settled(() => this.#woken);
    }
    this.#now = end;
  }

  /** Moves the clock itself, as somebody who sets it. Sleeps take as long as they would have. */
  set(now: number): void {
    for (const sleep of this.#sleeps) sleep.until += now - this.#now;
    this.#now = now;
  }

  get #next(): Sleep | undefined {
    return [...this.#sleeps].toSorted((one, other) => one.until - other.until)[0];
  }
}

/** Waits until promises that wait for promises only are settled, and nothing wakes up any more. */
async function settled(wakes: () => number): Promise<void> {
  for (let before = -1; before !== wakes(); ) {
    before = wakes();
    for (let turn = 0; turn < 3; turn++) await setImmediate();
  }
}
