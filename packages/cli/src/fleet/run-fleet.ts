import type { UnitFacts } from '@azimuth/fleet';
import { openWholeStore } from './part-folders.js';
import { type RunOptions, serveFleet } from './serve-fleet.js';

/** Runs a fleet in this process until a signal ends it. @throws CommandFailure if it cannot start */
export async function runFleet(units: readonly UnitFacts[], options: RunOptions): Promise<void> {
  await serveFleet(
    {
      units,
      all: units,
      openStore: (log) => openWholeStore(options.data, units, log),
      readyJson: options.json === true,
    },
    options,
  );
}
