import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Command, Option } from 'commander';
import { CommandFailure } from '../command-failure.js';
import { withStore } from '../database/database-options.js';
import { type Power, switchedLines, throwFailed } from '../fleet/power.js';
import { simOfScanners } from '../fleet/sim-of-fleet.js';
import { eventLine, ratesOf, screen, table } from '../fleet/tables.js';
import { numberOption, portOption, wholeNumberOption } from '../option-values.js';
import { withExamples } from '../options.js';
import { asksForJson, print, untilInterrupted } from '../output.js';
import { programOf } from '../program.js';
import { FleetClient, type ListedScanner } from '../targets/fleet-client.js';
import { simCommand } from './sim.js';

interface ClientOptions {
  readonly fleet?: string;
  readonly json?: boolean;
}

interface RunCommandOptions extends ClientOptions {
  readonly count?: number;
  readonly firstSerial: number;
  readonly ownPorts?: number;
  readonly host: string;
  readonly port: number;
  readonly data: string;
  readonly bootTime: number;
  readonly dryRun?: boolean;
  readonly processes: number;
  readonly part?: boolean;
}

/** `azimuth fleet`: many scanners in one process. See docs/fleet.md. */
export function fleetCommand(): Command {
  const command = new Command('fleet')
    .enablePositionalOptions()
    .description(
      'Run many virtual scanners in one process, behind one port, and act on those of a running fleet. A scanner takes memory only when somebody needs it: docs/fleet.md.',
    );
  for (const part of [
    runCommand(),
    statusCommand(),
    topCommand(),
    eventsCommand(),
    powerCommand('start', 'on', 'Switch scanners on that are off.'),
    powerCommand('stop', 'off', 'Switch scanners off. What was not saved is lost.'),
    powerCommand('power-cycle', 'cycle', 'Switch scanners off and on again. What was not saved is lost.'),
    simOfFleet(),
    migrateCommand(),
    applyCommand(),
  ])
    command.addCommand(part);
  return withExamples(
    command,
    'azimuth fleet run --count 200',
    'azimuth fleet run hall.yaml',
    'azimuth fleet status',
    'azimuth fleet stop "hall/*"',
    'azimuth fleet sim "hall/*" fault add stream-loss --probability 0.05',
    'azimuth get DeviceIdent --device http://127.0.0.1:8000/scanners/10000007',
  );
}

function runCommand(): Command {
  const command = new Command('run')
    .summary('run a fleet until Ctrl-C')
    .description(
      'Run a fleet until Ctrl-C: the scanners of a file, or --count of them. All are reached by one port: /scanners lists them, /scanners/SERIAL/api is one of them.',
    )
    .argument('[file]', 'the fleet file (YAML)')
    .addOption(
      new Option('--count <scanners>', 'without a file: how many').argParser(wholeNumberOption(1, 100_000)),
    )
    .addOption(
      new Option('--first-serial <number>', 'with --count: the serial number of the first one')
        .default(10_000_001)
        .argParser(wholeNumberOption(1, 999_000_000)),
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
      new Option(
        '--processes <number>',
        'run so many processes, each with a part of the scanners: those that stream are spread evenly',
      )
        .default(1)
        .argParser(wholeNumberOption(1, 256)),
    )
    .addOption(new Option('--part').hideHelp())
    .option('--dry-run', 'check the file, and list its scanners')
    .option('--json', 'print the ready line and the log as JSON')
    .action(async (file: string | undefined) => {
      const options = command.opts<RunCommandOptions>();
      const units = await unitsOf(file, options);
      if (options.dryRun === true) {
        await printLines(
          units.map(({ serial, group, ports }) =>
            [serial, group, ports === undefined ? '' : `${ports.host}:${ports.http}`].join('  ').trimEnd(),
          ),
        );
        return;
      }
      if (options.processes > 1) {
        const { runProcesses } = await import('../fleet/run-processes.js');
        await runProcesses(units, options, sameScanners(file, options));
        return;
      }
      const { runFleet } = await import('../fleet/run-fleet.js');
      await runFleet(units, options);
    });
  return withExamples(
    command,
    'azimuth fleet run --count 200',
    'azimuth fleet run --count 20 --own-ports 8101',
    'azimuth fleet run hall.yaml --dry-run',
    'azimuth fleet run hall.yaml --port 9000 --data /var/lib/hall',
    'azimuth fleet run --count 400 --processes 4',
  );
}

/** The words that choose the same scanners in another process. */
function sameScanners(
  file: string | undefined,
  { count, firstSerial, ownPorts }: RunCommandOptions,
): readonly string[] {
  if (file !== undefined) return [file];
  const ports = ownPorts === undefined ? [] : ['--own-ports', String(ownPorts)];
  return ['--count', String(count), '--first-serial', String(firstSerial), ...ports];
}

async function unitsOf(
  file: string | undefined,
  { count, firstSerial, ownPorts, host, port }: RunCommandOptions,
) {
  if ((file === undefined) === (count === undefined)) {
    throw new CommandFailure('expected a fleet file, or --count: azimuth fleet run --count 20');
  }
  const { plainUnits, unitsOfFile } = await import('../fleet/fleet-file.js');
  if (file !== undefined) {
    if (ownPorts !== undefined)
      throw new CommandFailure('--own-ports: with a fleet file, give its groups a port');
    return unitsOfFile(file, { host, port });
  }
  const wanted = count ?? 0;
  if (ownPorts !== undefined && ownPorts + wanted > 65_536)
    throw new CommandFailure(`--own-ports: ${wanted} ports from ${ownPorts} on are more than there are`);
  const { portsOf } = await import('../fleet/numbering.js');
  return plainUnits(wanted, firstSerial, (index) =>
    ownPorts === undefined ? undefined : portsOf({ firstPort: ownPorts }, index),
  );
}

function withFleet(command: Command): Command {
  return command
    .option('--fleet <url>', 'URL of the fleet (default: http://127.0.0.1:8000, env: AZIMUTH_FLEET)')
    .option('--json', 'print JSON');
}

function clientOf({ fleet }: ClientOptions): FleetClient {
  return new FleetClient(fleet ?? (process.env.AZIMUTH_FLEET || 'http://127.0.0.1:8000'));
}

function statusCommand(): Command {
  const command = new Command('status')
    .summary('list the scanners and their state')
    .description('List the scanners of a running fleet: state, requests, what is unsaved, faults.')
    .argument('[scanners]', 'a serial number, a part of it with *, or group/* (default: all)')
    .action(async (pattern?: string) => {
      const options = command.opts<ClientOptions>();
      const client = clientOf(options);
      const scanners = await client.scanners(pattern);
      if (pattern !== undefined && scanners.length === 0)
        throw new CommandFailure(`no scanner of the fleet matches "${pattern}"`);
      await printLines(options.json === true ? scanners.map((one) => JSON.stringify(one)) : table(scanners));
    });
  return withExamples(
    withFleet(command),
    'azimuth fleet status',
    'azimuth fleet status "hall/*"',
    'azimuth fleet status --json | jq .serialNumber',
  );
}

/** ms between two looks of `top`. */
const lookEvery = 1000;

function topCommand(): Command {
  const command = new Command('top')
    .summary('show the busiest scanners, until Ctrl-C')
    .description('Show each second how many scanners are in each state, and the busiest ones, until Ctrl-C.')
    .action(async () => {
      const options = command.opts<ClientOptions>();
      const client = clientOf(options);
      await untilInterrupted(async (signal) => {
        for (let before: readonly ListedScanner[] | undefined; !signal.aborted; ) {
          const [overview, scanners] = await Promise.all([client.overview(), client.scanners()]);
          const lines =
            options.json === true
              ? [JSON.stringify({ ...overview, busiest: ratesOf(scanners, before) })]
              : screen(overview, scanners, before);
          await print(`${lines.join('\n')}\n`, signal);
          before = scanners;
          await setTimeout(lookEvery, undefined, { signal }).catch(() => undefined);
        }
      });
    });
  return withExamples(withFleet(command), 'azimuth fleet top', 'azimuth fleet top --json');
}

function eventsCommand(): Command {
  const command = new Command('events')
    .summary('follow what happens to the scanners, until Ctrl-C')
    .description(
      'Print what happens to scanners of a running fleet, until Ctrl-C: power, starts and failures, reboots, faults, saves, and changes of DeviceStatus, of the temperature alarm and of contamination.',
    )
    .argument('[scanners]', 'a serial number, a part of it with *, or group/* (default: all)')
    .action(async (pattern?: string) => {
      const options = command.opts<ClientOptions>();
      const client = clientOf(options);
      await untilInterrupted(async (signal) => {
        for await (const event of client.events(pattern, signal)) {
          const line = options.json === true ? JSON.stringify(event) : eventLine(event);
          await print(`${line}\n`, signal);
        }
        throw new CommandFailure('the fleet has ended', 'unreachable');
      });
    });
  return withExamples(
    withFleet(command),
    'azimuth fleet events',
    'azimuth fleet events "hall/*"',
    'azimuth fleet events --json | jq -c \'select(.event == "failed")\'',
  );
}

function powerCommand(name: string, power: Power, text: string): Command {
  const command = new Command(name)
    .summary(`${text.charAt(0).toLowerCase()}${text.slice(1).replace(/\..*$/, '')}`)
    .description(text)
    .argument('<scanners>', 'a serial number, a part of it with *, group/*, or * for all')
    .action(async (pattern: string) => {
      const options = command.opts<ClientOptions>();
      const switched = await clientOf(options).power(pattern, power);
      await printLines(
        options.json === true ? [JSON.stringify({ ...switched, power })] : switchedLines(switched, power),
      );
      throwFailed(switched, pattern);
    });
  return withExamples(withFleet(command), `azimuth fleet ${name} 10000007`, `azimuth fleet ${name} "hall/*"`);
}

function simOfFleet(): Command {
  const command = new Command('sim')
    .summary('azimuth sim for scanners of the fleet')
    .description(
      'Do what azimuth sim does, for one scanner of a fleet or for many, one after the other: faults, scenes, temperature, dirt and more.',
    )
    .argument('<scanners>', 'a serial number, a part of it with *, group/*, or * for all')
    .argument('<words...>', 'what follows azimuth sim')
    .passThroughOptions()
    .action(async (pattern: string, words: string[]) => {
      const options = command.opts<ClientOptions>();
      const json = options.json === true || asksForJson(words);
      const run = simOfScanners(clientOf(options), pattern, json);
      const program = programOf([simCommand(run)], json);
      await program.parseAsync(['sim', ...words], { from: 'user' });
    });
  return withExamples(
    withFleet(command),
    'azimuth fleet sim 10000007 temperature 60',
    'azimuth fleet sim "hall/*" scene gate',
    'azimuth fleet sim "*" fault add stream-loss --probability 0.05',
  );
}

function migrateCommand(): Command {
  const command = withStore(new Command('migrate'))
    .summary('make the tables of a fleet in a database, or bring them up to date')
    .description(
      'Make the tables of a fleet in a PostgreSQL database, or bring them up to date. Workers and gateways refuse tables of another version.',
    )
    .action(async () => {
      const { runMigrate } = await import('../fleet/apply-fleet.js');
      await runMigrate(command.opts());
    });
  return withExamples(command, 'azimuth fleet migrate --store postgres://owner@db/azimuth');
}

function applyCommand(): Command {
  const command = withStore(new Command('apply'))
    .summary('put a fleet file into a database, for the workers to run')
    .description(
      'Put a fleet file into a PostgreSQL database, with the scenes and faults that it names. The workers run its scanners from then on. Applying it again changes nothing.',
    )
    .argument('<file>', 'the fleet file (YAML)')
    .option('--dry-run', 'only check the file')
    .option('--json', 'print JSON')
    .action(async (file: string) => {
      const { runApply } = await import('../fleet/apply-fleet.js');
      await runApply(file, command.opts());
    });
  return withExamples(
    command,
    'azimuth fleet apply hall.yaml --dry-run',
    'azimuth fleet apply hall.yaml --store postgres://azimuth@db/azimuth',
  );
}

async function printLines(lines: readonly string[]): Promise<void> {
  if (lines.length > 0) await print(`${lines.join('\n')}\n`, new AbortController().signal);
}
