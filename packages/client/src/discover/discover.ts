import { everyScanner, SearchTelegram } from '@azimuth/telegrams/device-search';
import { type AskingOptions, ask, patienceOf } from './asking.js';
import { askByDnsSd } from './dns-sd.js';
import {
  type FoundScanner,
  keyOf,
  merged,
  scannerOf,
  type Tidings,
  tidingsIn,
  type WebTidings,
} from './found-scanner.js';

export interface DiscoverOptions extends AskingOptions {
  /** Asks by DNS-SD too; true where nothing is stated. */
  readonly dnsSd?: boolean;
  /** The addresses of this computer in whose networks DNS-SD is asked; all of them where nothing is stated. */
  readonly dnsSdAt?: readonly string[];
}

/** Host address and mask of this computer, which no known scanner looks at. */
const ownNetwork = new Uint8Array(8);

/** More scanners than any network has: what answers more often means no good. */
const most = 10_000;

/**
 * Searches for scanners in the networks of this computer: by the device search (UDP 30718) and by DNS-SD. Each is found
 * once, however it answers; several of one MAC address (virtual ones of one serial number) are several. Takes as long as `timeout` says.
 * @throws DiscoverError where nobody can be asked
 */
export async function discover(options: DiscoverOptions = {}): Promise<readonly FoundScanner[]> {
  const found = new Map<string, Tidings>();
  const byDnsSd = new Map<string, WebTidings>();
  const { signal = new AbortController().signal, dnsSd = true, dnsSdAt } = options;
  const searching = ask(
    { telegram: SearchTelegram.search, macAddress: everyScanner, body: ownNetwork },
    options,
    ({ telegram, body }, { address }) => {
      const tidings = tidingsIn(telegram, body, address);
      if (tidings !== undefined) keep(found, tidings, (before) => merged(before, tidings));
      return false;
    },
  );
  const asking = dnsSd
    ? askByDnsSd(patienceOf(options), signal, (tidings) => keep(byDnsSd, tidings, () => tidings), dnsSdAt)
    : Promise.resolve();
  await Promise.all([searching, asking]);
  return [...new Set([...found.keys(), ...byDnsSd.keys()])]
    .map((key) => scannerOf(found.get(key), byDnsSd.get(key)))
    .filter((scanner) => scanner !== undefined)
    .sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1));
}

function keep<T extends Tidings>(found: Map<string, T>, tidings: Tidings, now: (before: T | undefined) => T) {
  const key = keyOf(tidings);
  if (found.size < most || found.has(key)) found.set(key, now(found.get(key)));
}

function placeOf({ mac, url = '' }: FoundScanner): string {
  return `${mac} ${url}`;
}
