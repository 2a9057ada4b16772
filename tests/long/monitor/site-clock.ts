import { setImmediate } from 'node:timers/promises';
import type { VirtualClock } from '@azimuth/device';
import type { MonitorClock } from '@azimuth/monitor';

/** The clock of one run of a monitor, which ends when the monitor is killed: from then on, no sleep ever ends. */
export class RunClock implements MonitorClock {
  readonly #clock: VirtualClock;
  readonly #sleeps = new Set<() => void>();
  #isKilled = false;

  constructor(clock: VirtualClock) {
    this.#clock = clock;
  }

  /** Number of watches that sleep. The others work. */
  get asleep(): number {
    return this.#sleeps.size;
  }

  get isKilled(): boolean {
    return this.#isKilled;
  }

  now(): number {
    return this.#clock.utc();
  }

  pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
    if (this.#isKilled) return new Promise(() => undefined);
    if (signal?.aborted === true) return Promise.resolve();
    return new Promise((resolve) => {
      const end = () => {
        cancel();
        signal?.removeEventListener('abort', end);
        this.#sleeps.delete(cancel);
        if (!this.#isKilled) resolve();
      };
      const cancel = this.#clock.after(milliseconds, end);
      this.#sleeps.add(cancel);
      signal?.addEventListener('abort', end);
    });
  }

  kill(): void {
    this.#isKilled = true;
    for (const cancel of this.#sleeps) cancel();
    this.#sleeps.clear();
  }
}

/**
 * Lets time pass until then, step by step. At each step, everybody works until nobody has anything to do.
 * @param utc milliseconds since 1970-01-01 UTC
 * @param isQuiet true if nobody works
 */
export async function passUntil(utc: number, clock: VirtualClock, isQuiet: () => boolean): Promise<void> {
  // What was planted just now is noticed before time passes.
  await quiet(isQuiet);
  const end = clock.monotonic() + utc - clock.utc();
  for (let { next } = clock; next !== undefined && next <= end; { next } = clock) {
    clock.advanceTo(next);
    await quiet(isQuiet);
  }
  clock.advanceTo(end);
  await quiet(isQuiet);
}

/** Waits until nobody works. Events that scanners have sent just now arrive meanwhile. */
export async function quiet(isQuiet: () => boolean): Promise<void> {
  for (let turns = 0; turns < 12; turns++) await setImmediate();
  while (!isQuiet()) await setImmediate();
}
