import type { ScannerFacts } from '@azimuth/fleet';
import { openWholeStore } from './part-folders.js';
import { type Reset, resetPasswords } from './reset-passwords.js';
import { type RunOptions, serveFleet } from './serve-fleet.js';

/** Runs a fleet in this process until a signal ends it. @throws CommandFailure if it cannot start */
export async function runFleet(
  units: readonly ScannerFacts[],
  options: RunOptions,
  reset: Reset,
): Promise<void> {
  await serveFleet(
    {
      units,
      all: units,
      openStore: async (log) => {
        const store = await openWholeStore(options.data, units, log);
        await resetPasswords(store, units, reset, log);
        return store;
      },
      readyJson: options.json === true,
    },
    options,
  );
}
