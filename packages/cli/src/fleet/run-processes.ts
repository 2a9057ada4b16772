import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pause } from '@azimuth/async';
import { FolderStorage } from '@azimuth/device';
import {
  Gateway,
  GatewayKey,
  knownScanners,
  type MemberFacts,
  type Routes,
  WorkerConnections,
} from '@azimuth/fleet';
import type { DesiredFleet } from '@azimuth/fleet/database';
import { guiFolder } from '@azimuth/server/pages';
import { print, untilInterrupted } from '../output/output.js';
import { logTo } from '../serve/log.js';
import { allowedClients, passwordsOfEnvironment } from '../serve/service-options.js';
import { unpackFleet } from './applied-fleet.js';
import { connectionsFor } from './connection-limits.js';
import { limitGarbage } from './garbage.js';
import { partFolder, spreadOverParts } from './part-folders.js';
import { PartProcess } from './part-process.js';
import { type Reset, resetInParts } from './reset-passwords.js';
import { drainTimes, type RunOptions } from './serve-fleet.js';
import { readyText, started, warnIfOpenToOthers } from './start-reports.js';

/** Maximum wait of a request in ms for a part that starts again. */
const patience = 5000;
/** Poll interval in ms. */
const pollInterval = 50;

/** File in the folder of a fleet: the fleet file at the start of the fleet. */
const fileFolder = 'fleet-file';

/** The scanners of a fleet, and the arguments that choose the same ones in another process. */
export interface ChosenFleet {
  readonly scanners: readonly MemberFacts[];
  /** A fleet file with all files that it names, or the arguments of --count with its options. */
  readonly by: DesiredFleet | readonly string[];
}

/**
 * Runs a fleet in parts behind one port, each in a process of its own, until a signal ends it.
 * @throws CommandFailure if it cannot start
 */
export async function runProcesses(
  { scanners, by }: ChosenFleet,
  options: RunOptions & { readonly processes: number },
  reset: Reset,
): Promise<void> {
  const { host, port, data, processes, bootTime, maxConnections, json, firmwareKey } = options;
  limitGarbage();
  const allowed = allowedClients(options);
  await untilInterrupted(async (signal) => {
    const log = logTo(json === true ? 'json' : 'lines');
    const began = performance.now();
    // Locked while its parts run, so that no other fleet moves their stored data.
    const folder = await started(() => FolderStorage.open(data, log));
    // Its parts accept requests from its port alone.
    const key = randomBytes(32).toString('hex');
    let gateway: Gateway | undefined;
    let parts: readonly PartProcess[] = [];
    try {
      const partOf = await started(() => spreadOverParts(folder, scanners, processes, log));
      await started(() => resetInParts(data, partOf, scanners, reset, log));
      const words = isPacked(by) ? [await unpacked(by, join(data, fileFolder))] : by;
      parts = Array.from({ length: processes }, (_, index) => {
        const own = ['--part', '--data', partFolder(data, index), '--port', '0'];
        const same = ['--boot-time', String(bootTime), '--max-connections', String(maxConnections)];
        if (json === true) same.push('--json');
        const trusted = firmwareKey === undefined ? [] : ['--firmware-key', firmwareKey];
        return new PartProcess({
          log,
          words: ['fleet', 'run', ...words, ...own, ...same, ...trusted],
          key,
        });
      });
      const opened = new Gateway({
        host,
        port,
        maxConnections: connectionsFor([]),
        routes: routesTo(parts, scanners, partOf),
        connections: new WorkerConnections({ key: new GatewayKey(key) }),
        allowed,
        log,
        gui: guiFolder,
        patience,
      });
      gateway = opened;
      const url = await started(() => opened.open());
      await Promise.all(parts.map((part) => part.start()));
      gateway.errors.outlive();
      const milliseconds = Math.round(performance.now() - began);
      await print(readyText({ url, scanners, milliseconds, json }), signal);
      warnIfOpenToOthers(log, { host, scanners, passwords: passwordsOfEnvironment(process.env) });
      if (!signal.aborted) await once(signal, 'abort');
    } finally {
      await gateway?.drain(drainTimes);
      await Promise.all(parts.map((part) => part.close()));
      await rm(join(data, fileFolder), { recursive: true, force: true });
      await folder.close();
      await log.close();
    }
  });
}

async function unpacked(fleet: DesiredFleet, folder: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return unpackFleet(fleet, folder);
}

function isPacked(by: ChosenFleet['by']): by is DesiredFleet {
  return 'yaml' in by;
}

/**
 * Finds the worker of a scanner: its part. While a part starts again, its scanners have no worker.
 * @param partOf the part of each scanner, by its serial number
 */
function routesTo(
  parts: readonly PartProcess[],
  scanners: readonly MemberFacts[],
  partOf: ReadonlyMap<string, number>,
): Routes {
  const known = knownScanners(scanners);
  return {
    scanners: known,
    get workers() {
      return parts.flatMap(({ address }) => address ?? []);
    },
    workerOf: (serial) => parts[partOf.get(serial) ?? -1]?.address,
    refresh: () => pause(pollInterval),
  };
}
