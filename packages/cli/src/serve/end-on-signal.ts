import type { Systemd } from '@azimuth/server';
import type { ServiceLog } from './log.js';

/** Closes scanners at the first SIGINT or SIGTERM, and ends the process. */
export function endOnSignal(
  close: () => Promise<unknown>,
  log: ServiceLog,
  systemd: Systemd | undefined,
): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      systemd?.stopping();
      void close()
        .finally(() => log.close())
        .finally(() => process.exit(0));
    });
  }
}
