import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { machine, machineText } from './machine.js';
import type { Bench, Measurement } from './measurement.js';
import { measureCommand } from './measurements/command.js';
import { measureCompare } from './measurements/compare.js';
import { measureCoreSocket } from './measurements/core-socket.js';
import { measureFleet } from './measurements/fleet.js';
import { measureFleetHundredThousand } from './measurements/fleet-100000.js';
import { measureFleetAdopted } from './measurements/fleet-adopted.js';
import { measureFleetPostgres } from './measurements/fleet-postgres.js';
import { measureFleetPostgresLarge } from './measurements/fleet-postgres-large.js';
import { measureGet } from './measurements/get.js';
import { measureGrowth } from './measurements/growth.js';
import { measureRaycast } from './measurements/raycast.js';
import { measureRelay } from './measurements/relay.js';
import { measureSave } from './measurements/save.js';
import { measureSegments } from './measurements/segments.js';
import { measureStart } from './measurements/start.js';
import { measureStreams } from './measurements/streams.js';
import { measureTelegram } from './measurements/telegram.js';
import { measureWrite } from './measurements/write.js';
import { help, type MeasurementName, type Options, optionsOf, WrongUsage } from './options.js';
import { root } from './processes/child-program.js';
import { LoadProcess } from './processes/load.js';
import { measurementText, summaryOf } from './report.js';

const measurements: Readonly<Record<MeasurementName, (bench: Bench) => Promise<Measurement>>> = {
  get: measureGet,
  write: measureWrite,
  start: measureStart,
  command: measureCommand,
  save: measureSave,
  raycast: measureRaycast,
  telegram: measureTelegram,
  streams: measureStreams,
  segments: measureSegments,
  'core-socket': measureCoreSocket,
  relay: measureRelay,
  growth: measureGrowth,
  fleet: measureFleet,
  'fleet-adopted': measureFleetAdopted,
  'fleet-100000': measureFleetHundredThousand,
  'fleet-postgres': measureFleetPostgres,
  'fleet-postgres-large': measureFleetPostgresLarge,
};

async function measureAll({ only, compare, rounds, seconds }: Options): Promise<Measurement[]> {
  // The folder for temporary files may be in memory, but saves have to reach a disk.
  const cache = join(root, '.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'bench-data-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  const load = new LoadProcess();
  const done: Measurement[] = [];
  const measure =
    compare === undefined
      ? only.map((name) => ({ name, run: measurements[name] }))
      : [{ name: 'compare', run: (bench: Bench) => measureCompare(bench, compare.reference) }];
  for (const { name, run } of measure) {
    const progress = (text: string) => process.stderr.write(`${name}: ${text}\n`);
    const measured = await run({ load, folder, rounds, seconds, progress });
    process.stdout.write(measurementText(measured));
    done.push(measured);
  }
  await load.close();
  return done;
}

async function main(options: Options): Promise<void> {
  const here = machine();
  process.stdout.write(machineText(here));
  const done = await measureAll(options);
  const targets = done.flatMap((measurement) => measurement.targets);
  const reached = targets.every((target) => target.reached);
  if (targets.length > 0) process.stdout.write(summaryOf(targets));
  if (options.json !== undefined) {
    const { rounds, seconds } = options;
    const all = { machine: here, rounds, seconds, reached, measurements: done };
    writeFileSync(options.json, `${JSON.stringify(all, undefined, 2)}\n`);
  }
  process.exitCode = reached ? 0 : 1;
}

try {
  const options = optionsOf(process.argv.slice(2));
  if (options === undefined) process.stdout.write(help);
  else await main(options);
} catch (error) {
  if (error instanceof WrongUsage) {
    process.stderr.write(`${error.message}\n\n${help}`);
    process.exit(2);
  }
  process.stderr.write(`The bench failed: ${error instanceof Error ? error.stack : String(error)}\n`);
  process.exit(70);
}
