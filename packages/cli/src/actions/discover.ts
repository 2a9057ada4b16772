import { isIPv4 } from 'node:net';
import { DiscoverError, discover, setAddress } from '@azimuth/client/discover';
import { CommandFailure } from '../command-failure.js';
import { type AddressWish, wishIn } from '../discover/address-wish.js';
import { tableOf } from '../discover/table.js';

export interface DiscoverOptions {
  /** s */
  readonly timeout: number;
  readonly port: number;
  readonly address: readonly string[];
  readonly dnsSd: boolean;
  readonly setAddress?: string;
  readonly json?: boolean;
}

/** Prints the scanners that there are, or sets the address of one. */
export async function discoverScanners(options: DiscoverOptions): Promise<void> {
  const wish = options.setAddress === undefined ? undefined : wishIn(options.setAddress);
  const wrong = options.address.find((address) => !isIPv4(address));
  if (wrong !== undefined)
    throw new CommandFailure(`--address ${wrong}: an address like 192.168.0.255 is expected`);
  try {
    if (wish !== undefined) await set(wish, options);
    else await list(options);
  } catch (error) {
    if (error instanceof DiscoverError) throw new CommandFailure(error.message, 'unreachable');
    throw error;
  }
}

async function list(options: DiscoverOptions): Promise<void> {
  const scanners = await discover({ ...searchOf(options), ...dnsSdOf(options) });
  if (options.json === true) {
    for (const scanner of scanners) process.stdout.write(`${JSON.stringify(scanner)}\n`);
  }
  if (scanners.length === 0) throw new CommandFailure('no scanner has answered', 'unreachable');
  if (options.json !== true) process.stdout.write(tableOf(scanners));
}

async function set({ mac, configuration }: AddressWish, options: DiscoverOptions): Promise<void> {
  const search = searchOf(options);
  const found = await discover({ ...search, dnsSd: false });
  const [scanner, ...others] = found.filter((one) => one.mac === mac);
  if (scanner === undefined) throw new CommandFailure(`no scanner ${mac} has answered`, 'unreachable');
  if (others.length > 0) {
    const places = [scanner, ...others].map(({ url, address }) => url ?? address).join(', ');
    throw new CommandFailure(
      `${others.length + 1} scanners have the MAC address ${mac}, and all would take this address: ${places}. Ask one alone with --address or --port, or start them with serial numbers of their own`,
    );
  }
  if (scanner.settable === false) {
    throw new CommandFailure(
      `${scanner.mac} does not let search tools set its address, or not any more (EtherLegacyScanMode: usually for 60 s after a boot)`,
      'refused',
    );
  }
  try {
    await setAddress(scanner.mac, configuration, {
      ...search,
      ...(scanner.form === undefined ? {} : { form: scanner.form }),
    });
  } catch (error) {
    if (error instanceof DiscoverError) throw new CommandFailure(error.message, 'refused');
    throw error;
  }
  if (options.json === true) process.stdout.write(`${JSON.stringify({ mac: scanner.mac, configuration })}\n`);
}

function searchOf({ timeout, port, address }: DiscoverOptions) {
  return { timeout: timeout * 1000, port, ...(address.length === 0 ? {} : { addresses: address }) };
}

/** DNS-SD knows no addresses to ask at: where some are stated it is asked on loopback, if they are all there. */
function dnsSdOf({ dnsSd, address }: DiscoverOptions) {
  if (!dnsSd || address.length === 0) return { dnsSd };
  return address.every((at) => at.startsWith('127.')) ? { dnsSdAt: ['127.0.0.1'] } : { dnsSd: false };
}
