import { isIPv4 } from 'node:net';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { portOption } from '../serve/option-values.js';

/** Where data comes from: options of the commands that receive. */
export function withSourceOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--listen <port>', 'receive at this UDP port, and ask no scanner (record takes several)')
        .argParser((value: string, before: readonly number[] | undefined) => [
          ...(before ?? []),
          portOption(value),
        ])
        .conflicts('aim'),
    )
    .addOption(
      new Option('--host <address>', 'receive at this address of this computer only').argParser(ipv4),
    )
    .addOption(
      new Option('--multicast <group>', 'join this multicast group at the ports of --listen').argParser(ipv4),
    )
    .option(
      '--aim',
      'have the scanner send here as long as this runs, and put its settings back (needs login)',
    );
}

function ipv4(value: string): string {
  if (isIPv4(value)) return value;
  throw new InvalidArgumentError('An IPv4 address is expected.');
}
