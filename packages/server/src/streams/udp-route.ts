import { createSocket, type Socket } from 'node:dgram';
import { clearImmediate, setImmediate } from 'node:timers';
import type { Clock } from '@azimuth/device';
import type { LinkFaults } from '@azimuth/device/faults';
import { containErrors, ipv4Unresolved } from '@azimuth/http';
import { reopenAfter } from '../network/limits.js';
import type { Route } from './data-stream.js';
import { type Loss, lossOf, type Sending } from './delivery.js';
import { mostDatagramsTogether, mostSpareBuffers, mostUnsentDatagrams } from './limits.js';

/** Multicast and broadcast are not routed: receivers are in the scanner's own network. */
const hopsToMany = 1;

interface Options {
  readonly address: string;
  /** Port: 1 to 65535. */
  readonly port: number;
  /** Address to send from; if undefined, the system chooses. */
  readonly from: string | undefined;
  /** Address of the network interface for multicast; if undefined, the system chooses. */
  readonly multicastBy: string | undefined;
  readonly sending: Sending;
  readonly clock: Clock;
  /** Called when `hasReceiver` may have changed. */
  readonly changed: () => void;
  /** Called with unexpected errors of the socket. */
  readonly failed: (error: unknown) => void;
  /** The network cable; undefined if it always stays in. */
  readonly link?: LinkFaults | undefined;
}

/**
 * | state       | connected   | error of the socket                  | datagram not sent      | after a pause |
 * |-------------|-------------|--------------------------------------|------------------------|---------------|
 * | `opening`   | `connected` | `opening` without address, `waiting` |                        |               |
 * | `connected` |             | counted                              | opened again, in a pause | `opening`     |
 * | `waiting`   |             |                                      |                        | `opening`     |
 *
 * `close` leads to `closed`. Events of a socket that it has left have no effect.
 */
type State =
  /** `blockedBy`: reason why it could not be opened before. */
  | { readonly kind: 'opening'; readonly socket: Socket; readonly blockedBy: Loss | undefined }
  /** `cancel`: set while it is to be opened again. */
  | { readonly kind: 'connected'; readonly socket: Socket; readonly cancel: (() => void) | undefined }
  | { readonly kind: 'waiting'; readonly blockedBy: Loss; readonly cancel: () => void }
  | { readonly kind: 'closed' };

/** Sends each telegram as a datagram to one destination. Network errors do not stop it. */
export class UdpRoute implements Route {
  readonly #options: Options;
  readonly #datagrams: Datagrams;
  #state: State = { kind: 'closed' };
  #opening: Promise<void> | undefined;
  #opened: () => void = () => undefined;

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

  get hasReceiver(): boolean {
    return this.#state.kind === 'opening' || this.#state.kind === 'connected';
  }

  get blockedBy(): Loss | undefined {
    return 'blockedBy' in this.#state ? this.#state.blockedBy : undefined;
  }

  buffer(bytes: number): Uint8Array | undefined {
    if (this.#state.kind !== 'connected' || this.#options.link?.down !== undefined) return undefined;
    return this.#datagrams.buffer(bytes);
  }

  send(telegram: Uint8Array): void {
    if (this.#state.kind === 'connected') this.#datagrams.send(telegram, this.#state.socket);
  }

  meetNobody(): void {
    this.#options.sending.failed('refused');
  }

  close(): void {
    this.#leave();
    this.#state = { kind: 'closed' };
    this.#opened();
  }

  /** @param from undefined for the address that the system chooses */
  #open(from: string | undefined, blockedBy?: Loss): void {
    const { multicastBy, address, port, changed } = this.#options;
    const socket = containErrors(
      createSocket({ type: 'udp4', lookup: ipv4Unresolved }),
      this.#options.failed,
    );
    socket.on('error', (error) => {
      if (socket === this.#socket) this.#failed(error, from);
    });
    socket.once('listening', () => {
      socket.setBroadcast(true);
      socket.setMulticastTTL(hopsToMany);
      socket.setMulticastLoopback(true);
      if (multicastBy !== undefined) sendMulticastFrom(socket, multicastBy);
      // The socket is connected, so that the system reports refusals.
      socket.connect(port, address);
    });
    socket.once('connect', () => {
      if (socket !== this.#socket) return;
      this.#state = { kind: 'connected', socket, cancel: undefined };
      this.#opened();
      changed();
    });
    // Binding may fail at once.
    this.#state = { kind: 'opening', socket, blockedBy };
    socket.bind({ address: from ?? '0.0.0.0', port: 0, exclusive: true });
  }

  get #socket(): Socket | undefined {
    return 'socket' in this.#state ? this.#state.socket : undefined;
  }

  #leave(): void {
    const before = this.#state;
    if ('cancel' in before) before.cancel?.();
    this.#datagrams.sendWaiting();
    if ('socket' in before) before.socket.close();
  }

  /** Handles an error event of the socket: it cannot be opened, or the destination has refused an earlier datagram. */
  #failed(error: Error, from: string | undefined): void {
    const { sending, changed } = this.#options;
    const blockedBy = lossOf(error);
    if (this.#state.kind === 'connected') {
      sending.failed(blockedBy, error);
      return;
    }
    const before = this.blockedBy;
    this.#leave();
    if (from !== undefined) {
      this.#open(undefined, before);
      return;
    }
    sending.failed(blockedBy, error);
    this.#state = { kind: 'waiting', blockedBy, cancel: this.#reopenLater() };
    this.#opened();
    changed();
  }

  /** A connected socket keeps the route of its opening. A new socket may find another route. */
  #notSent(error: Error): void {
    const loss = lossOf(error);
    const state = this.#state;
    if (state.kind !== 'connected' || state.cancel !== undefined) return;
    if (loss === 'unreachable' || loss === 'other') this.#state = { ...state, cancel: this.#reopenLater() };
  }

  /** Returns a function that cancels it. */
  #reopenLater(): () => void {
    const { clock, from, changed } = this.#options;
    return clock.after(reopenAfter, () => {
      const before = this.blockedBy;
      this.#leave();
      this.#open(from, before);
      changed();
    });
  }
}

function sendMulticastFrom(socket: Socket, address: string): void {
  try {
    socket.setMulticastInterface(address);
  } catch {
    // This machine does not have the address, so the system chooses.
  }
}

/**
 * Buffers of datagrams that were sent, for all streams of the process. The buffer that was used last is used next: it
 * is still in the caches of the processor. Their sizes are powers of two.
 */
class SpareBuffers {
  readonly #spare = new Map<number, Uint8Array[]>();

  /** Returns a buffer of at least this size. */
  acquire(bytes: number): Uint8Array {
    const size = roundUp(bytes);
    return this.#spare.get(size)?.pop() ?? new Uint8Array(size);
  }

  /** Returns a buffer to the pool. */
  put(buffer: Uint8Array): void {
    const same = this.#spare.get(buffer.length);
    if (same === undefined) this.#spare.set(buffer.length, [buffer]);
    else if (same.length < mostSpareBuffers) same.push(buffer);
  }
}

const spareBuffers = new SpareBuffers();

/** Datagram that is written or waits. Its buffer belongs to the socket until the socket calls `done`. */
interface Slot {
  /** Buffer of the datagram, from `buffer` until `done`. */
  bytes: Uint8Array | undefined;
  readonly done: (error: Error | null, bytes: number) => void;
  /** Drops it without counting a loss. */
  readonly drop: () => void;
}

/** Datagram that is ready to be sent. */
interface PendingDatagram {
  readonly telegram: Uint8Array;
  readonly socket: Socket;
  readonly mayLeave: () => boolean;
  readonly slot: Slot;
}

/**
 * Sends the datagrams of all streams of the process together, at the end of a pass of the event loop. This needs less
 * CPU time than sending each where it is encoded: the code and data of the system stay in the caches, and a receiver on
 * this machine is scheduled once.
 */
class DatagramQueue {
  #waiting: PendingDatagram[] = [];
  #immediate: NodeJS.Immediate | undefined;
  readonly #send = () => this.send();

  add(datagram: PendingDatagram): void {
    this.#waiting.push(datagram);
    if (this.#waiting.length >= mostDatagramsTogether) this.send();
    else this.#immediate ??= setImmediate(this.#send);
  }

  /** Sends everything that waits. */
  send(): void {
    clearImmediate(this.#immediate);
    this.#immediate = undefined;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { telegram, socket, mayLeave, slot } of waiting) {
      // The process may have been paused since the datagram was made, even between two of them.
      if (!mayLeave()) {
        slot.drop();
        continue;
      }
      try {
        socket.send(telegram, slot.done);
      } catch (error) {
        slot.done(error instanceof Error ? error : new Error(String(error)), 0);
      }
    }
  }
}

const datagramQueue = new DatagramQueue();

/** Sends the datagrams of a stream from buffers that are reused. */
class Datagrams {
  readonly #sending: Sending;
  readonly #failed: (error: Error) => void;
  readonly #mayLeave: () => boolean;
  readonly #free: Slot[] = [];
  #allocated = 0;

  /**
   * @param failed called with the error of each datagram that was not sent; it is already counted
   * @param mayLeave called when a datagram is about to be handed to the system; if it returns false, the datagram is
   * dropped
   */
  constructor(sending: Sending, failed: (error: Error) => void, mayLeave = () => true) {
    this.#sending = sending;
    this.#failed = failed;
    this.#mayLeave = mayLeave;
  }

  /** Returns a buffer of at least this size; undefined while all buffers wait for the network, which is counted. */
  buffer(bytes: number): Uint8Array | undefined {
    const slot = this.#free.at(-1) ?? this.#make();
    if (slot === undefined) {
      this.#sending.failed('congested');
      return undefined;
    }
    const { bytes: buffer } = slot;
    if (buffer !== undefined && buffer.length >= bytes) return buffer;
    const acquired = spareBuffers.acquire(bytes);
    slot.bytes = acquired;
    return acquired;
  }

  /** Sends the telegram that was written into the buffer returned last, at the end of this pass of the event loop. */
  send(telegram: Uint8Array, socket: Socket): void {
    const slot = this.#free.pop();
    if (slot !== undefined) datagramQueue.add({ telegram, socket, mayLeave: this.#mayLeave, slot });
  }

  /** Sends waiting datagrams at once, because the socket is about to be closed. */
  sendWaiting(): void {
    datagramQueue.send();
  }

  #make(): Slot | undefined {
    if (this.#allocated >= mostUnsentDatagrams) return undefined;
    this.#allocated += 1;
    const drop = () => {
      if (slot.bytes !== undefined) spareBuffers.put(slot.bytes);
      slot.bytes = undefined;
      this.#free.push(slot);
    };
    const slot: Slot = {
      bytes: undefined,
      drop,
      done: (error, bytes) => {
        drop();
        if (error === null) {
          this.#sending.sent(bytes);
          return;
        }
        this.#sending.failed(lossOf(error), error);
        this.#failed(error);
      },
    };
    this.#free.push(slot);
    return slot;
  }
}

/** Returns the next power of two; at most 2³¹. */
function roundUp(bytes: number): number {
  return bytes <= 1 ? 1 : 1 << (32 - Math.clz32(bytes - 1));
}
