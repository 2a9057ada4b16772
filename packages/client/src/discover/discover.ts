import {
  encodeChange,
  everyScanner,
  macBytes,
  macText,
  quadBytes,
  type SearchForm,
  SearchTelegram,
} from '@azimuth/telegrams/device-search';
import { browseDnsSd } from './dns-sd.js';
import {
  type DnsSdAnswer,
  decodeAnswer,
  type FoundScanner,
  keyOf,
  merged,
  type NetworkConfiguration,
  type ScannerAnswer,
  scannerOf,
} from './found-scanner.js';
import { DiscoverError, type SearchOptions, sendSearchRequest, timeoutOf } from './search-request.js';

export interface DiscoverOptions extends SearchOptions {
  /** Asks by DNS-SD too; true by default. */
  readonly dnsSd?: boolean | undefined;
  /** The addresses of this computer in whose networks DNS-SD is asked; all of them by default. */
  readonly dnsSdAt?: readonly string[] | undefined;
}

/** Host address and mask of this computer, which no known scanner looks at. */
const ownNetwork = new Uint8Array(8);

/** More scanners than any network has: what answers more often means no good. */
const most = 10_000;

/**
 * Searches for scanners in the networks of this computer, by the device search (UDP) and by DNS-SD. A scanner that
 * answers both is listed once. Several scanners with the same MAC address (virtual ones with the same serial number) are
 * all listed. The search takes as long as `timeout` says.
 * @throws DiscoverError if the search cannot be sent
 */
export async function discover(options: DiscoverOptions = {}): Promise<readonly FoundScanner[]> {
  const found = new Map<string, ScannerAnswer>();
  const byDnsSd = new Map<string, DnsSdAnswer>();
  const { signal = new AbortController().signal, dnsSd = true, dnsSdAt } = options;
  const searching = sendSearchRequest(
    { telegram: SearchTelegram.search, macAddress: everyScanner, body: ownNetwork },
    options,
    ({ telegram, body }, { address }) => {
      const answer = decodeAnswer(telegram, body, address);
      if (answer !== undefined) keep(found, answer, (before) => merged(before, answer));
      return false;
    },
  );
  const asking = dnsSd
    ? browseDnsSd(timeoutOf(options), signal, (answer) => keep(byDnsSd, answer, () => answer), dnsSdAt)
    : Promise.resolve();
  await Promise.all([searching, asking]);
  return [...new Set([...found.keys(), ...byDnsSd.keys()])]
    .map((key) => scannerOf(found.get(key), byDnsSd.get(key)))
    .filter((scanner) => scanner !== undefined)
    .sort((a, b) => (sortKeyOf(a) < sortKeyOf(b) ? -1 : 1));
}

function keep<T extends ScannerAnswer>(
  found: Map<string, T>,
  answer: ScannerAnswer,
  now: (before: T | undefined) => T,
) {
  const key = keyOf(answer);
  if (found.size < most || found.has(key)) found.set(key, now(found.get(key)));
}

function sortKeyOf({ mac, url = '' }: FoundScanner): string {
  return `${mac} ${url}`;
}

export interface SetAddressOptions extends SearchOptions {
  /** As the scanner speaks: `FoundScanner.form`. */
  readonly form?: SearchForm | undefined;
}

/**
 * Sets the network configuration of one scanner, without a login, if its EtherLegacyScanMode allows that: usually for
 * 60 s after it has come up. The scanner stores the configuration. If several scanners have that MAC address (virtual
 * ones with the same serial number), all that the request reaches use it: `discover` finds them, `addresses` chooses one.
 * A scanner that refuses does not answer.
 * @throws TypeError for an invalid address; DiscoverError if the scanner does not confirm it
 */
export async function setAddress(
  mac: string,
  configuration: NetworkConfiguration,
  options: SetAddressOptions = {},
): Promise<void> {
  const macAddress = macBytes(mac);
  if (macAddress === undefined) throw new TypeError(`"${mac}" is not a MAC address like 00:06:77:0a:1b:2c`);
  const body = encodeChange(options.form ?? 'tagged', macAddress, {
    address: bytesOf(configuration.address),
    mask: bytesOf(configuration.mask),
    gateway: bytesOf(configuration.gateway),
    dhcp: configuration.dhcp,
  });
  let done = false;
  await sendSearchRequest({ telegram: SearchTelegram.change, macAddress, body }, options, (answer) => {
    done ||= answer.telegram === SearchTelegram.changed && Buffer.from(macAddress).equals(answer.macAddress);
    return done;
  });
  if (!done) throw new DiscoverError(`${macText(macAddress)} did not confirm the new address`);
}

function bytesOf(address: string): readonly number[] {
  const bytes = quadBytes(address);
  if (bytes === undefined) throw new TypeError(`"${address}" is not an address like 192.168.0.1`);
  return bytes;
}
