import type { RemoteInfo, Socket } from 'node:dgram';
import { containErrors } from '@azimuth/http';
import type { Locator } from '@azimuth/telegrams/rtps';
import { networksOf } from '../network/own-networks.js';
import { boundSocket } from '../network/udp.js';
import { mostParticipantIndex, peerPorts } from './limits.js';
import type { RosNetwork } from './network.js';

/** Multicast group of discovery (DDSI-RTPS §9.6.2.4.1). */
const group = '239.255.0.1';

/** Returns the ports of a domain (§9.6.2): multicast for discovery, and unicast of each participant of a machine. */
function portBase(domain: number): number {
  return 7400 + 250 * domain;
}

function unicastPort(domain: number, participant: number): number {
  return portBase(domain) + 10 + 2 * participant;
}

export type Received = (datagram: Buffer, from: RemoteInfo) => void;

interface Options {
  /** Domain: 0 to 232. */
  readonly domain: number;
  readonly network: RosNetwork;
  readonly received: Received;
  /** Called with unexpected errors. */
  readonly failed: (error: unknown) => void;
}

/** Sockets of a participant: one for unicast, and one for multicast. */
export class RtpsSockets {
  /** First free unicast port of the domain. */
  readonly port: number;
  /** Multicast socket; undefined if nothing can be received by multicast. */
  readonly #multicast: Socket | undefined;
  readonly #unicast: Socket;
  readonly #options: Options;
  readonly #peers: readonly Locator[];

  private constructor(unicast: Socket, multicast: Socket | undefined, options: Options) {
    this.#unicast = unicast;
    this.#multicast = multicast;
    this.#options = options;
    this.port = unicast.address().port;
    const { domain, network } = options;
    this.#peers = network.peers.flatMap((address) =>
      Array.from({ length: peerPorts }, (_, index) => ({ address, port: unicastPort(domain, index) })),
    );
  }

  /** Opens the sockets. Rejects if no unicast port can be opened. */
  static async open(options: Options): Promise<RtpsSockets> {
    const unicast = await unicastSocket(options);
    const multicast = await multicastSocket(options).catch(() => undefined);
    const sockets = new RtpsSockets(unicast, multicast, options);
    containErrors(unicast, options.failed).on('message', (datagram: Buffer, from: RemoteInfo) => {
      if (sockets.#mayHear(from) && !sockets.#isDown) options.received(datagram, from);
    });
    if (multicast === undefined) return sockets;
    const networks = networksOf(options.network.addresses);
    containErrors(multicast, options.failed).on('message', (datagram: Buffer, from: RemoteInfo) => {
      if (networks.check(from.address) && !sockets.#isDown) options.received(datagram, from);
    });
    return sockets;
  }

  get hearsMulticast(): boolean {
    return this.#multicast !== undefined;
  }

  /** Locators under which others reach it. */
  get locators(): readonly Locator[] {
    return this.#options.network.addresses.map((address) => ({ address, port: this.port }));
  }

  /** Sends the parts as one datagram. They must not change until `done` is called. */
  send(parts: readonly Uint8Array[], { address, port }: Locator, done: (error: Error | null) => void): void {
    if (this.#isDown) {
      done(null);
      return;
    }
    try {
      this.#unicast.send(parts, port, address, done);
    } catch (error) {
      done(error instanceof Error ? error : new Error(String(error)));
    }
  }

  /** Sends an announcement to the group, over each network, and to the unicast peers. */
  announce(message: Uint8Array): void {
    const ignore = () => undefined;
    const port = portBase(this.#options.domain);
    for (const address of this.#options.network.addresses) {
      try {
        this.#unicast.setMulticastInterface(address);
      } catch {
        continue;
      }
      this.send([message], { address: group, port }, ignore);
    }
    for (const peer of this.#peers) this.send([message], peer, ignore);
  }

  close(): void {
    this.#unicast.close();
    this.#multicast?.close();
  }

  get #isDown(): boolean {
    return this.#options.network.isDown?.() === true;
  }

  /** A scanner on loopback talks to this machine only. */
  #mayHear({ address }: RemoteInfo): boolean {
    return !this.#options.network.isLoopback || address.startsWith('127.');
  }
}

async function unicastSocket({ domain, network }: Options): Promise<Socket> {
  let problem: unknown;
  for (let index = 0; index <= mostParticipantIndex; index++) {
    const port = unicastPort(domain, index);
    if (port > 65_535) break;
    try {
      const socket = await boundSocket(port, network.bindTo, false);
      socket.setMulticastTTL(1);
      socket.setMulticastLoopback(true);
      return socket;
    } catch (error) {
      problem = error;
      if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) break;
    }
  }
  throw problem;
}

async function multicastSocket({ domain, network }: Options): Promise<Socket> {
  // Address to bind to. A socket bound to the group gets no other datagrams. Some systems do not support this.
  const at = process.platform === 'linux' ? group : '0.0.0.0';
  const socket = await boundSocket(portBase(domain), at, true);
  const joined = network.addresses.filter((address) => {
    try {
      socket.addMembership(group, address);
      return true;
    } catch {
      // The network interface has joined by another address already, or has no multicast.
      return false;
    }
  });
  if (joined.length > 0) return socket;
  socket.close();
  throw new Error('no network interface has multicast');
}
