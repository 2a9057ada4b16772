import { pause } from '@azimuth/async';
import { Option } from 'commander';
import { CommandFailure } from '../command-failure.js';
import { withKey, withStore } from '../database/database-options.js';
import { fleetRunCommand } from '../fleet/run-command.js';
import {
  busiestScanners,
  countsByState,
  eventLine,
  screen,
  switchedLines,
  table,
  throwFailed,
} from '../fleet/tables.js';
import { Command } from '../options/command.js';
import { asksForJson, jsonText, print, untilInterrupted } from '../output/output.js';
import { createProgram } from '../program.js';
import { Scanners } from '../scanners/each-scanner.js';
import { FleetClient, type ListedScanner, type Power, scannerStates } from '../scanners/fleet-client.js';
import { ControlPort, type SimRun } from '../sim/control-port.js';
import { simCommand } from './sim.js';

interface ClientOptions {
  readonly fleet?: string;
  readonly json?: boolean;
}

/** Default address of a fleet. */
const defaultUrl = 'http://127.0.0.1:8000';

/** Options that select scanners of a fleet. */
const patternHelp = 'a serial number, a part of it with *, or group/*';

/** `azimuth fleet`: many scanners behind one port. See docs/fleet.md. */
export function defineCommand(command: Command): Command {
  command
    .enablePositionalOptions()
    .description(
      'Run many virtual scanners behind one port, act on them, or put a fleet into PostgreSQL. A scanner takes memory only when somebody needs it: docs/fleet.md.',
    );
  for (const subcommand of [
    fleetRunCommand(),
    statusCommand(),
    topCommand(),
    eventsCommand(),
    powerCommand('start', 'on', 'Switch scanners on that are off.'),
    powerCommand('stop', 'off', 'Switch scanners off. What was not saved is lost.'),
    powerCommand('power-cycle', 'cycle', 'Switch scanners off and on again. What was not saved is lost.'),
    simOfFleet(),
    migrateCommand(),
    applyCommand(),
    resealCommand(),
    resetPasswordsCommand(),
  ])
    command.addCommand(subcommand);
  return command.withExamples(
    'azimuth fleet run --count 200',
    'azimuth fleet run hall.yaml',
    'azimuth fleet status',
    'azimuth fleet stop "hall/*"',
    'azimuth fleet sim "hall/*" fault add stream-loss --probability 0.05',
    'azimuth get DeviceIdent --device http://127.0.0.1:8000/scanners/10000007',
  );
}

function withFleet(command: Command): Command {
  return command
    .option('--fleet <url>', `URL of the fleet (default: ${defaultUrl}, env: AZIMUTH_FLEET)`)
    .option('--json', 'print JSON');
}

function fleetClient({ fleet }: ClientOptions): FleetClient {
  return new FleetClient(fleet ?? (process.env.AZIMUTH_FLEET || defaultUrl));
}

function statusCommand(): Command {
  const command = new Command('status')
    .summary('list the scanners and their state')
    .description(
      'List the scanners of a running fleet: state, requests, what is unsaved, faults. Real scanners also have their location. Scanners in trouble come first.',
    )
    .argument('[scanners]', `${patternHelp} (default: all)`)
    .addOption(new Option('--state <state>', 'only those in this state').choices(scannerStates))
    .action(async (pattern?: string) => {
      const options = command.opts<ClientOptions & { readonly state?: string }>();
      const client = fleetClient(options);
      const scanners = await client.scanners(pattern, options.state, 'trouble');
      if (scanners.length === 0) await requireMatch(client, pattern);
      await printLines(options.json === true ? scanners.map((one) => jsonText(one)) : table(scanners));
    });
  return withFleet(command).withExamples(
    'azimuth fleet status',
    'azimuth fleet status "hall/*"',
    'azimuth fleet status --state failed',
    'azimuth fleet status --json | jq .serialNumber',
  );
}

/** @throws CommandFailure if the pattern matches no scanner in any state */
async function requireMatch(client: FleetClient, pattern: string | undefined): Promise<void> {
  if (pattern === undefined || (await client.scanners(pattern)).length > 0) return;
  throw new CommandFailure(`no scanner of the fleet matches "${pattern}"`);
}

/** Refresh interval of `top` in ms. */
const refreshInterval = 1000;

function topCommand(): Command {
  const command = new Command('top')
    .summary('show the busiest scanners, until Ctrl-C')
    .description('Show each second how many scanners are in each state, and the busiest ones, until Ctrl-C.')
    .argument('[scanners]', `${patternHelp} (default: all)`)
    .action(async (pattern?: string) => {
      const options = command.opts<ClientOptions>();
      const client = fleetClient(options);
      await requireMatch(client, pattern);
      await untilInterrupted(async (signal) => {
        let refreshedAt = performance.now();
        for (let before: readonly ListedScanner[] | undefined; !signal.aborted; ) {
          const [whole, scanners] = await Promise.all([client.overview(), client.scanners(pattern)]);
          const now = performance.now();
          const seconds = (now - refreshedAt) / 1000;
          refreshedAt = now;
          const overview = pattern === undefined ? whole : { ...whole, ...countsByState(scanners) };
          const lines =
            options.json === true
              ? [jsonText({ ...overview, busiest: busiestScanners(scanners, before, seconds) })]
              : screen(overview, scanners, before, seconds);
          await print(`${lines.join('\n')}\n`, signal);
          before = scanners;
          await pause(refreshInterval, signal);
        }
      });
    });
  return withFleet(command).withExamples(
    'azimuth fleet top',
    'azimuth fleet top "hall/*"',
    'azimuth fleet top --json',
  );
}

function eventsCommand(): Command {
  const command = new Command('events')
    .summary('follow what happens to the scanners, until Ctrl-C')
    .description(
      'Print what happens to scanners of a running fleet, until Ctrl-C: power, starts and failures, reboots, faults, saves, detections, and changes of DeviceStatus, of the temperature alarm and of contamination.',
    )
    .argument('[scanners]', `${patternHelp} (default: all)`)
    .action(async (pattern?: string) => {
      const options = command.opts<ClientOptions>();
      const client = fleetClient(options);
      await requireMatch(client, pattern);
      await untilInterrupted(async (signal) => {
        for await (const event of client.events(pattern, signal)) {
          const line = options.json === true ? jsonText(event) : eventLine(event);
          await print(`${line}\n`, signal);
        }
        throw new CommandFailure('the fleet has ended', 'unreachable');
      });
    });
  return withFleet(command).withExamples(
    'azimuth fleet events',
    'azimuth fleet events "hall/*"',
    'azimuth fleet events --json | jq -c \'select(.event == "failed")\'',
  );
}

function powerCommand(name: string, power: Power, text: string): Command {
  const command = new Command(name)
    .summary(`${text.charAt(0).toLowerCase()}${text.slice(1).replace(/\..*$/, '')}`)
    .description(text)
    .argument('<scanners>', `${patternHelp}; *: all`)
    .action(async (pattern: string) => {
      const options = command.opts<ClientOptions>();
      const switched = await fleetClient(options).power(pattern, power);
      await printLines(
        options.json === true ? [jsonText({ ...switched, power })] : switchedLines(switched, power),
      );
      throwFailed(switched, pattern);
    });
  return withFleet(command).withExamples(`azimuth fleet ${name} 10000007`, `azimuth fleet ${name} "hall/*"`);
}

function simOfFleet(): Command {
  const command = new Command('sim')
    .summary('azimuth sim for scanners of the fleet')
    .description(
      'Do what azimuth sim does, for one scanner of a fleet or for many, one after the other: faults, scenes, temperature, dirt and more.',
    )
    .argument('<scanners>', `${patternHelp}; *: all`)
    .argument('<words...>', 'what follows azimuth sim')
    .passThroughOptions()
    .action(async (pattern: string, given: string[]) => {
      const options = command.opts<ClientOptions>();
      const { fleet = options.fleet, words } = fleetIn(given);
      const json = options.json === true || asksForJson(words);
      const run = simOfScanners(fleetClient({ fleet }), pattern, json);
      const program = createProgram([simCommand(new Command('sim'), run)], json);
      await program.parseAsync(['sim', ...words], { from: 'user' });
    });
  return withFleet(command).withExamples(
    'azimuth fleet sim 10000007 temperature 60',
    'azimuth fleet sim "hall/*" scene gate',
    'azimuth fleet sim "*" fault add stream-loss --probability 0.05',
  );
}

/**
 * Runs a command of `azimuth sim` for scanners of a fleet, one after the other. With a pattern, the output has the
 * serial number of each, and the run continues after a failure.
 */
function simOfScanners(client: FleetClient, pattern: string, json: boolean): SimRun {
  return async ({ control }, act) => {
    if (control !== undefined)
      throw new CommandFailure('--control: the scanners of a fleet are reached by its port: give --fleet');
    const listed = await client.scanners(pattern);
    const [first, ...others] = listed.map(({ serialNumber, path }) => ({ label: serialNumber, path }));
    if (first === undefined) throw new CommandFailure(`no scanner of the fleet matches "${pattern}"`);
    const chosen = { targets: [first, ...others], several: pattern.includes('*') } as const;
    const scanners = new Scanners(chosen, { json, atOnce: 1 });
    await scanners.each(({ path }, output) => act(new ControlPort(`${client.url}${path}/x/sim`), output));
    scanners.finish();
  };
}

/** Splits the option --fleet from the words for another command. Words after `--` are values. */
function fleetIn(given: readonly string[]): { readonly fleet?: string; readonly words: readonly string[] } {
  const end = given.indexOf('--');
  const isFleet = (word: string) => word === '--fleet' || word.startsWith('--fleet=');
  const at = given.slice(0, end < 0 ? given.length : end).findIndex(isFleet);
  if (at < 0) return { words: given };
  const [option = '', next] = given.slice(at);
  const isSeparate = option !== '--fleet';
  const fleet = isSeparate ? option.slice('--fleet='.length) : next;
  if (fleet === undefined) throw new CommandFailure('--fleet: expected a URL behind it');
  return { fleet, words: given.toSpliced(at, isSeparate ? 1 : 2) };
}

function migrateCommand(): Command {
  const command = withStore(new Command('migrate'))
    .summary('make the tables of a fleet in a database, or bring them up to date')
    .description(
      'Make the tables of a fleet in a PostgreSQL database, or bring them up to date. Workers and gateways refuse tables of another version.',
    )
    .action(async () => {
      const { runMigrate } = await import('../fleet/database-commands.js');
      await runMigrate(command.opts());
    });
  return command.withExamples('azimuth fleet migrate --store postgres://owner@db/azimuth');
}

function applyCommand(): Command {
  const command = withKey(withStore(new Command('apply')))
    .summary('put a fleet file into a database, for the workers to run')
    .description(
      'Put a fleet file into a PostgreSQL database, with the scenes and faults that it names. The workers run its scanners from then on. Applying it again changes nothing.',
    )
    .argument('<file>', 'the fleet file (YAML)')
    .option('--dry-run', 'only check the file')
    .option('--json', 'print JSON')
    .action(async (file: string) => {
      const { runApply } = await import('../fleet/database-commands.js');
      await runApply(file, command.opts());
    });
  return command.withExamples(
    'azimuth fleet apply hall.yaml --dry-run',
    'azimuth fleet apply hall.yaml --store postgres://azimuth@db/azimuth',
  );
}

function resealCommand(): Command {
  const command = withKey(withStore(new Command('reseal')))
    .summary('seal secret documents in a database with another key')
    .description(
      'Seal the secret documents of a fleet in a PostgreSQL database with the first key of the deployment, if another one of its keys has sealed them. It is a step of changing the key: docs/fleet-postgres.md. Workers may run meanwhile.',
    )
    .option('--json', 'print JSON')
    .action(async () => {
      const { runReseal } = await import('../fleet/database-commands.js');
      await runReseal(command.opts());
    });
  return command.withExamples('azimuth fleet reseal --key-file keys --store postgres://owner@db/azimuth');
}

function resetPasswordsCommand(): Command {
  const command = withKey(withStore(new Command('reset-passwords')))
    .summary('give scanners in a database the passwords of the factory, or others')
    .description(
      'Give scanners of a fleet in a PostgreSQL database new passwords: those of the factory, or of AZIMUTH_PASSWORD_<LEVEL>. It is for whoever owns the database, if passwords are lost or damaged. They count from the next power-on of each scanner.',
    )
    .argument('<serials...>', 'serial numbers')
    .action(async (serials: string[]) => {
      const { runResetPasswords } = await import('../fleet/database-commands.js');
      await runResetPasswords(serials, command.opts());
    });
  return command.withExamples(
    'azimuth fleet reset-passwords 23000007 --key-file keys --store postgres://owner@db/azimuth',
  );
}

async function printLines(lines: readonly string[]): Promise<void> {
  if (lines.length > 0) await print(`${lines.join('\n')}\n`);
}
