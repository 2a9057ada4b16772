import { FleetStore, GatewayKey, type ScannerFacts, type WorkerRole } from '@azimuth/fleet';
import { ignoreClosedOutput, signals } from '../output/output.js';
import { scannersOfPart } from './part-folders.js';
import { partKey } from './part-process.js';
import { type RunOptions, serveFleet } from './serve-fleet.js';

/**
 * Runs a part of a fleet, as a process of `--processes` does, until a signal ends it, or the process that has started it ends.
 * @param all the scanners of the whole fleet: the folder of the part says which of them are its own
 * @throws CommandFailure if it cannot start
 */
export async function runPart(all: readonly ScannerFacts[], options: RunOptions): Promise<void> {
  const units = await scannersOfPart(options.data, all);
  await serveFleet(
    {
      units,
      all,
      openStore: (log) => FleetStore.open(options.data, log),
      role: roleOfPart(),
      until: untilParentEnds,
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

/**
 * Runs an action until the process that has started this one ends it, or ends itself. Signals that a terminal or a supervisor sends
 * to all processes of the fleet do not end a part: its scanners still answer what the port of the fleet has taken.
 */
async function untilParentEnds(act: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const over = new AbortController();
  process.stdin.once('end', () => over.abort()).resume();
  // It does not keep this process running.
  process.stdin.unref();
  for (const name of signals) process.on(name, ignore);
  ignoreClosedOutput();
  await act(over.signal);
}

function ignore(): void {}
