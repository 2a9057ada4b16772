import { AlreadyRefused } from '@azimuth/model';

/** Clock of a port. */
export interface PortClock {
  /** Time (ms) of a clock that never goes back. */
  monotonic(): number;
  /** Runs timers that are due by now: hundreds of responses may be sent before the event loop comes to its timers. */
  catchUp(): void;
}

/** Source of an unexpected error. */
export type ErrorSource = 'http' | 'control';

/** Receives errors that no request waits for. */
export interface ErrorReport {
  /** Never throws. */
  report(where: ErrorSource, error: unknown): void;
  /**
   * Calls `act`. If it throws or rejects, the error is reported and passed to `failed`, unless the request was refused
   * meanwhile. Never throws.
   */
  contain(where: ErrorSource, act: () => unknown, failed?: (error: unknown) => void): void;
}

/** Makes a report that passes each error to `report` only. */
export function errorReport(report: (where: ErrorSource, error: unknown) => void): ErrorReport {
  const contain: ErrorReport['contain'] = (where, act, failed) => {
    const fail = (error: unknown) => {
      if (error instanceof AlreadyRefused) return;
      report(where, error);
      failed?.(error);
    };
    try {
      const done = act();
      if (done instanceof Promise) done.catch(fail);
    } catch (error) {
      fail(error);
    }
  };
  return { report, contain };
}
