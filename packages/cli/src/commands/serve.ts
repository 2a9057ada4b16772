import { join, resolve } from 'node:path';
import { type Device, FolderPlug, isSerialNumber, type Log, SystemRandom } from '@azimuth/device';
import { RecentLog } from '@azimuth/device/reports';
import { notifySystemd, ScannerService } from '@azimuth/server';
import { VirtualHardware } from '@azimuth/simulation/virtual-hardware';
import { CommandFailure, exitCodes } from '../command-failure.js';
import type { Command } from '../options/command.js';
import { ignoreClosedOutput, remark } from '../output/output.js';
import { chosenProduct } from '../serve/chosen-product.js';
import { chosenCore } from '../serve/core.js';
import { endOnSignal } from '../serve/end-on-signal.js';
import { logTo, type ServiceLog } from '../serve/log.js';
import { affordableConnections } from '../serve/open-files.js';
import { ReadyFile } from '../serve/ready-file.js';
import { resolveSwitches, serveOptions, useAnyPorts } from '../serve/serve-options.js';
import {
  allowedClients,
  chosenClock,
  controlPortOptions,
  defaultSerial,
  type Options,
  passwordsOfEnvironment,
  plannedFaults,
  readFirmwareKey,
  serviceOptions,
  typedPasswords,
  vehicleOptions,
} from '../serve/service-options.js';
import {
  readyLine,
  startRefusal,
  systemdStatus,
  warnOfFactoryPasswords,
  welcome,
} from '../serve/startup-output.js';
import { openStorage } from '../serve/storage.js';

/** `azimuth serve`: a scanner. Every flag can also be given as AZIMUTH_<NAME>. */
export function defineCommand(command: Command): Command {
  command.description(
    'Run a scanner until Ctrl-C (SIGINT) or SIGTERM. The end is like a power cut: parameters that were not saved are lost.',
  );
  for (const option of serveOptions()) command.addOption(option);
  return command
    .addHelpText(
      'after',
      `
Examples:
  azimuth serve
  azimuth serve --any-ports --json --data /tmp/scanner
  azimuth serve --any-ports --ready-file /tmp/ready.json
  AZIMUTH_PASSWORD_SERVICE=… azimuth serve --host 0.0.0.0
  azimuth serve --firmware 2.1.0 --serial 23450001 --control-port 9000
  azimuth serve --scene gate --seed 7
  azimuth serve --faults lossy.yaml
  AZIMUTH_STORE=postgres://… AZIMUTH_FLEET_KEY=… azimuth serve
  azimuth serve --world agv.json --control-port 9000
  azimuth serve --replay monday.pcap --replay-speed 0.5
  azimuth serve --core my-core.mjs
  azimuth serve --core-socket /run/scanner/core.sock
  azimuth serve --product acme.mjs --data /var/lib/acme
  azimuth serve --network rebind --dhcp 127.0.0.42/8`,
    )
    .action(() => serve(command));
}

/** Runs a scanner until a signal ends it. If it cannot start, it prints one line and ends with exit code 1. */
export async function serve(command: Command): Promise<void> {
  resolveSwitches(command);
  useAnyPorts(command);
  const options = command.opts<Options>();
  if (options.world !== undefined) {
    const { refuseOtherOptions } = await import('../serve/world.js');
    refuseOtherOptions(command);
  }
  if (options.serial !== undefined && !isSerialNumber(options.serial))
    throw new CommandFailure('--serial: expected up to 9 letters and digits');
  if (options.readyFile === '') throw new CommandFailure('--ready-file: expected the name of a file');
  if (options.data === '') throw new CommandFailure('--data: expected the name of a folder');
  const passwords = { ...passwordsOfEnvironment(process.env), ...typedPasswords(options.password) };
  const allowed = allowedClients(options);
  const product = await chosenProduct(command, options.product, {
    option: 'firmware',
    typed: options.firmware,
  });
  const firmwareKey = await readFirmwareKey(options);
  const clock = chosenClock(options, (message, fields) => log.warn(message, fields));
  ignoreClosedOutput();
  const written = logTo(options.json ? 'json' : 'lines');
  // From the first line on, for diagnostic archives.
  const log: RecentLog = new RecentLog(written, clock);
  const random = new SystemRandom();
  if (options.world !== undefined) {
    const { serveWorld } = await import('../serve/world.js');
    const prepared = { passwords, firmwareKey, allowed, product };
    const maxConnections = allowedConnections(options, log);
    await serveWorld(options.world, { ...options, maxConnections }, { prepared, clock, random, written });
    return;
  }
  const hardware = new VirtualHardware(log, {
    bootMilliseconds: options.bootTime * 1000,
    synchronised: options.synchronised,
  });
  hardware.offerLease(options.dhcp);
  const withDevice: ((device: Device) => void)[] = [];
  const onDevice = (act: (device: Device) => void) => void withDevice.push(act);
  const core = await chosenCore(options, { clock, log, random, hardware, onDevice });
  const faults = await plannedFaults(options, clock, hardware);
  const control = await controlPortOptions(options, clock, hardware, faults);
  const vehicle = await vehicleOptions(options);
  const folder = options.data ?? join('azimuth-data', options.serial ?? defaultSerial);
  if (options.store !== undefined && command.getOptionValueSource('data') === 'cli')
    throw new CommandFailure(
      '--store and --data: the scanner stores in a database or in a folder; give one of them',
    );
  if (options.store !== undefined)
    await (await import('../database/database-options.js')).deploymentKeys(options);
  insertPlug(hardware, options.systemPlug, folder);
  const readyFile = options.readyFile === undefined ? undefined : new ReadyFile(options.readyFile);
  try {
    const { storage, stored } = await openStorage({
      folder,
      store: options.store,
      keyFile: options.keyFile,
      lease: options.lease,
      serial: options.serial ?? defaultSerial,
      log,
      lost: (why) => void endLost(why, written),
    });
    const service = await ScannerService.start(
      serviceOptions(
        { ...options, maxConnections: allowedConnections(options, log) },
        { passwords, firmwareKey, core, allowed, product },
        storage,
        { clock, random, hardware: hardware, vehicle, faults, ...control },
      ),
    );
    service.outliveErrors();
    for (const act of withDevice) act(service.device);
    const systemd = await notifySystemd({ log: written, status: () => systemdStatus(service) });
    endOnSignal(() => service.close(), written, systemd);
    const line = readyLine({ ...service.ports, pid: process.pid });
    readyFile?.write(line);
    process.stdout.write(options.json ? line : welcome({ stored, service }));
    warnOfFactoryPasswords(service.device, log);
  } catch (error) {
    const refusal = startRefusal(error, folder);
    if (refusal === undefined) throw error;
    await written.close();
    remark(refusal);
    // An open lock or listener would keep the process alive.
    process.exit(1);
  }
}

/** @throws CommandFailure if the plug is the folder of the scanner */
function insertPlug(hardware: VirtualHardware, plug: string | undefined, folder: string): void {
  if (plug === undefined) return;
  if (plug === '') throw new CommandFailure('--system-plug: expected the name of a folder');
  if (resolve(plug) === resolve(folder)) {
    throw new CommandFailure('--system-plug: expected another folder than that of the scanner');
  }
  hardware.setSystemPlug(new FolderPlug(plug, hardware.log));
}

/**
 * Returns `--max-connections`, or fewer if the process may open fewer files: then it could not even refuse further
 * ones.
 */
function allowedConnections({ maxConnections }: Options, log: Log): number {
  const affordable = affordableConnections();
  if (affordable === undefined || affordable >= maxConnections) return maxConnections;
  log.warn(
    'The limit of open files of this process is too low for --max-connections: fewer connections are allowed',
    {
      wanted: maxConnections,
      connections: affordable,
    },
  );
  return affordable;
}

/** Stops the scanner: another process runs it now, so the answers of this one would be outdated. */
async function endLost(why: string, log: ServiceLog): Promise<void> {
  log.error('The scanner ends', { reason: why });
  await log.close();
  process.exit(exitCodes.refused.code);
}
