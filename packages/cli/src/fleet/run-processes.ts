import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Gateway, type Routes, type UnitFacts, WorkerConnections } from '@azimuth/fleet';
import { newestRelease } from '@azimuth/model';
import { CommandFailure } from '../command-failure.js';
import { guiFolder } from '../gui/gui-folder.js';
import { print, untilInterrupted } from '../output.js';
import { logTo } from '../serve/log.js';
import { partOfUnit } from './part.js';
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
  const { host, port, data, processes, bootTime, json } = options;
  refuseOtherParts(data, processes);
  await untilInterrupted(async (signal) => {
    const log = logTo(json === true ? 'json' : 'lines');
    const began = performance.now();
    const workers = Array.from({ length: processes }, (_, index) => {
      const own = ['--part', `${index}/${processes}`, '--data', partFolder(data, index)];
      const same = ['--port', '0', '--json', '--boot-time', String(bootTime)];
      return new WorkerProcess({ log, words: ['fleet', 'run', ...words, ...own, ...same] });
    });
    const gateway = new Gateway({
      host,
      port,
      maxConnections: connectionsFor([]),
      routes: routesTo(workers, units),
      connections: new WorkerConnections(),
      gui: guiFolder,
      patience,
    });
    const url = await started(() => gateway.open());
    try {
      await Promise.all(workers.map((worker) => worker.start()));
      const milliseconds = Math.round(performance.now() - began);
      await print(readyText({ url, units, milliseconds, json }), signal);
      if (!signal.aborted) await once(signal, 'abort');
    } finally {
      gateway.close();
      await Promise.all(workers.map((worker) => worker.close()));
      await log.close();
    }
  });
}

/** Each scanner stays in its process. While a process starts again, its scanners have no worker. */
function routesTo(workers: readonly WorkerProcess[], units: readonly UnitFacts[]): Routes {
  const places = new Map(units.map(({ serial }, place) => [serial, partOfUnit(place, workers.length)]));
  const scanners = units.map(({ serial, group, release = newestRelease }) => ({ serial, group, release }));
  return {
    scanners: new Map(scanners.map((one) => [one.serial, one])),
    get workers() {
      return workers.flatMap(({ address }) => address ?? []);
    },
    workerOf: (serial) => workers[places.get(serial) ?? -1]?.address,
    look: () => pause(lookEvery),
  };
}

const partName = /^part-\d+$/;

function partFolder(data: string, index: number): string {
  return join(data, `part-${index}`);
}

/** A folder holds what its scanners have stored in as many parts as there were processes. @throws CommandFailure */
export function refuseOtherParts(data: string, processes: number): void {
  if (!existsSync(data)) return;
  const names = readdirSync(data);
  const parts = names.filter((name) => partName.test(name)).length;
  const found = parts > 0 ? parts : names.includes('journal') ? 1 : processes;
  if (found === processes) return;
  throw new CommandFailure(
    `${data} was written by ${found} ${found === 1 ? 'process' : 'processes'}: use --processes ${found}, or another folder with --data`,
  );
}
