import { FleetStore, GatewayKey, type UnitFacts, type WorkerRole } from '@azimuth/fleet';
import { unitsOfPart } from './part-folders.js';
import { partKey } from './part-process.js';
import { type RunOptions, serveFleet } from './serve-fleet.js';

/**
 * Runs a part of a fleet, as a process of `--processes` does, until a signal ends it, or the process that has started it ends.
 * @param all the scanners of the whole fleet: the folder of the part says which of them are its own
 * @throws CommandFailure if it cannot start
 */
export async function runPart(all: readonly UnitFacts[], options: RunOptions): Promise<void> {
  const units = await unitsOfPart(options.data, all);
  endWithParent();
  await serveFleet(
    {
      units,
      all,
      openStore: (log) => FleetStore.open(options.data, log),
      role: roleOfPart(),
      // The process that has started it reads there how to reach it.
      readyJson: true,
    },
    options,
  );
}

/** A part answers only the process that has started it. */
function roleOfPart(): WorkerRole {
  const key = new GatewayKey(process.env[partKey] ?? '');
  return { key, owns: () => true, notReady: () => undefined, metrics: () => '' };
}

/** A part is of no use without the process that has started it. */
function endWithParent(): void {
  process.stdin.once('end', () => process.kill(process.pid, 'SIGTERM')).resume();
  // Nor does it keep this one running.
  process.stdin.unref();
}
