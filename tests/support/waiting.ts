import { setTimeout as pause } from 'node:timers/promises';

// Taken here, before a test can put fake timers in its place. The pauses of `node:timers/promises` are never faked.
const realTime = performance.now.bind(performance);

/** ms between two checks of a condition: at first, and at most. A question asked all the time keeps the one asked from going on. */
const least = 2;
const most = 25;

/** Checks a condition until it is true, the less often the longer it takes. Throws after `limit` milliseconds of real time. */
export async function until(question: () => boolean | Promise<boolean>, limit = 20_000): Promise<void> {
  const begin = realTime();
  while (!(await question())) {
    const passed = realTime() - begin;
    if (passed > limit) throw new Error(`not within ${limit} ms: ${question}`);
    await pause(Math.min(most, least + passed / 20));
  }
}

/** Runs everything that waits only for settled promises. */
export async function promisesSettled(): Promise<void> {
  await new Promise<void>((resolve) => {
    setImmediate(resolve);
  });
}

/** A promise that a test resolves when it is time. */
export interface Latch {
  readonly opened: Promise<void>;
  open(): void;
}

export function latch(): Latch {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}

/** A queue whose reader waits for the next item. */
export class AsyncQueue<T> {
  readonly #items: T[] = [];
  readonly #readers: ((item: T) => void)[] = [];

  push(item: T): void {
    const reader = this.#readers.shift();
    if (reader === undefined) this.#items.push(item);
    else reader(item);
  }

  next(): Promise<T> {
    const item = this.#items.shift();
    if (item !== undefined) return Promise.resolve(item);
    return new Promise((resolve) => this.#readers.push(resolve));
  }

  /** Number of unread items. */
  get length(): number {
    return this.#items.length;
  }
}
