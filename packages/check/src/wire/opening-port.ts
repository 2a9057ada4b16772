import { setTimeout } from 'node:timers/promises';
import { NoAnswer } from './http-exchange.js';

/** Pause between two attempts in ms. */
const pause = 50;

/**
 * Makes a connection. While its port is closed, it is tried again until the time is over: after a boot, a scanner may answer REST
 * before it has opened all of its ports.
 * @param timeoutMs longest time until the connection stands
 * @param connected makes it within the ms that are left
 * @throws NoAnswer of the last attempt, and at once what has other reasons than a closed port
 */
export async function whilePortOpens<T>(
  timeoutMs: number,
  connected: (left: number) => Promise<T>,
): Promise<T> {
  const end = performance.now() + timeoutMs;
  for (;;) {
    try {
      return await connected(Math.max(1, end - performance.now()));
    } catch (error) {
      if (!isClosedPort(error) || performance.now() + pause >= end) throw error;
    }
    await setTimeout(pause);
  }
}

function isClosedPort(error: unknown): boolean {
  if (!(error instanceof NoAnswer) || !(error.cause instanceof Error)) return false;
  return 'code' in error.cause && error.cause.code === 'ECONNREFUSED';
}
