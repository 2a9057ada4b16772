/** The clock of whoever has a port. */
export interface PortClock {
  /** ms of a clock that never goes back. */
  monotonic(): number;
  /** Does what is due by now: hundreds of requests may be answered before the event loop comes to its timers. */
  catchUp(): void;
}

/** Where an unexpected error came up. */
export type PortPlace = 'http' | 'control';

/** Takes errors that no request waits for. */
export interface ErrorReport {
  /** Never throws. */
  report(where: PortPlace, error: unknown): void;
  /** Calls `act`. If it throws or rejects, the error is reported and passed to `failed`. Never throws. */
  contain(where: PortPlace, act: () => unknown, failed?: (error: unknown) => void): void;
}

/** The report of a port of which only `told` hears. */
export function errorReport(told: (where: PortPlace, error: unknown) => void): ErrorReport {
  const contain: ErrorReport['contain'] = (where, act, failed) => {
    const report = (error: unknown) => {
      told(where, error);
      failed?.(error);
    };
    try {
      const done = act();
      if (done instanceof Promise) done.catch(report);
    } catch (error) {
      report(error);
    }
  };
  return { report: told, contain };
}
