import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { FolderStorage } from '@azimuth/device';
import {
  Gateway,
  GatewayKey,
  knownScanners,
  type Routes,
  type UnitFacts,
  WorkerConnections,
} from '@azimuth/fleet';
import { guiFolder } from '../gui/gui-folder.js';
import { print, untilInterrupted } from '../output.js';
import { logTo } from '../serve/log.js';
import { allowedOf, passwordsOfEnvironment } from '../serve/service-options.js';
import { warnIfOpenToOthers } from './open-to-others.js';
import { partFolder, placeInParts } from './part-folders.js';
import { connectionsFor, type RunOptions, readyText, started } from './run-fleet.js';
import { WorkerProcess } from './worker-process.js';

/** ms that a request waits for a process that starts again. */
const patience = 5000;
/** ms between two looks whether it has. */
const lookEvery = 50;

/**
 * Runs a fleet in several processes behind one port, until a signal ends it.
 * @param words what chooses the scanners: a file, or --count with its options
 * @throws CommandFailure if it cannot start
 */
export async function runProcesses(
  units: readonly UnitFacts[],
  options: RunOptions & { readonly processes: number },
  words: readonly string[],
): Promise<void> {
  const { host, port, data, processes, bootTime, json, firmwareKey } = options;
  const allowed = allowedOf(options);
  await untilInterrupted(async (signal) => {
    const log = logTo(json === true ? 'json' : 'lines');
    const began = performance.now();
    // Locked while its processes run, so that no other fleet moves what they store.
    const folder = await started(() => FolderStorage.open(data, log));
    // Its processes take requests from its port alone.
    const key = randomBytes(32).toString('hex');
    let gateway: Gateway | undefined;
    let workers: readonly WorkerProcess[] = [];
    try {
      const places = await started(() => placeInParts(folder, units, processes, log));
      workers = Array.from({ length: processes }, (_, index) => {
        const own = ['--part', '--data', partFolder(data, index), '--port', '0'];
        const same = ['--boot-time', String(bootTime), ...(json === true ? ['--json'] : [])];
        const trusted = firmwareKey === undefined ? [] : ['--firmware-key', firmwareKey];
        return new WorkerProcess({
          log,
          words: ['fleet', 'run', ...words, ...own, ...same, ...trusted],
          key,
        });
      });
      const opened = new Gateway({
        host,
        port,
        maxConnections: connectionsFor([]),
        routes: routesTo(workers, units, places),
        connections: new WorkerConnections({ key: new GatewayKey(key) }),
        allowed,
        log,
        gui: guiFolder,
        patience,
      });
      gateway = opened;
      const url = await started(() => opened.open());
      await Promise.all(workers.map((worker) => worker.start()));
      gateway.errors.outlive();
      const milliseconds = Math.round(performance.now() - began);
      await print(readyText({ url, units, milliseconds, json }), signal);
      warnIfOpenToOthers(log, { host, units, passwords: passwordsOfEnvironment(process.env) });
      if (!signal.aborted) await once(signal, 'abort');
    } finally {
      await gateway?.close();
      await Promise.all(workers.map((worker) => worker.close()));
      await folder.close();
      await log.close();
    }
  });
}

/**
 * Each scanner stays in its process. While a process starts again, its scanners have no worker.
 * @param places the process of each scanner, by its serial number
 */
function routesTo(
  workers: readonly WorkerProcess[],
  units: readonly UnitFacts[],
  places: ReadonlyMap<string, number>,
): Routes {
  const scanners = knownScanners(units);
  return {
    scanners,
    get workers() {
      return workers.flatMap(({ address }) => address ?? []);
    },
    workerOf: (serial) => workers[places.get(serial) ?? -1]?.address,
    look: () => pause(lookEvery),
  };
}
