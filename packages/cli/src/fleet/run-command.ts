import { join } from 'node:path';
import { Option } from 'commander';
import { CommandFailure } from '../command-failure.js';
import { Command } from '../options/command.js';
import { collect, numberOption, portOption, wholeNumberOption } from '../options/option-values.js';
import { print } from '../output/output.js';
import { maxConnectionsEach } from './connection-limits.js';
import { withFirmwareKey, withNames } from './fleet-options.js';
import { maxScanners, scannerPorts } from './numbering.js';
import type { ChosenFleet } from './run-processes.js';
import type { RunOptions } from './serve-fleet.js';
import { scannerLines } from './tables.js';

interface RunCommandOptions extends RunOptions {
  readonly count?: number;
  readonly firstSerial?: number;
  readonly dryRun?: boolean;
  readonly processes: number;
  /** Patterns of scanners whose passwords are reset. */
  readonly resetPasswords: readonly string[];
  /** True in the process of a part: the folder lists its scanners. */
  readonly part?: boolean;
}

const defaultFirstSerial = 10_000_001;

/** `azimuth fleet run`. */
export function fleetRunCommand(): Command {
  const command = withFirmwareKey(withNames(new Command('run')))
    .summary('run a fleet until Ctrl-C')
    .description(
      'Run a fleet until Ctrl-C: the scanners of a file, or --count of them. All are reached by one port: /scanners lists them, /scanners/SERIAL/api is one of them.',
    )
    .argument('[file]', 'the fleet file (YAML)')
    .addOption(
      new Option('--count <scanners>', 'without a file: how many').argParser(
        wholeNumberOption(1, maxScanners),
      ),
    )
    .addOption(
      new Option(
        '--first-serial <number>',
        `with --count: the serial number of the first one (default: ${defaultFirstSerial})`,
      ).argParser(wholeNumberOption(1, 999_000_000)),
    )
    .addOption(
      new Option(
        '--own-ports <first>',
        'with --count: each has a port for HTTP of its own, from this one on',
      ).argParser(portOption),
    )
    .addOption(
      new Option('--port <port>', 'port of the fleet; 0: any free one').default(8000).argParser(portOption),
    )
    .option('--host <address>', 'address at which it listens', '127.0.0.1')
    .option('--data <folder>', 'folder for what the scanners store', join('azimuth-data', 'fleet'))
    .addOption(
      new Option('--boot-time <seconds>', 'how long a reboot takes')
        .default(2)
        .argParser(numberOption(0, 3600)),
    )
    .addOption(
      new Option('--max-connections <number>', 'connections at the same time to the ports of each scanner')
        .default(maxConnectionsEach)
        .argParser(wholeNumberOption(1, 10_000)),
    )
    .addOption(
      new Option('--processes <number>', 'number of processes; each runs a part of the scanners')
        .default(1)
        .argParser(wholeNumberOption(1, 256)),
    )
    .addOption(
      new Option(
        '--reset-passwords <scanners>',
        'give scanners (a serial number, a part of it with *, group/*) the passwords of the factory, or those of AZIMUTH_PASSWORD_<LEVEL>: for the owner of this computer; repeatable',
      )
        .argParser(collect)
        .default([], 'none'),
    )
    .addOption(new Option('--part').hideHelp())
    .option('--dry-run', 'check the file, and list its scanners')
    .option('--json', 'print the ready line and the log as JSON; with --dry-run, the scanners')
    .action(async (file: string | undefined) => {
      const options = command.opts<RunCommandOptions>();
      const chosen = await chosenFleet(file, options);
      const { scanners } = chosen;
      if (options.dryRun === true) {
        const lines = scannerLines(scanners, options.json === true);
        await print(`${lines.join('\n')}\n`);
        return;
      }
      const { passwordsOfEnvironment } = await import('../serve/service-options.js');
      const reset = { patterns: options.resetPasswords, passwords: passwordsOfEnvironment(process.env) };
      if (options.processes > 1) {
        const { runProcesses } = await import('./run-processes.js');
        await runProcesses(chosen, options, reset);
        return;
      }
      if (options.part === true) {
        const { runPart } = await import('./serve-fleet.js');
        await runPart(scanners, options);
        return;
      }
      const { runFleet } = await import('./serve-fleet.js');
      await runFleet(scanners, options, reset);
    });
  return command.withExamples(
    'azimuth fleet run --count 200',
    'azimuth fleet run --count 20 --own-ports 8101',
    'azimuth fleet run hall.yaml --dry-run',
    'azimuth fleet run hall.yaml --port 9000 --data /var/lib/hall',
    'azimuth fleet run --count 400 --processes 4',
    'azimuth fleet run hall.yaml --firmware-key keys/firmware-public.pem',
  );
}

/** Returns the arguments that choose the same scanners in another process. */
function sameScanners({ count, firstSerial, ownPorts }: RunCommandOptions): readonly string[] {
  const serial = firstSerial === undefined ? [] : ['--first-serial', String(firstSerial)];
  const ports = ownPorts === undefined ? [] : ['--own-ports', String(ownPorts)];
  return ['--count', String(count), ...serial, ...ports];
}

async function chosenFleet(file: string | undefined, options: RunCommandOptions): Promise<ChosenFleet> {
  const { count, firstSerial, ownPorts, host, port, processes } = options;
  if (file !== undefined && count !== undefined)
    throw new CommandFailure('--count: with a fleet file, its groups say how many');
  if (file !== undefined && ownPorts !== undefined)
    throw new CommandFailure('--own-ports: with a fleet file, give its groups a port');
  if (file !== undefined && firstSerial !== undefined)
    throw new CommandFailure('--first-serial: with a fleet file, give its groups serial or first');
  const { plainScanners, scannersOfFile } = await import('./fleet-file.js');
  if (file !== undefined) {
    if (processes === 1) return { scanners: await scannersOfFile(file, { host, port }), by: [file] };
    // Read once: parts that start again later have the same scanners.
    const { packedFleet } = await import('./applied-fleet.js');
    const { scanners, ...by } = await packedFleet(file, { fleetPlace: { host, port } });
    return { scanners, by };
  }
  if (count === undefined)
    throw new CommandFailure('expected a fleet file, or --count: azimuth fleet run --count 20');
  const by = sameScanners(options);
  const first = firstSerial ?? defaultFirstSerial;
  if (ownPorts === undefined) return { scanners: plainScanners(count, first, () => undefined), by };
  if (ownPorts === 0) throw new CommandFailure('--own-ports: expected a port from 1 to 65535, got 0');
  if (ownPorts + count > 65_536)
    throw new CommandFailure(`--own-ports: ${count} ports from ${ownPorts} on are more than there are`);
  const { UsedAddresses } = await import('./used-addresses.js');
  const places = new UsedAddresses({ host, port });
  const scanners = plainScanners(count, first, (index) => {
    const ports = scannerPorts({ firstPort: ownPorts }, index);
    const conflict = places.reserve(ports, 'the fleet');
    if (conflict !== undefined) throw new CommandFailure(`--own-ports: ${conflict}`);
    return ports;
  });
  return { scanners, by };
}
