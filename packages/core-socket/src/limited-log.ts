import type { Clock, Log, LogFields } from '@azimuth/device';
import { logLimit } from './limits.js';

interface Count {
  readonly since: number;
  lines: number;
  leftOut: number;
}

/**
 * Writes a few lines of each kind within some seconds: a core may fail, or reconnect, a thousand times a second. The next
 * line says how many were left out.
 */
export class LimitedLog {
  readonly #log: Log;
  readonly #clock: Clock;
  readonly #counts = new Map<string, Count>();

  constructor(log: Log, clock: Clock) {
    this.#log = log;
    this.#clock = clock;
  }

  /** @param message also the kind of the line: a fixed text */
  write(level: keyof Log, message: string, fields: LogFields = {}): void {
    const now = this.#clock.monotonic();
    const before = this.#counts.get(message);
    const isOver = before === undefined || now - before.since >= logLimit.time;
    const count = isOver ? { since: now, lines: 0, leftOut: before?.leftOut ?? 0 } : before;
    this.#counts.set(message, count);
    if (count.lines >= logLimit.lines) {
      count.leftOut += 1;
      return;
    }
    count.lines += 1;
    this.#log[level](message, count.leftOut > 0 ? { ...fields, leftOut: count.leftOut } : fields);
    count.leftOut = 0;
  }
}
