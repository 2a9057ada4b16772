import {
  encodeChange,
  everyScanner,
  ipv4Bytes,
  macBytes,
  macText,
  type SearchForm,
  SearchTelegram,
} from '@azimuth/telegrams/device-search';
import { browseDnsSd } from './dns-sd.js';
import {
  type AnnouncedScanner,
  decodeResponse,
  type FoundScanner,
  foundScanner,
  merged,
  type NetworkConfiguration,
  type ScannerFacts,
  scannerKey,
} from './found-scanner.js';
import { DiscoverError, type SearchOptions, searchTimeout, sendSearchRequest } from './search-request.js';

export interface DiscoverOptions extends SearchOptions {
  /** Searches by DNS-SD too; true by default. */
  readonly dnsSd?: boolean | undefined;
  /** The addresses of this computer whose networks are searched by DNS-SD; all of them by default. */
  readonly dnsSdAt?: readonly string[] | undefined;
}

/** Address and mask of this computer in the request. No known scanner reads them. */
const ownNetwork = new Uint8Array(8);

/** Limit for the number of scanners, larger than in any network: more responses are an attack or an error. */
const maxScanners = 10_000;

/**
 * Searches for scanners in the networks of this computer, by the device search (UDP) and by DNS-SD. A scanner that
 * answers both is listed once. Several scanners with the same MAC address (virtual ones with the same serial number)
 * are all listed. The search takes `timeout` ms.
 * @throws DiscoverError if the search cannot be sent
 */
export async function discover(options: DiscoverOptions = {}): Promise<readonly FoundScanner[]> {
  const bySearch = new Map<string, ScannerFacts>();
  const byDnsSd = new Map<string, AnnouncedScanner>();
  const { signal = new AbortController().signal, dnsSd = true, dnsSdAt } = options;
  const searching = sendSearchRequest(
    { telegram: SearchTelegram.search, macAddress: everyScanner, body: ownNetwork },
    options,
    ({ telegram, body }, { address }) => {
      const response = decodeResponse(telegram, body, address);
      if (response !== undefined) addScanner(bySearch, response, (before) => merged(before, response));
      return false;
    },
  );
  const browsing = dnsSd
    ? browseDnsSd(
        searchTimeout(options),
        signal,
        (announced) => addScanner(byDnsSd, announced, () => announced),
        dnsSdAt,
      )
    : Promise.resolve();
  await Promise.all([searching, browsing]);
  return [...new Set([...bySearch.keys(), ...byDnsSd.keys()])]
    .map((key) => foundScanner(bySearch.get(key), byDnsSd.get(key)))
    .filter((scanner) => scanner !== undefined)
    .sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1));
}

function addScanner<T extends ScannerFacts>(
  scanners: Map<string, T>,
  scanner: ScannerFacts,
  now: (before: T | undefined) => T,
) {
  const key = scannerKey(scanner);
  if (scanners.size < maxScanners || scanners.has(key)) scanners.set(key, now(scanners.get(key)));
}

function sortKey({ mac, url = '' }: FoundScanner): string {
  return `${mac} ${url}`;
}

export interface SetAddressOptions extends SearchOptions {
  /** The format of the request that the scanner understands: `FoundScanner.form`. */
  readonly form?: SearchForm | undefined;
}

/**
 * Sets the network configuration of one scanner, without a login. The scanner must allow it by its
 * EtherLegacyScanMode: usually for 60 s after a boot. It stores the configuration. If several scanners have that MAC
 * address (virtual ones with the same serial number), all that receive the request use it: `discover` finds them,
 * `addresses` chooses one. A scanner that refuses does not respond.
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
    address: addressBytes(configuration.address),
    mask: addressBytes(configuration.mask),
    gateway: addressBytes(configuration.gateway),
    dhcp: configuration.dhcp,
  });
  let done = false;
  await sendSearchRequest({ telegram: SearchTelegram.change, macAddress, body }, options, (response) => {
    done ||=
      response.telegram === SearchTelegram.changeResponse &&
      Buffer.from(macAddress).equals(response.macAddress);
    return done;
  });
  if (!done) throw new DiscoverError(`${macText(macAddress)} did not confirm the new address`);
}

function addressBytes(address: string): readonly number[] {
  const bytes = ipv4Bytes(address);
  if (bytes === undefined) throw new TypeError(`"${address}" is not an address like 192.168.0.1`);
  return bytes;
}
