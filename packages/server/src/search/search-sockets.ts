import type { RemoteInfo, Socket } from 'node:dgram';
import { networkInterfaces } from 'node:os';
import { containErrors } from '@azimuth/http';
import { broadcastOf } from '@azimuth/telegrams/device-search';
import { asIPv4, boundSocket } from '../network/udp.js';

export type Received = (datagram: Buffer, from: RemoteInfo) => void;

/**
 * The sockets of the device search: one at the scanner's address, which also answers, and one for each broadcast address
 * whose datagrams the first one does not get. Several scanners of a machine share a port, and each gets every broadcast.
 */
export class SearchSockets {
  /** Broadcast addresses that could not be listened at. */
  readonly unheardBroadcasts: readonly string[];
  readonly #sockets: readonly Socket[];
  readonly #main: Socket;

  /** The address that answers are sent from; 0.0.0.0 for the address that the request was sent to. */
  readonly address: string;

  private constructor(main: Socket, others: readonly Socket[], unheardBroadcasts: readonly string[]) {
    this.#main = main;
    this.address = main.address().address;
    this.#sockets = [main, ...others];
    this.unheardBroadcasts = unheardBroadcasts;
  }

  /** Finds a free port at this address. */
  static async freePort(host: string): Promise<number> {
    const socket = await boundSocket(0, asIPv4(host), false);
    const { port } = socket.address();
    socket.close();
    return port;
  }

  /** Rejects if the address or the port is not available. @param failed gets what `received` throws */
  static async open(
    host: string,
    port: number,
    received: Received,
    failed: (error: unknown) => void,
  ): Promise<SearchSockets> {
    const main = await boundSocket(port, asIPv4(host), true);
    const others: Socket[] = [];
    const unheardBroadcasts: string[] = [];
    for (const address of broadcastsFor(main.address().address)) {
      try {
        others.push(await boundSocket(port, address, true));
      } catch {
        // Some systems do not allow this. Some of these deliver broadcasts to the address itself.
        unheardBroadcasts.push(address);
      }
    }
    const sockets = new SearchSockets(main, others, unheardBroadcasts);
    for (const socket of sockets.#sockets) containErrors(socket, failed).on('message', received);
    return sockets;
  }

  /** Fulfilled when the system has accepted or refused the datagram: a datagram may always get lost. */
  send(datagram: Uint8Array, { port, address }: RemoteInfo): Promise<void> {
    return new Promise((resolve) => {
      try {
        this.#main.send(datagram, port, address, () => resolve());
      } catch {
        // Closed meanwhile.
        resolve();
      }
    });
  }

  close(): void {
    for (const socket of this.#sockets) socket.close();
  }
}

/**
 * The broadcast addresses for a listener at this address. On most systems a socket at one address gets no broadcasts; a
 * socket at 0.0.0.0 gets all.
 */
function broadcastsFor(address: string): readonly string[] {
  if (address === '0.0.0.0') return [];
  if (address.startsWith('127.')) return ['127.255.255.255'];
  const directed = Object.values(networkInterfaces())
    .flatMap((interfaces) => interfaces ?? [])
    .filter((at) => at.family === 'IPv4' && at.address === address)
    .map((at) => broadcastOf(bytesOf(at.address), bytesOf(at.netmask)).join('.'));
  return [...new Set([...directed, '255.255.255.255'])];
}

function bytesOf(address: string): readonly number[] {
  return address.split('.').map(Number);
}
