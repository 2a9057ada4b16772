import type { Clock } from '../interfaces/clock.js';
import type { Host } from '../interfaces/host.js';
import { RecentLog } from './recent-log.js';

/** The hardware with a log that remembers its last lines. */
export class LoggedHost implements Host {
  readonly log: RecentLog;
  readonly #host: Host;

  constructor(host: Host, clock: Clock) {
    this.#host = host;
    // One that has begun before the device: it has lines of the start.
    this.log = host.log instanceof RecentLog ? host.log : new RecentLog(host.log, clock);
  }

  temperature(): number {
    return this.#host.temperature();
  }

  contamination(): readonly number[] {
    return this.#host.contamination?.() ?? [];
  }

  encoderSpeed(): number {
    return this.#host.encoderSpeed?.() ?? 0;
  }
}
