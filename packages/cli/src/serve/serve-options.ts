import { boolean, defaultPlug, portsOfPlug, Refusal, releases, variants } from '@azimuth/model';
import { searchPort } from '@azimuth/telegrams/device-search';
import { ptpEventPort, ptpGeneralPort } from '@azimuth/telegrams/ptp/ports';
import { type Command, Option } from 'commander';
import { CommandFailure } from '../command-failure.js';
import {
  collect,
  leaseOption,
  localRightsOptions,
  numberOption,
  portOption,
  variantOption,
  wholeNumberOption,
} from '../options/option-values.js';
import { parseValue } from '../values/parse-value.js';
import { defaultHttpsPort } from './service-options.js';

/** The options of `azimuth serve`. Each can also be given as AZIMUTH_<NAME>. */
export function serveOptions(): readonly Option[] {
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
    new Option(
      '--any-ports',
      'any free port for everything that no other option gives a port, the control port included; no DNS-SD',
    ),
    new Option('--dns-sd', 'announce the web server by DNS-SD').default(true),
    new Option('--no-dns-sd', 'do not announce the web server'),
    new Option(
      '--data <folder>',
      'folder in which the scanner stores its parameters and files (default: ./azimuth-data/<serial>)',
    ),
    new Option(
      '--store <url>',
      'store in a PostgreSQL database instead: postgres://USER@HOST/DATABASE; see docs/fleet-postgres.md',
    ),
    new Option(
      '--key-file <file>',
      'with --store: file with the key of the deployment (or AZIMUTH_FLEET_KEY)',
    ),
    new Option(
      '--lease <seconds>',
      'with --store: seconds after the last renewal until another process may run the scanner; it ends if it could not renew in time',
    )
      .default(60)
      .argParser(numberOption(1, 300)),
    new Option(
      '--system-plug <folder>',
      'system plug in the connector: a folder that exists (default: none); see docs/system-plug.md',
    ),
    new Option(
      '--plug <pins>',
      'pins of the plug, which say how many I/O ports there are: 5 for three, 12 for six',
    )
      .choices(Object.keys(portsOfPlug))
      .default(String(defaultPlug)),
    new Option(
      '--firmware <release>',
      'release to run, or version of the product (default: the one stored in the folder; the newest if the folder is new)',
    )
      .choices(releases)
      // The product may have other versions. They are checked when it is read.
      .argParser(String),
    new Option(
      '--product <file>',
      'product of your own: an ES module or a JSON file; see docs/product.md (default: the built-in product)',
    ),
    new Option(
      '--type <type>',
      'device type. picoScan120: one profile (20 Hz, 0.1°), no filters but the particle filter, and what basic lacks; the same as --variant picoScan120',
    ).choices(['picoScan150', 'picoScan120']),
    new Option(
      '--variant <variant>',
      'equipment of the scanner. basic: without fields, IMU, encoder, contamination indication and recorder',
    )
      .choices(variants)
      .argParser(variantOption)
      .default('full'),
    new Option(
      '--serial <number>',
      'serial number, up to 9 letters and digits (default: 123456789; with --data: the number stored in the folder, or a random one if the folder is new)',
    ),
    new Option(
      '--password <level=password>',
      'password of a user level of a new scanner; ignored from its second start on; repeatable. AZIMUTH_PASSWORD_<LEVEL> is safer, because other users can see the options of a process',
    )
      .argParser(collect)
      .default([], 'the factory passwords'),
    new Option(
      '--reset-passwords',
      'begin anew with the passwords of the factory, or those given: for the owner of this computer, if they are lost',
    ),
    new Option(
      '--firmware-key <file>',
      'public key (PEM) with which the scanner checks the signatures of firmware files (default: none)',
    ),
    new Option(
      '--enable-webserver',
      'switch the web server on again if SetWebserverEnabled has switched it off',
    ),
    new Option(
      '--short-keys',
      'take certificates with RSA keys from 2048 bits on, which a real scanner refuses (it wants more than 3072)',
    ),
    new Option('--strict-events', 'refuse event clients that a real scanner would refuse'),
    new Option(
      '--scene <name or file>',
      'what the scanner measures: name of a ready scene, a scene file, or a ROS map (.yaml) (default: warehouse-aisle)',
    ),
    new Option(
      '--world <file>',
      'run all scanners of a world file in one process, with one clock; see docs/scenes.md',
    ),
    new Option('--core <file>', 'your own measuring core (an ES module) instead of a scene'),
    new Option(
      '--core-socket <path or host:port>',
      'UNIX socket or TCP port at which your measuring core in another process connects; see docs/core-socket.md',
    ),
    new Option(
      '--replay <file>',
      'recording to play instead of a scene: made by azimuth record, a pcap or pcapng file, or an MCAP file or rosbag2 folder of any program',
    ),
    new Option('--replay-speed <factor>', 'speed of the replay; 2 is twice as fast')
      .default(1)
      .argParser(numberOption(0.01, 100)),
    new Option(
      '--replay-topic <name>',
      'topic of an MCAP file whose scans are played (default: a LaserScan, or else a PointCloud2)',
    ),
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
      'host name in URLs of the scanner (Host header) that is accepted in addition to its own names; .NAME for all names below it; repeatable; see docs/security.md',
    )
      .argParser(collect)
      .default([], 'none'),
    new Option(
      '--allowed-origin <origin>',
      'origin whose web pages may use the scanner, for example https://panel.example.com; repeatable',
    )
      .argParser(collect)
      .default([], 'none'),
    ...localRightsOptions(),
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
      '--clock <kind>',
      'simulation: system, or virtual: time stands still, except for azimuth sim advance',
    )
      .choices(['system', 'virtual'])
      .default('system'),
    new Option(
      '--time-factor <factor>',
      'simulation: how many times as fast the time of the scanner passes, 0.01 to 1000 (default: 1)',
    ).argParser(numberOption(0.01, 1000)),
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
      '--synchronised',
      'simulation: times in telegrams are UTC of the clock of the scanner from the first scan on, as with PTP; see docs/time.md',
    ),
    new Option(
      '--ros-peer <address>',
      'IPv4 address at which native ROS 2 announces the scanner, in addition to multicast; repeatable',
    )
      .argParser(collect)
      .default([], 'none'),
    new Option(
      '--as-device',
      'serve only what a real device has: no GUI, no other pages, extensions and headers of our own, and no DNS-SD; see docs/serve.md',
    ),
    new Option('--gui', 'serve pages for browsers at /').default(true),
    new Option('--no-gui', 'do not serve pages for browsers'),
    new Option(
      '--control-port <port>',
      'open the control port of the virtual scanner, at 127.0.0.1 (default: not open)',
    ).argParser(portOption),
    new Option(
      '--velocity-port <port>',
      'UDP port at 127.0.0.1 that receives velocities for the vehicle of the virtual scanner (default: not open)',
    ).argParser(portOption),
    new Option(
      '--ros-odometry',
      'simulation: publish the odometry of the vehicle in ROS 2, as /odom, /tf and /clock',
    ),
    new Option(
      '--faults <file>',
      'simulation: faults that happen by time, by count or at random (YAML or JSON); see docs/faults.md',
    ),
    new Option(
      '--ready-file <file>',
      'file to which the line of --json is written when the scanner is ready; removed at the end',
    ),
    new Option('--json', 'print one line of JSON when the scanner is ready, and log in JSON'),
  ];
  return options.map(fromEnvironment);
}

/** An option that the environment may set, too; an empty variable counts as missing. */
function fromEnvironment(option: Option): Option {
  const variable = `AZIMUTH_${option.name().replaceAll('-', '_').toUpperCase()}`;
  // A password has a variable for each level; AZIMUTH_PASSWORD is for logins of clients.
  if (option.name() === 'password' || option.negate || process.env[variable] === '') return option;
  return option.env(variable);
}

/** The options of ports at which the scanner listens from its start. */
const listeningPorts = [
  'port',
  'httpsPort',
  'legacyAPort',
  'legacyBPort',
  'searchPort',
  'controlPort',
] as const;

/** Applies `--any-ports`: every port without an option is any free one, and nothing is announced by DNS-SD. */
export function useAnyPorts(command: Command): void {
  if (command.getOptionValue('anyPorts') !== true) return;
  const isOpen = (name: string) => [undefined, 'default'].includes(command.getOptionValueSource(name));
  for (const name of listeningPorts.filter(isOpen)) command.setOptionValueWithSource(name, 0, 'implied');
  if (isOpen('dnsSd')) command.setOptionValueWithSource('dnsSd', false, 'implied');
}

/**
 * Sets switches from the environment to on or off. Commander would treat every value as on.
 * @throws CommandFailure for any other word.
 */
export function resolveSwitches(command: Command): void {
  for (const option of command.options) {
    const name = option.attributeName();
    const { envVar } = option;
    if (!option.isBoolean() || envVar === undefined || command.getOptionValueSource(name) !== 'env') continue;
    if (!isOn(envVar, process.env[envVar] ?? ''))
      command.setOptionValueWithSource(name, undefined, undefined);
  }
}

function isOn(variable: string, word: string): boolean {
  try {
    return parseValue(boolean(), variable, word);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw new CommandFailure(`${variable}: expected on or off, got "${word}"`);
  }
}
