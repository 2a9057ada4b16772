import { randomBytes } from 'node:crypto';
import { createSocket, type RemoteInfo } from 'node:dgram';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import {
  decodeSearchAnswer,
  encodeSearchRequest,
  type SearchDatagram,
} from '@azimuth/telegrams/device-search';
import { everywhere } from './destinations.js';
import { DiscoverError } from './discover-error.js';

export interface AskingOptions {
  /** How long answers are waited for (ms); 2000 where nothing is stated. */
  readonly timeout?: number;
  /** The UDP port of the device search; 30718 where nothing is stated. */
  readonly port?: number;
  /** IPv4 addresses to ask, broadcasts among them; all networks of this computer where nothing is stated. */
  readonly addresses?: readonly string[];
  /** Ends it early: what was found until then counts. */
  readonly signal?: AbortSignal;
}

const usualTimeout = 2000;
const usualPort = 30718;

/** Datagrams get lost: it is asked so many times, spread over the first half of the time. */
const times = 3;

/** How long (ms) answers are waited for. */
export function patienceOf({ timeout = usualTimeout }: AskingOptions): number {
  return timeout;
}

/**
 * Sends a request wherever it is to go, and hands over what comes back, until the time is over or `heard` says true.
 * @throws DiscoverError where it can be sent nowhere
 */
export async function ask(
  request: { readonly telegram: number; readonly macAddress: readonly number[]; readonly body: Uint8Array },
  options: AskingOptions,
  heard: (answer: SearchDatagram, from: RemoteInfo) => boolean,
): Promise<void> {
  const { port = usualPort, addresses = everywhere(), signal } = options;
  const timeout = patienceOf(options);
  const id = randomBytes(4);
  const datagram = encodeSearchRequest(request.telegram, request.macAddress, id, request.body);
  const enough = new AbortController();
  const end = () => enough.abort();
  signal?.addEventListener('abort', end);
  if (signal?.aborted) end();
  const socket = createSocket('udp4');
  socket.on('error', end);
  socket.on('message', (answer, from) => {
    const decoded = decodeSearchAnswer(answer);
    if (decoded !== undefined && id.equals(decoded.id) && heard(decoded, from)) end();
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
    for (let time = 0; time < times && !enough.signal.aborted; time++) {
      for (const address of addresses) send(address);
      await pause(timeout / (2 * times), enough.signal);
    }
    await pause(timeout / 2, enough.signal);
  } finally {
    signal?.removeEventListener('abort', end);
    socket.close();
  }
  if (problems.size === addresses.length) {
    throw new DiscoverError(`nobody could be asked: ${[...problems.values()].join('; ')}`);
  }
}

/** Ends with the signal, too. */
async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  try {
    await setTimeout(milliseconds, undefined, { signal });
  } catch {
    // Enough was heard.
  }
}
