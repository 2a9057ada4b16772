import type { KeyObject } from 'node:crypto';
import { join, resolve } from 'node:path';
import {
  FolderPlug,
  FolderStorage,
  isSerialNumber,
  type Log,
  type MovableClock,
  openFactoryPasswords,
  RecentLog,
  SystemClock,
  SystemRandom,
} from '@azimuth/device';
import { releases, variants } from '@azimuth/model';
import { type ControlOptions, ScannerService } from '@azimuth/server';
import { searchPort } from '@azimuth/telegrams/device-search';
import { ptpEventPort, ptpGeneralPort } from '@azimuth/telegrams/ptp/ports';
import { VirtualHost } from '@azimuth/world';
import { Command, Option } from 'commander';
import { CommandFailure } from '../command-failure.js';
import { publicKeyIn } from '../firmware/keys.js';
import {
  collect,
  leaseOption,
  numberOption,
  portOption,
  settleSwitches,
  wholeNumberOption,
} from '../option-values.js';
import { ignoreClosedOutput, printable } from '../output.js';
import { coreOf } from '../serve/core.js';
import { logTo, type ServiceLog } from '../serve/log.js';
import { affordableConnections } from '../serve/open-files.js';
import {
  allowedOf,
  defaultHttpsPort,
  defaultSerial,
  type Options,
  passwordsOf,
  passwordsOfEnvironment,
  serviceOptions,
} from '../serve/service-options.js';
import { readyLine, refusalOf, welcome } from '../serve/startup-output.js';

/** An option that the environment may give too; a variable that is empty counts as not there. */
function fromEnvironment(option: Option): Option {
  const variable = `AZIMUTH_${option.name().replaceAll('-', '_').toUpperCase()}`;
  // A password has a variable for each level; AZIMUTH_PASSWORD is the one that a client logs in with.
  if (option.name() === 'password' || option.negate || process.env[variable] === '') return option;
  return option.env(variable);
}

/** `azimuth serve`: a scanner. Every flag can also be given as AZIMUTH_<NAME>. */
export function serveCommand(): Command {
  const command = new Command('serve').description(
    'Run a scanner until Ctrl-C (SIGINT) or SIGTERM. The end is like a power cut: parameters that were not saved are lost.',
  );
  const options = [
    new Option('--host <address>', 'address to listen at; see also --network').default('127.0.0.1'),
    new Option(
      '--port <port>',
      'HTTP port; 0: any free port, so that several scanners can run on this computer',
    )
      .default(8080)
      .argParser(portOption),
    new Option(
      '--https-port <port>',
      `HTTPS port; 0: any free port. The scanner opens it when it has a certificate bundle (default: ${defaultHttpsPort}, or 0 if --port is 0)`,
    ).argParser(portOption),
    new Option(
      '--legacy-a-port <port>',
      'port of legacy interface A, instead of EtherAuxIPPort; 0: any free port',
    ).argParser(portOption),
    new Option(
      '--legacy-b-port <port>',
      'port of legacy interface B, instead of EtherHostIPPort; 0: any free port',
    ).argParser(portOption),
    new Option('--search-port <port>', 'UDP port of the device search; 0: any free port')
      .default(searchPort)
      .argParser(portOption),
    new Option('--dns-sd', 'announce the web server by DNS-SD').default(true),
    new Option('--no-dns-sd', 'do not announce the web server'),
    new Option(
      '--data <folder>',
      'folder in which the scanner stores its parameters and files (default: ./azimuth-data/<serial>)',
    ),
    new Option(
      '--system-plug <folder>',
      'system plug in the connector: a folder that exists (default: none); see docs/system-plug.md',
    ),
    new Option(
      '--firmware <release>',
      'release to run (default: the release stored in the folder; the newest if the folder is new)',
    ).choices(releases),
    new Option(
      '--variant <variant>',
      'equipment of the scanner. core: without fields, IMU, encoder, contamination indication and recorder',
    )
      .choices(variants)
      .default('full'),
    new Option(
      '--serial <number>',
      'serial number, up to 9 letters and digits (default: 123456789; with --data: the number stored in the folder, or a random one if the folder is new)',
    ),
    new Option(
      '--password <level=password>',
      'password of a user level; repeatable. AZIMUTH_PASSWORD_<LEVEL> is safer, because other users can see the options of a process',
    )
      .argParser(collect)
      .default([], 'the factory passwords'),
    new Option(
      '--firmware-key <file>',
      'public key (PEM) with which the scanner checks the signatures of firmware files (default: none)',
    ),
    new Option(
      '--enable-webserver',
      'switch the web server on again if SetWebserverEnabled has switched it off',
    ),
    new Option('--strict-events', 'refuse event clients that a real scanner would refuse'),
    new Option(
      '--scene <name or file>',
      'what the scanner measures: name of a ready scene, or a scene file (default: warehouse-aisle)',
    ),
    new Option('--core <file>', 'your own measuring core (an ES module) instead of a scene'),
    new Option(
      '--replay <file>',
      'recording to play instead of a scene: made by azimuth record, or a pcap or pcapng file',
    ),
    new Option('--replay-speed <factor>', 'speed of the replay; 2 is twice as fast')
      .default(1)
      .argParser(numberOption(0.01, 100)),
    new Option(
      '--replay-once',
      'stop measuring after the last recorded scan (default: play the recording again)',
    ),
    new Option(
      '--seed <number>',
      'seed of the random numbers for measuring noise and for a random serial number (default: random)',
    ).argParser(wholeNumberOption(0, 2 ** 32 - 1)),
    new Option('--boot-time <seconds>', 'how long a reboot takes')
      .default(2)
      .argParser(numberOption(0, 3600)),
    new Option('--max-connections <count>', 'limit of connections at the same time')
      .default(1024)
      .argParser(numberOption(1, 1_000_000)),
    new Option(
      '--rate-limit <count>',
      'limit of requests per second, for each client (default: no limit)',
    ).argParser(numberOption(0.001, 1_000_000)),
    new Option(
      '--allowed-host <name>',
      'host name in URLs of the scanner (Host header) that is accepted in addition to its own names; repeatable; see docs/security.md',
    )
      .argParser(collect)
      .default([], 'none'),
    new Option(
      '--allowed-origin <origin>',
      'origin whose web pages may use the scanner, for example https://panel.example.com; repeatable',
    )
      .argParser(collect)
      .default([], 'none'),
    new Option(
      '--network <mode>',
      'simulate: always listen at --host. rebind: listen at the address that is set in the scanner (EtherIPAddress)',
    )
      .choices(['simulate', 'rebind'])
      .default('simulate'),
    new Option(
      '--dhcp <address>',
      'address that the simulated DHCP server offers, for example 10.0.0.42/24, or 10.0.0.42/24,10.0.0.1 with a gateway (default: none)',
    ).argParser(leaseOption),
    new Option('--time-server-port <port>', 'UDP port of the time server. Its address is TSCTCSrvAddr')
      .default(123)
      .argParser(wholeNumberOption(1, 65_535)),
    new Option('--ptp-event-port <port>', 'UDP port of PTP for Sync and Delay_Req')
      .default(ptpEventPort)
      .argParser(wholeNumberOption(1, 65_535)),
    new Option('--ptp-general-port <port>', 'UDP port of PTP for all other messages')
      .default(ptpGeneralPort)
      .argParser(wholeNumberOption(1, 65_535)),
    new Option(
      '--clock-offset <seconds>',
      'simulation: how far the clock of the scanner is ahead of the clock of this computer at the start',
    )
      .default(0)
      .argParser(numberOption(-1e9, 1e9)),
    new Option(
      '--clock-drift <ppm>',
      'simulation: by how many millionths the clock of the scanner is faster, -500 to 500',
    )
      .default(0)
      .argParser(numberOption(-500, 500)),
    new Option(
      '--ros-peer <address>',
      'IPv4 address at which native ROS 2 announces the scanner, in addition to multicast; repeatable',
    )
      .argParser(collect)
      .default([], 'none'),
    new Option('--gui', 'serve pages for browsers at /').default(true),
    new Option('--no-gui', 'do not serve pages for browsers'),
    new Option(
      '--control-port <port>',
      'open the control port of the virtual scanner, at 127.0.0.1 (default: not open)',
    ).argParser(portOption),
    new Option('--json', 'print one line of JSON when the scanner is ready, and log in JSON'),
  ];
  for (const option of options) {
    command.addOption(fromEnvironment(option));
  }
  return command
    .addHelpText(
      'after',
      `
Examples:
  azimuth serve
  azimuth serve --port 0 --json --data /tmp/scanner
  AZIMUTH_PASSWORD_SERVICE=… azimuth serve --host 0.0.0.0
  azimuth serve --firmware 2.1.0 --serial 23450001 --control-port 9000
  azimuth serve --scene gate --seed 7
  azimuth serve --replay monday.pcap --replay-speed 0.5
  azimuth serve --core my-core.mjs
  azimuth serve --network rebind --dhcp 127.0.0.42/8`,
    )
    .action(async () => {
      await serve(command);
    });
}

/** Runs a scanner until a signal ends it. Refusals to start are one clear line and exit code 1. */
export async function serve(command: Command): Promise<void> {
  settleSwitches(command);
  const options = command.opts<Options>();
  if (options.serial !== undefined && !isSerialNumber(options.serial))
    throw new CommandFailure('--serial: expected up to 9 letters and digits');
  if (options.data === '') throw new CommandFailure('--data: expected the name of a folder');
  const passwords = { ...passwordsOfEnvironment(process.env), ...passwordsOf(options.password) };
  const allowed = allowedOf(options);
  const firmwareKey = await firmwareKeyOf(options);
  ignoreClosedOutput();
  const written = logTo(options.json ? 'json' : 'lines');
  const clock = new SystemClock({ offset: options.clockOffset * 1000, drift: options.clockDrift });
  // From the first line on, for diagnostic archives.
  const log = new RecentLog(written, clock);
  const random = new SystemRandom();
  const core = await coreOf(options, { clock, log, random });
  const host = new VirtualHost(log);
  const controls = await controlsOf(options, clock, host);
  const folder = options.data ?? join('azimuth-data', options.serial ?? defaultSerial);
  putPlugIn(host, options.systemPlug, folder);
  try {
    const storage = await FolderStorage.open(folder, log);
    const service = await ScannerService.start(
      serviceOptions(
        { ...options, maxConnections: connectionsOf(options, log) },
        { passwords, firmwareKey, core, allowed },
        storage,
        { clock, random, host, controls },
      ),
    );
    service.outliveErrors();
    endOnSignal(service, written);
    const facts = { ...service.ports, pid: process.pid };
    process.stdout.write(options.json ? readyLine(facts) : welcome({ folder, service }));
    const { rest, legacy } = openFactoryPasswords(service.device);
    const levels = [...new Set([...rest, ...legacy])];
    if (levels.length > 0) {
      log.warn(
        'Anybody can log in with a factory password. Set other passwords with --password or AZIMUTH_PASSWORD_<LEVEL>',
        {
          levels,
        },
      );
    }
  } catch (error) {
    const refusal = refusalOf(error, folder);
    if (refusal === undefined) throw error;
    await written.close();
    process.stderr.write(`azimuth: ${printable(refusal)}\n`);
    // An open lock or listener would keep the process alive.
    process.exit(1);
  }
}

/** @throws CommandFailure if the plug is the folder of the scanner */
function putPlugIn(host: VirtualHost, plug: string | undefined, folder: string): void {
  if (plug === undefined) return;
  if (plug === '') throw new CommandFailure('--system-plug: expected the name of a folder');
  if (resolve(plug) === resolve(folder)) {
    throw new CommandFailure('--system-plug: expected another folder than that of the scanner');
  }
  host.setSystemPlug(new FolderPlug(plug, host.log));
}

/** Only a scanner with a control port loads its commands. */
async function controlsOf(
  { controlPort }: Options,
  clock: MovableClock,
  host: VirtualHost,
): Promise<ControlOptions['controls'] | undefined> {
  if (controlPort === undefined) return undefined;
  const { virtualControls } = await import('@azimuth/world/control');
  return virtualControls(clock, host);
}

/** `--max-connections`, or fewer if the process may open fewer files: further ones could not even be refused. */
function connectionsOf({ maxConnections }: Options, log: Log): number {
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

/** @throws CommandFailure for a file that holds no public key */
async function firmwareKeyOf({ firmwareKey }: Options): Promise<KeyObject | undefined> {
  if (firmwareKey === undefined) return undefined;
  return publicKeyIn('--firmware-key', firmwareKey);
}

function endOnSignal(service: ScannerService, log: ServiceLog): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      void service
        .close()
        .finally(() => log.close())
        .finally(() => process.exit(0));
    });
  }
}
