import { createSocket, type Socket } from 'node:dgram';
import type { Clock, LinkFaults } from '@azimuth/device';
import { containErrors, ipv4Unresolved } from '@azimuth/http';
import { reopenAfter } from '../network/limits.js';
import type { Route } from './data-stream.js';
import { Datagrams } from './datagrams.js';
import { type Loss, lossOf, type Sending } from './delivery.js';

/** Multicast and broadcast are not routed: receivers are in the scanner's own network. */
const hopsToMany = 1;

interface Options {
  readonly address: string;
  /** 1 to 65535. */
  readonly port: number;
  /** The address to send from; if undefined, the system chooses. */
  readonly from: string | undefined;
  /** Address of the network interface for multicast; if undefined, the system chooses. */
  readonly multicastBy: string | undefined;
  readonly sending: Sending;
  readonly clock: Clock;
  /** Called when `isWanted` may have changed. */
  readonly changed: () => void;
  /** Called with unexpected errors of the socket. */
  readonly failed: (error: unknown) => void;
  /** The network cable; undefined if it always stays in. */
  readonly link?: LinkFaults | undefined;
}

/** Sends each telegram as a datagram to one destination. Network errors do not stop it. */
export class UdpRoute implements Route {
  readonly #options: Options;
  readonly #datagrams: Datagrams;
  #socket: Socket | undefined;
  #isConnected = false;
  #opening: Promise<void> | undefined;
  #opened: () => void = () => undefined;
  #blockedBy: Loss | undefined;
  #cancelReopening: (() => void) | undefined;

  constructor(options: Options) {
    this.#options = options;
    const { sending, clock } = options;
    const mayLeave = () => clock.mayAct?.() !== false;
    this.#datagrams = new Datagrams(sending, (error) => this.#notSent(error), mayLeave);
    this.#opening = new Promise((resolve) => {
      this.#opened = () => {
        this.#opening = undefined;
        resolve();
      };
    });
    this.#open(options.from);
  }

  get opening(): Promise<void> | undefined {
    return this.#opening;
  }

  get sending(): Sending {
    return this.#options.sending;
  }

  get isWanted(): boolean {
    return this.#socket !== undefined;
  }

  get blockedBy(): Loss | undefined {
    return this.#blockedBy;
  }

  buffer(bytes: number): Uint8Array | undefined {
    if (!this.#isConnected || this.#options.link?.down !== undefined) return undefined;
    return this.#datagrams.buffer(bytes);
  }

  send(telegram: Uint8Array): void {
    if (this.#socket !== undefined) this.#datagrams.send(telegram, this.#socket);
  }

  meetNobody(): void {
    this.#options.sending.failed('refused');
  }

  close(): void {
    this.#cancelReopening?.();
    this.#cancelReopening = undefined;
    this.#shut();
    this.#opened();
  }

  #open(from: string | undefined): void {
    const { multicastBy, address, port, changed } = this.#options;
    const socket = containErrors(
      createSocket({ type: 'udp4', lookup: ipv4Unresolved }),
      this.#options.failed,
    );
    this.#socket = socket;
    socket.on('error', (error) => {
      if (socket === this.#socket) this.#failed(error, from);
    });
    socket.once('listening', () => {
      socket.setBroadcast(true);
      socket.setMulticastTTL(hopsToMany);
      socket.setMulticastLoopback(true);
      if (multicastBy !== undefined) leaveBy(socket, multicastBy);
      // The socket is connected, so that the system reports refusals.
      socket.connect(port, address);
    });
    socket.once('connect', () => {
      if (socket !== this.#socket) return;
      this.#isConnected = true;
      this.#blockedBy = undefined;
      this.#opened();
      changed();
    });
    socket.bind({ address: from ?? '0.0.0.0', port: 0, exclusive: true });
  }

  #shut(): void {
    this.#datagrams.sendWaiting();
    this.#socket?.close();
    this.#socket = undefined;
    this.#isConnected = false;
  }

  /** An error event of the socket: it cannot be opened, or the destination has refused an earlier datagram. */
  #failed(error: Error, from: string | undefined): void {
    if (this.#isConnected) {
      this.#options.sending.failed(lossOf(error), error);
      return;
    }
    this.#shut();
    if (from !== undefined) {
      this.#open(undefined);
      return;
    }
    this.#blockedBy = lossOf(error);
    this.#options.sending.failed(this.#blockedBy, error);
    this.#reopenSoon();
    this.#opened();
    this.#options.changed();
  }

  /** A connected socket keeps the route of its opening. A new socket may find another route. */
  #notSent(error: Error): void {
    const loss = lossOf(error);
    if (loss === 'unreachable' || loss === 'other') this.#reopenSoon();
  }

  #reopenSoon(): void {
    if (this.#cancelReopening !== undefined || (this.#socket !== undefined && !this.#isConnected)) return;
    this.#cancelReopening = this.#options.clock.after(reopenAfter, () => {
      this.#cancelReopening = undefined;
      this.#shut();
      this.#open(this.#options.from);
      this.#options.changed();
    });
  }
}

function leaveBy(socket: Socket, address: string): void {
  try {
    socket.setMulticastInterface(address);
  } catch {
    // This machine does not have the address: the system chooses.
  }
}
