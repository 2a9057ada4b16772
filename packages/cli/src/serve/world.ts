import { basename, extname, join } from 'node:path';
import { type Device, FolderStorage, type MovableClock, type Random } from '@azimuth/device';
import { LogWith, RecentLog } from '@azimuth/device/reports';
import { counted } from '@azimuth/model';
import { notifySystemd, type Ports, ScannerService } from '@azimuth/server';
import { VirtualHardware } from '@azimuth/simulation/virtual-hardware';
import { loadScene, type PlacedScanner, SceneCore, SceneError, World } from '@azimuth/simulation/world';
import { CommandFailure } from '../command-failure.js';
import type { Command } from '../options/command.js';
import { remark } from '../output/output.js';
import { endOnSignal } from './end-on-signal.js';
import type { ServiceLog } from './log.js';
import { ReadyFile } from './ready-file.js';
import {
  controlPortOptions,
  type Options,
  type Prepared,
  plannedFaults,
  serviceOptions,
  vehicleOptions,
} from './service-options.js';
import { startRefusal, warnOfFactoryPasswords } from './startup-output.js';

/** Options of one scanner, which the world file has for each, or which say where a single scanner measures. */
const ofOneScanner = [
  ...['serial', 'scene', 'replay', 'replayOnce', 'replayTopic', 'core', 'coreSocket'],
  ...['store', 'keyFile', 'systemPlug', 'dhcp'],
];
const ofPorts = ['port', 'httpsPort', 'legacyAPort', 'legacyBPort', 'searchPort'];

/** @throws CommandFailure for an option that cannot be used with `--world` */
export function refuseOtherOptions(command: Command): void {
  const isGiven = (name: string) => ['cli', 'env'].includes(command.getOptionValueSource(name) ?? '');
  for (const option of command.options) {
    const name = option.attributeName();
    if (!isGiven(name)) continue;
    if (ofPorts.includes(name) && command.getOptionValue(name) !== 0)
      throw new CommandFailure(`${option.long} cannot be used with --world: the world file has the ports`);
    if (ofOneScanner.includes(name) || (name === 'network' && command.getOptionValue(name) === 'rebind'))
      throw new CommandFailure(`${option.long} cannot be used with --world: it is for a single scanner`);
  }
}

/** What the scanners of a world share. */
interface Shared {
  readonly prepared: Omit<Prepared, 'core'>;
  readonly clock: MovableClock;
  readonly random: Random;
  readonly written: ServiceLog;
}

/** A scanner that runs. */
interface Running {
  readonly name: string;
  readonly service: ScannerService;
}

/** Runs all scanners of a world file until a signal ends them. If one cannot start, none runs. */
export async function serveWorld(file: string, options: Options, shared: Shared): Promise<void> {
  const { clock, written } = shared;
  const world = await loadWorld(file, clock);
  const name = basename(file, extname(file));
  const folder = options.data ?? join('azimuth-data', name);
  const readyFile = options.readyFile === undefined ? undefined : new ReadyFile(options.readyFile);
  const running: Running[] = [];
  const together = new Set<Device>();
  for (const [index, scanner] of world.scanners.entries()) {
    const own = join(folder, scanner.name);
    try {
      const service = await startScanner(scanner, optionsOf(options, scanner, index, own), {
        ...shared,
        world,
        together,
      });
      together.add(service.device);
      warnOfFactoryPasswords(service.device, service.device.hardware.log);
      running.push({ name: scanner.name, service });
    } catch (error) {
      const refusal = startRefusal(error, own);
      if (refusal === undefined) throw error;
      await Promise.all(running.map(({ service }) => service.close()));
      await written.close();
      remark(`${scanner.name}: ${refusal}`);
      process.exit(1);
    }
  }
  running[0]?.service.outliveErrors();
  const status = () => {
    const up = running.filter(({ service }) => isUp(service)).length;
    return `${up} of ${counted(running.length, 'scanner')} up`;
  };
  const systemd = await notifySystemd({ log: written, status });
  endOnSignal(() => Promise.all(running.map(({ service }) => service.close())), written, systemd);
  const line = readyLineOf(running);
  readyFile?.write(line);
  process.stdout.write(options.json ? line : welcomeOf(name, folder, running));
}

async function loadWorld(file: string, clock: MovableClock): Promise<World> {
  try {
    const world = new World({ scene: await loadScene(file), clock });
    if (world.scanners.length > 0) return world;
  } catch (error) {
    if (error instanceof SceneError) throw new CommandFailure(`--world: ${error.message}`);
    throw error;
  }
  throw new CommandFailure(
    `--world: ${basename(file)}: expected "scanners", or "vehicles" with "scanners"; a scene with one scanner is for --scene`,
  );
}

/** Returns the options of one scanner of the world. Control ports and seeds count on from the given ones. */
function optionsOf(options: Options, { serial, ports }: PlacedScanner, index: number, data: string): Options {
  const { controlPort, seed } = options;
  const nextPort = controlPort === undefined || controlPort === 0 ? controlPort : controlPort + index;
  return {
    ...options,
    data,
    serial,
    port: ports.http ?? 0,
    httpsPort: ports.https ?? 0,
    legacyAPort: ports.legacyA ?? 0,
    legacyBPort: ports.legacyB ?? 0,
    searchPort: ports.search ?? 0,
    controlPort: ports.control ?? nextPort,
    seed: seed === undefined ? undefined : (seed + index) % 2 ** 32,
    dnsSd: options.dnsSd === true && ports.http !== undefined,
  };
}

async function startScanner(
  { name }: PlacedScanner,
  options: Options,
  { world, together, prepared, clock, random, written }: Shared & { world: World; together: Set<Device> },
): Promise<ScannerService> {
  const log = new RecentLog(new LogWith(written, () => ({ scanner: name })), clock);
  const hardware = new VirtualHardware(log, {
    bootMilliseconds: options.bootTime * 1000,
    synchronised: options.synchronised,
  });
  const seed = options.seed ?? new DataView(random.bytes(4).slice().buffer).getUint32(0);
  const core = new SceneCore({ world, scanner: name, seed, dirt: hardware });
  const faults = await plannedFaults(options, clock, hardware);
  const control = await controlPortOptions(options, clock, hardware, faults, together);
  const vehicle = name === world.vehicleScanner ? await vehicleOptions(options) : undefined;
  const storage = await FolderStorage.open(options.data ?? name, log);
  try {
    return await ScannerService.start(
      serviceOptions(options, { ...prepared, core }, storage, {
        clock,
        random,
        hardware,
        vehicle,
        faults,
        ...control,
      }),
    );
  } catch (error) {
    await storage.close();
    throw error;
  }
}

function isUp({ device }: ScannerService): boolean {
  return device.lifecycle.phase === 'up';
}

/** Returns the one line for machines: each scanner with its serial number and all ports. */
function readyLineOf(running: readonly Running[]): string {
  const scanners: Record<string, Ports & { readonly serial: string; readonly url: string | null }> = {};
  for (const { name, service } of running)
    scanners[name] = {
      serial: service.device.identity.serialNumber,
      url: service.url ?? null,
      ...service.ports,
    };
  return `${JSON.stringify({ ready: true, scanners, pid: process.pid })}\n`;
}

/** Returns the text for people when all scanners are ready. */
function welcomeOf(world: string, folder: string, running: readonly Running[]): string {
  const width = Math.max(...running.map(({ name }) => name.length));
  const lines = running.map(({ name, service }) => {
    const { control } = service.ports;
    const controls = control === null ? '' : `, control http://127.0.0.1:${control}`;
    return `  ${name.padEnd(width)}  ${service.url ?? 'off'}/api, serial number ${service.device.identity.serialNumber}${controls}`;
  });
  return [`Azimuth: the world ${world} is ready.`, ...lines, `  stored in ${folder}`, ''].join('\n');
}
