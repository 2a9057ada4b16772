import { Command, Option } from 'commander';
import { withExamples } from '../options.js';
import { collect, numberOption, portOption } from '../serve/option-values.js';

/** `azimuth discover`: which scanners there are. */
export function discoverCommand(): Command {
  const command = new Command('discover')
    .summary('search for scanners, and set the address of one')
    .description(
      'Search for scanners in the networks of this computer: by the device search (UDP) and by DNS-SD. Exit code 3 where there is none.',
    )
    .addOption(
      new Option('--timeout <seconds>', 'how long answers are waited for')
        .default(2)
        .argParser(numberOption(0.05, 600)),
    )
    .addOption(
      new Option('--port <port>', 'UDP port of the device search').default(30718).argParser(portOption),
    )
    .addOption(
      new Option('--address <address>', 'ask at this address only, a broadcast or a scanner; repeatable')
        .argParser(collect)
        .default([], 'all networks of this computer'),
    )
    .option('--no-dns-sd', 'do not ask by DNS-SD')
    .option(
      '--set-address <mac=address>',
      'set the network address of one scanner: MAC=ADDRESS/BITS[,GATEWAY], or MAC=dhcp',
    )
    .option('--json', 'print a line of JSON for each scanner')
    .action(async () => {
      const { discoverScanners } = await import('../actions/discover.js');
      await discoverScanners(command.optsWithGlobals());
    });
  return withExamples(
    command,
    'azimuth discover',
    'azimuth discover --timeout 5 --json',
    'azimuth discover --address 192.168.0.255',
    'azimuth discover --set-address 00:06:77:0a:1b:2c=192.168.0.7/24,192.168.0.254',
    'azimuth discover --set-address 00:06:77:0a:1b:2c=dhcp',
  );
}
