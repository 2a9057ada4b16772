import { pause } from '@azimuth/async';

/** Time of a monitor. Tests pass a clock of their own. */
export interface MonitorClock {
  /** Milliseconds since 1970-01-01 UTC. */
  now(): number;
  /** Waits this many milliseconds, or until the signal aborts. It never rejects. */
  pause(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

/** The clock of this computer. */
export const systemClock: MonitorClock = { now: () => Date.now(), pause };
