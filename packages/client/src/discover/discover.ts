import { type AskingOptions, ask, patienceOf } from './asking.js';
import { headerBytes, searchRequest } from './datagrams.js';
import { askByDnsSd } from './dns-sd.js';
import { type FoundScanner, merged, scannerOf, type Tidings } from './found-scanner.js';
import { tidingsInTags } from './tagged-answer.js';
import { tidingsInXml } from './xml-answer.js';

export interface DiscoverOptions extends AskingOptions {
  /** Asks by DNS-SD too; true where nothing is stated. */
  readonly dnsSd?: boolean;
  /** The addresses of this computer in whose networks DNS-SD is asked; all of them where nothing is stated. */
  readonly dnsSdAt?: readonly string[];
}

const foundXml = 0x90;
const foundTagged = 0x95;

/** More scanners than any network has: what answers more often means no good. */
const most = 10_000;

/**
 * Searches for scanners in the networks of this computer: by the device search (UDP 30718) and by DNS-SD. Each is found
 * once, by its MAC address, however it answers. Takes as long as `timeout` says.
 * @throws DiscoverError where nobody can be asked
 */
export async function discover(options: DiscoverOptions = {}): Promise<readonly FoundScanner[]> {
  const found = new Map<string, Tidings>();
  const take = (tidings: Tidings) => {
    if (found.size < most || found.has(tidings.mac)) {
      found.set(tidings.mac, merged(found.get(tidings.mac), tidings));
    }
  };
  const { signal = new AbortController().signal, dnsSd = true, dnsSdAt } = options;
  const byDnsSd = new Map<string, Tidings>();
  const searching = ask(searchRequest(), options, (answer, { address }) => {
    const tidings = tidingsIn(answer, address);
    if (tidings !== undefined) take(tidings);
    return false;
  });
  const asking = dnsSd
    ? askByDnsSd(patienceOf(options), signal, (tidings) => byDnsSd.set(tidings.mac, tidings), dnsSdAt)
    : Promise.resolve();
  await Promise.all([searching, asking]);
  for (const tidings of byDnsSd.values()) take(tidings);
  return [...found.values()].map(scannerOf).sort((a, b) => (a.mac < b.mac ? -1 : 1));
}

function tidingsIn(answer: Buffer, address: string): Tidings | undefined {
  const body = answer.subarray(headerBytes);
  if (answer[0] === foundTagged) return tidingsInTags(body, address);
  return answer[0] === foundXml ? tidingsInXml(body, address) : undefined;
}
