import { isIPv4 } from 'node:net';
import {
  DiscoverError,
  discover,
  type FoundScanner,
  macAddressIn,
  type NetworkConfiguration,
  setAddress,
} from '@azimuth/client/discover';
import { searchPort } from '@azimuth/telegrams/device-search';
import { InvalidArgumentError, Option } from 'commander';
import { CommandFailure } from '../command-failure.js';
import { commandRecord } from '../log/command-record.js';
import type { Command } from '../options/command.js';
import { collect, leaseOption, numberOption, portOption } from '../options/option-values.js';
import { jsonText } from '../output/output.js';
import { tableLines } from '../output/table.js';

/** `azimuth discover`: lists the scanners in the networks. */
export function defineCommand(command: Command): Command {
  return command
    .description(
      'Search for scanners in the networks of this computer, by the device search (UDP) and by DNS-SD. If no scanner is found, the exit code is 3.',
    )
    .addOption(
      new Option('--timeout <seconds>', 'how long to wait for answers')
        .default(2)
        .argParser(numberOption(0.05, 600)),
    )
    .addOption(
      new Option('--port <port>', 'UDP port of the device search').default(searchPort).argParser(portOption),
    )
    .addOption(
      new Option(
        '--address <address>',
        'search only at this address (of one scanner, or a broadcast address); repeatable',
      )
        .argParser(collect)
        .default([], 'all networks of this computer'),
    )
    .option('--no-dns-sd', 'do not search by DNS-SD')
    .option(
      '--set-address <mac=address>',
      'set the network address of one scanner: MAC=ADDRESS/BITS[,GATEWAY], or MAC=dhcp',
    )
    .option(
      '--add [prefix]',
      'give the scanners that have no name yet one in the file of azimuth devices: their LocationName or serial number, in the group PREFIX',
    )
    .withYes()
    .option('--json', 'print a line of JSON for each scanner')
    .action(() => discoverScanners(command.optsWithGlobals()))
    .withExamples(
      'azimuth discover',
      'azimuth discover --add hall    (asks, and gives names such as @hall/Gate-3)',
      'azimuth discover --timeout 5 --json',
      'azimuth discover --address 192.168.0.255',
      'azimuth discover --set-address 00:06:77:0a:1b:2c=192.168.0.7/24,192.168.0.254',
      'azimuth discover --set-address 00:06:77:0a:1b:2c=dhcp',
    );
}

interface DiscoverOptions {
  /** s */
  readonly timeout: number;
  readonly port: number;
  readonly address: readonly string[];
  readonly dnsSd: boolean;
  readonly setAddress?: string;
  readonly add?: string | true;
  readonly yes?: boolean;
  readonly json?: boolean;
}

/** Prints the scanners in the networks, or sets the address of one. */
async function discoverScanners(options: DiscoverOptions): Promise<void> {
  const change = options.setAddress === undefined ? undefined : parseAddressChange(options.setAddress);
  const wrong = options.address.find((address) => !isIPv4(address));
  if (wrong !== undefined)
    throw new CommandFailure(`--address ${wrong}: expected an address like 192.168.0.255`);
  try {
    if (change !== undefined) await set(change, options);
    else await list(options);
  } catch (error) {
    if (error instanceof DiscoverError) throw new CommandFailure(error.message, 'unreachable');
    throw error;
  }
}

async function list(options: DiscoverOptions): Promise<void> {
  const scanners = await discover({ ...searchOptions(options), ...dnsSdOptions(options) });
  if (options.json === true) {
    for (const scanner of scanners) process.stdout.write(`${jsonText(scanner)}\n`);
  }
  if (scanners.length === 0) throw new CommandFailure('no scanner answered', 'unreachable');
  if (options.json !== true) process.stdout.write(scannerTable(scanners));
  const { add, yes = false, json = false } = options;
  if (add === undefined) return;
  const { addFound } = await import('../scanners/discovered-devices.js');
  await addFound(scanners, { prefix: add === true ? undefined : add, yes, json });
}

/** The parameters that the device search writes. */
const changedBySearch = ['EtherAddressingMode', 'EtherIPAddress', 'EtherIPMask', 'EtherIPGateAddress'];

async function set({ mac, configuration }: AddressChange, options: DiscoverOptions): Promise<void> {
  const search = searchOptions(options);
  const scanners = await discover({ ...search, dnsSd: false });
  const [scanner, ...others] = scanners.filter((one) => one.mac === mac);
  if (scanner === undefined) throw new CommandFailure(`no scanner ${mac} answered`, 'unreachable');
  if (others.length > 0) {
    const places = [scanner, ...others].map(({ url, address }) => url ?? address).join(', ');
    throw new CommandFailure(
      `${others.length + 1} scanners have the MAC address ${mac}, and all would take this address: ${places}. Choose one with --address or --port, or start them with different serial numbers`,
    );
  }
  if (scanner.settable === false) {
    throw new CommandFailure(
      `${scanner.mac} does not accept an address from search tools now (EtherLegacyScanMode: usually only for 60 s after a boot)`,
      'refused',
    );
  }
  const { url = `http://${scanner.address}`, serialNumber: serial } = scanner;
  const onPost = commandRecord.of({ url, label: url, serial });
  try {
    await setAddress(scanner.mac, configuration, {
      ...search,
      form: scanner.form,
    });
    for (const endpoint of changedBySearch) onPost({ endpoint });
  } catch (error) {
    for (const endpoint of changedBySearch) onPost({ endpoint, error });
    if (error instanceof DiscoverError) throw new CommandFailure(error.message, 'refused');
    throw error;
  }
  if (options.json === true) process.stdout.write(`${jsonText({ mac: scanner.mac, configuration })}\n`);
}

function searchOptions({ timeout, port, address }: DiscoverOptions) {
  return { timeout: timeout * 1000, port, addresses: address.length === 0 ? undefined : address };
}

/**
 * Returns the options of DNS-SD. It cannot be limited to addresses: with --address it is used only if all of them are
 * on loopback.
 */
function dnsSdOptions({ dnsSd, address }: DiscoverOptions) {
  if (!dnsSd || address.length === 0) return { dnsSd };
  return address.every((at) => at.startsWith('127.')) ? { dnsSdAt: ['127.0.0.1'] } : { dnsSd: false };
}

/** A scanner with its new configuration. */
interface AddressChange {
  /** Its new configuration, as in found scanners. */
  readonly mac: string;
  readonly configuration: NetworkConfiguration;
}

const expected =
  '--set-address: expected MAC=ADDRESS/BITS[,GATEWAY] or MAC=dhcp, for example 00:06:77:0a:1b:2c=192.168.0.7/24';
const nothing = '0.0.0.0';

/**
 * Parses `--set-address`. With `dhcp` the scanner keeps its static address, as a fallback without DHCP server.
 * @throws CommandFailure
 */
function parseAddressChange(text: string): AddressChange {
  const [, whom = '', what = ''] = /^([^=]+)=(.+)$/.exec(text) ?? [];
  const mac = macAddressIn(whom);
  if (mac === undefined) throw new CommandFailure(expected);
  if (what.toLowerCase() === 'dhcp') {
    return { mac, configuration: { address: nothing, mask: nothing, gateway: nothing, dhcp: true } };
  }
  if (!what.includes('/'))
    throw new CommandFailure(`${expected}; the number of bits of the network is missing`);
  try {
    const { address, mask, gateway } = leaseOption(what);
    return {
      mac,
      configuration: {
        address: address.join('.'),
        mask: mask.join('.'),
        gateway: gateway.join('.'),
        dhcp: false,
      },
    };
  } catch (error) {
    if (error instanceof InvalidArgumentError) throw new CommandFailure(expected);
    throw error;
  }
}

const heads = ['MAC', 'URL', 'CONFIGURED', 'TYPE', 'SERIAL', 'FIRMWARE', 'LOCATION'] as const;

/** Returns scanners as a table for people. */
export function scannerTable(scanners: readonly FoundScanner[]): string {
  return `${tableLines([heads, ...scanners.map(scannerRow)]).join('\n')}\n`;
}

function scannerRow({ mac, url, configuration, type, serialNumber, firmware, location }: FoundScanner) {
  return [mac, url, configured(configuration), type, serialNumber, firmware, location].map(
    (cell) => cell || '-',
  );
}

/** Returns `192.168.0.1/24`, followed by `DHCP` if a DHCP server gave it; unknown parts are left out. */
function configured(configuration: FoundScanner['configuration']): string {
  const { address, mask, dhcp } = configuration ?? {};
  const subnet = mask === undefined ? '' : `/${prefixLength(mask)}`;
  const known = address === undefined ? [] : [`${address}${subnet}`];
  return [...known, ...(dhcp === true ? ['DHCP'] : [])].join(' ');
}

/** Returns the prefix length of a mask; a mask with gaps as it is. */
function prefixLength(mask: string): string {
  const bits = mask
    .split('.')
    .map((byte) => Number(byte).toString(2).padStart(8, '0'))
    .join('');
  const [, ones] = /^(1*)0*$/.exec(bits) ?? [];
  return ones === undefined ? mask : String(ones.length);
}
