import type { MonitorClock } from '../../src/clock.js';
import type { LogEntry } from '../../src/log/log-entry.js';

/** Noon of a day in UTC. */
export const noon = Date.UTC(2026, 10, 29, 12);
export const day = 24 * 3_600_000;

/** An entry about the monitor, with this text. */
export function told(text: string, at = noon): LogEntry {
  return { kind: 'monitor', at, scanner: '', text };
}

/** What identifies an entry of `told`, or of any other kind. */
export function textOf(entry: LogEntry): string {
  return 'text' in entry ? entry.text : entry.kind;
}

/** A clock whose pauses end at once, and move it. */
export class FastClock implements MonitorClock {
  #now: number;
  pauses = 0;

  constructor(now = noon) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  async pause(milliseconds: number): Promise<void> {
    this.#now += milliseconds;
    this.pauses += 1;
    await new Promise(setImmediate);
  }
}

export async function allOf<T>(source: AsyncIterable<T>): Promise<readonly T[]> {
  const all: T[] = [];
  for await (const each of source) all.push(each);
  return all;
}
