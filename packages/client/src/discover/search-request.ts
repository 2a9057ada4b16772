import { randomBytes } from 'node:crypto';
import { createSocket, type RemoteInfo } from 'node:dgram';
import { once } from 'node:events';
import { networkInterfaces } from 'node:os';
import { pause } from '@azimuth/async';
import {
  broadcastOf,
  decodeSearchResponse,
  encodeSearchRequest,
  ipv4Bytes,
  type SearchDatagram,
  searchPort,
} from '@azimuth/telegrams/device-search';
import { ClientError } from '../errors.js';

/** The search failed on this computer, or no scanner carried out the request. */
export class DiscoverError extends ClientError {
  override readonly name = 'DiscoverError';
}

/**
 * Returns the broadcast addresses of all networks of this computer, and 127.0.0.1, because some systems have no
 * broadcasts on loopback.
 */
function broadcastAddresses(): readonly string[] {
  const networks = Object.values(networkInterfaces())
    .flatMap((interfaces) => interfaces ?? [])
    .filter(({ family, internal }) => family === 'IPv4' && !internal)
    .map(({ address, netmask }) => broadcastAddress(address, netmask));
  return [...new Set(['255.255.255.255', ...networks, '127.255.255.255', '127.0.0.1'])];
}

/** Returns the addresses of this computer in all of its networks. */
export function ownAddresses(): readonly string[] {
  return Object.values(networkInterfaces())
    .flatMap((interfaces) => interfaces ?? [])
    .filter(({ family }) => family === 'IPv4')
    .map(({ address }) => address);
}

/** Returns the broadcast address of the network of an address, all as text: `192.168.0.255`. */
export function broadcastAddress(address: string, netmask: string): string {
  return broadcastOf(ipv4Bytes(address) ?? [], ipv4Bytes(netmask) ?? []).join('.');
}

export interface SearchOptions {
  /** Time to wait for responses (ms); 2000 by default. */
  readonly timeout?: number | undefined;
  /** The UDP port of the device search; `searchPort` by default. */
  readonly port?: number | undefined;
  /**
   * IPv4 addresses to which the request is sent, also broadcast addresses; all networks of this computer by default.
   */
  readonly addresses?: readonly string[] | undefined;
  /** Ends the search early: the result has the scanners found until then. */
  readonly signal?: AbortSignal | undefined;
}

const defaultTimeout = 2000;

/** Number of times that the request is sent within the first half of the time, because datagrams get lost. */
const repetitions = 3;

/** Returns the time to wait for responses (ms). */
export function searchTimeout({ timeout = defaultTimeout }: SearchOptions): number {
  return timeout;
}

/**
 * Sends a request to all addresses, and passes each response to `onResponse`. Ends when the time is over or `onResponse`
 * returns true.
 * @throws DiscoverError if it could be sent to no address
 */
export async function sendSearchRequest(
  request: { readonly telegram: number; readonly macAddress: readonly number[]; readonly body: Uint8Array },
  options: SearchOptions,
  onResponse: (response: SearchDatagram, from: RemoteInfo) => boolean,
): Promise<void> {
  const { port = searchPort, addresses = broadcastAddresses(), signal } = options;
  const timeout = searchTimeout(options);
  const id = randomBytes(4);
  const datagram = encodeSearchRequest(request.telegram, request.macAddress, id, request.body);
  const enough = new AbortController();
  const end = () => enough.abort();
  signal?.addEventListener('abort', end);
  if (signal?.aborted) end();
  const socket = createSocket('udp4');
  socket.on('error', end);
  socket.on('message', (response, from) => {
    const decoded = decodeSearchResponse(response);
    if (decoded !== undefined && id.equals(decoded.id) && onResponse(decoded, from)) end();
  });
  const problems = new Map<string, string>();
  const send = (address: string) =>
    socket.send(datagram, port, address, (error) => {
      if (error !== null) problems.set(address, error.message);
    });
  try {
    socket.bind(0);
    await once(socket, 'listening');
    socket.setBroadcast(true);
    for (let time = 0; time < repetitions && !enough.signal.aborted; time++) {
      for (const address of addresses) send(address);
      await pause(timeout / (2 * repetitions), enough.signal);
    }
    await pause(timeout / 2, enough.signal);
  } finally {
    signal?.removeEventListener('abort', end);
    socket.close();
  }
  if (problems.size === addresses.length) {
    throw new DiscoverError(`the search could not be sent: ${[...problems.values()].join('; ')}`);
  }
}
