import { isIPv4 } from 'node:net';
import { AnswerError, type UnreachableError } from '@azimuth/client';
import type { FoundScanner } from '@azimuth/client/discover';
import { addressesHere, hostInUrl, isLoopback, isThisComputer } from '../scan-data/stream-settings.js';
import { type Finding, note, problem } from './check.js';
import { isIn, type Network, networkText } from './network.js';

/** Number of scanners that are named. */
const maxScanners = 5;

/** Returns the reasons why no scanner answers at a URL, as far as this computer knows. */
export function whyUnreachable(
  error: UnreachableError | AnswerError,
  url: string,
  networks: readonly Network[],
  neighbours: readonly FoundScanner[] | undefined,
): readonly Finding[] {
  return [
    ...httpAnswer(error, url, networks),
    ...networkFindings(url, networks),
    ...neighbourFindings(url, neighbours),
  ];
}

function httpAnswer(
  error: UnreachableError | AnswerError,
  url: string,
  networks: readonly Network[],
): readonly Finding[] {
  const { host } = new URL(url);
  if (error instanceof AnswerError) {
    return [problem(`what answers at ${host} is not a scanner`, 'check address and port')];
  }
  if (/ECONNREFUSED/.test(errorCodes(error))) {
    const own = [...addressesHere(), ...networks.map(({ address }) => address)];
    if (isThisComputer(hostInUrl(url), own)) {
      return [
        problem(
          `nothing runs at ${host}, which is this computer`,
          'start a virtual scanner (azimuth serve), or name another one with --device (azimuth discover finds them)',
        ),
      ];
    }
    return [
      problem(
        `a computer answers at ${host}, and no web server runs there`,
        'check the port; a virtual scanner may not be running (azimuth serve), and a real one may have its web server switched off (SetWebserverEnabled)',
      ),
    ];
  }
  return [
    problem(
      `nothing answers at ${host}`,
      'check power, cable and address; after a reboot or an update, wait',
    ),
  ];
}

function errorCodes(error: unknown): string {
  if (!(error instanceof Error)) return '';
  const code = 'code' in error ? String(error.code) : '';
  return [error.message, code, errorCodes(error.cause)].join(' ');
}

function networkFindings(url: string, networks: readonly Network[]): readonly Finding[] {
  const host = hostInUrl(url);
  if (!isIPv4(host) || isLoopback(host) || networks.some((network) => isIn(host, network))) return [];
  const own = networks.filter(({ address }) => !isLoopback(address)).map(networkText);
  return [
    problem(
      `${host} is in no network of this computer (${own.length === 0 ? 'it has none' : own.join(', ')})`,
      'give this computer an address in the network of the scanner, or set up a route',
    ),
  ];
}

function neighbourFindings(url: string, neighbours: readonly FoundScanner[] | undefined): readonly Finding[] {
  if (neighbours === undefined) return [];
  const urls = [...new Set(neighbours.flatMap((one) => one.url ?? []))].filter((other) => other !== url);
  if (neighbours.length === 0)
    return [note('no scanner answers the device search', 'azimuth discover --timeout 10')];
  if (urls.length === 0) {
    return [note('a scanner answers the device search, and its web server is off', 'see docs/discovery.md')];
  }
  const more = urls.length > maxScanners ? ` and ${urls.length - maxScanners} more` : '';
  return [
    note(
      `the device search found scanners: ${urls.slice(0, maxScanners).join(', ')}${more}`,
      'if it is one of these, give its URL with --device',
    ),
  ];
}
