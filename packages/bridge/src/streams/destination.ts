import { isIPv4 } from 'node:net';

/** Address to which telegrams go, or at which programs fetch them. */
export interface Destination {
  readonly kind: 'udp' | 'multicast' | 'tcp' | 'websocket';
  /** As in a command: `udp://127.0.0.1:3000`. */
  readonly url: string;
  /** IPv4 address: of the program, of the group, or of this computer to listen at. */
  readonly host: string;
  /** 1 to 65535; 0 chooses a free one to listen at. */
  readonly port: number;
  /** Address of this computer by which a group is reached. */
  readonly by: string;
}

/** A text names no destination. The message says what was expected, and what came. */
export class DestinationError extends Error {
  override readonly name = 'DestinationError';
}

const schemes = { 'udp:': 'udp', 'tcp-listen:': 'tcp', 'ws-listen:': 'websocket' } as const;

/** Forms of a destination, for help and errors. */
export const destinationForms =
  'udp://HOST:PORT, udp://GROUP:PORT?by=ADDRESS, tcp-listen://ADDRESS:PORT or ws-listen://ADDRESS:PORT';

const loopback = '127.0.0.1';

/**
 * Reads a destination. A multicast group is reached by loopback, unless `by` names another address of this computer.
 * @throws DestinationError
 */
export function destinationIn(text: string): Destination {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const protocol = Object.entries(schemes).find(([name]) => name === url?.protocol)?.[1];
  if (url === undefined || protocol === undefined || !isBare(url)) throw mismatch(text);
  const host = url.hostname === 'localhost' ? loopback : url.hostname;
  const port = Number(url.port);
  if (!isIPv4(host)) throw new DestinationError(`expected an IPv4 address or localhost in ${text}`);
  if (url.port === '' || (protocol === 'udp' && port === 0)) {
    throw new DestinationError(`expected a port from 1 to 65535 in ${text}`);
  }
  const isGroup = isMulticastAddress(host);
  const by = url.searchParams.get('by') ?? loopback;
  if (url.search !== '' && (!isGroup || url.search !== `?by=${by}` || !isIPv4(by))) throw mismatch(text);
  if (isGroup && protocol !== 'udp') {
    throw new DestinationError(`expected an address of this computer in ${text}, not a multicast group`);
  }
  return { kind: isGroup ? 'multicast' : protocol, url: text, host, port, by };
}

/** True for an IPv4 address of a multicast group: 224.0.0.0 to 239.255.255.255. */
export function isMulticastAddress(address: string): boolean {
  const first = Number(address.split('.')[0]);
  return first >= 224 && first <= 239;
}

function isBare({ username, password, pathname, hash }: URL): boolean {
  return username === '' && password === '' && (pathname === '' || pathname === '/') && hash === '';
}

function mismatch(text: string): DestinationError {
  return new DestinationError(`expected ${destinationForms}, not ${text}`);
}
