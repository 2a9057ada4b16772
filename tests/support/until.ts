import { setTimeout as pause } from 'node:timers/promises';

/** Asks again and again, shortly apart, until the answer is yes; throws after `limit` milliseconds of real time. */
export async function until(
  what: string,
  question: () => boolean | Promise<boolean>,
  limit = 20_000,
): Promise<void> {
  const deadline = performance.now() + limit;
  while (!(await question())) {
    if (performance.now() > deadline) throw new Error(`${what}: not within ${limit} ms`);
    await pause(2);
  }
}
