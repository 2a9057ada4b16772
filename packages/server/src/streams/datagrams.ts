import type { Socket } from 'node:dgram';
import { lossOf, type Sending } from './delivery.js';
import { mostDatagramsTogether, mostSpareBuffers, mostUnsentDatagrams } from './limits.js';

/**
 * Buffers of datagrams that were sent, for all streams of the process. The one that was used last is used next: it is still
 * in the caches of the processor. Their sizes are powers of two.
 */
class SpareBuffers {
  readonly #spare = new Map<number, Uint8Array[]>();

  /** A buffer of at least this size. */
  take(bytes: number): Uint8Array {
    const size = roundUp(bytes);
    return this.#spare.get(size)?.pop() ?? new Uint8Array(size);
  }

  /** Gives back a buffer that was taken. */
  put(buffer: Uint8Array): void {
    const same = this.#spare.get(buffer.length);
    if (same === undefined) this.#spare.set(buffer.length, [buffer]);
    else if (same.length < mostSpareBuffers) same.push(buffer);
  }
}

const spareBuffers = new SpareBuffers();

/** One datagram that is written or waits. Its buffer belongs to the socket until the socket calls `done`. */
interface Slot {
  /** It has one from `buffer` until `done`. */
  bytes: Uint8Array | undefined;
  readonly done: (error: Error | null, bytes: number) => void;
  /** It is not sent, and nobody misses it. */
  readonly drop: () => void;
}

/** A datagram that is ready to be sent. */
interface Departure {
  readonly telegram: Uint8Array;
  readonly socket: Socket;
  readonly mayLeave: () => boolean;
  readonly slot: Slot;
}

/**
 * Sends the datagrams of all streams of the process together, at the end of a pass of the event loop. This needs less CPU
 * time than sending each where it is encoded: the code and data of the system stay in the caches, and a receiver on this
 * machine is woken once.
 */
class Departures {
  #waiting: Departure[] = [];
  #immediate: NodeJS.Immediate | undefined;
  readonly #send = () => this.send();

  add(departure: Departure): void {
    this.#waiting.push(departure);
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
      // The process may have been paused since it was made, even between two of them.
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

const departures = new Departures();

/** Sends the datagrams of a stream from buffers that are reused. */
export class Datagrams {
  readonly #sending: Sending;
  readonly #failed: (error: Error) => void;
  readonly #mayLeave: () => boolean;
  readonly #free: Slot[] = [];
  #made = 0;

  /**
   * @param failed gets the error of each datagram that was not sent; it is already counted
   * @param mayLeave is asked when a datagram is about to be handed to the system; otherwise it is dropped
   */
  constructor(sending: Sending, failed: (error: Error) => void, mayLeave = () => true) {
    this.#sending = sending;
    this.#failed = failed;
    this.#mayLeave = mayLeave;
  }

  /** A buffer of at least this size; undefined while all buffers wait for the network, which is counted. */
  buffer(bytes: number): Uint8Array | undefined {
    const slot = this.#free.at(-1) ?? this.#make();
    if (slot === undefined) {
      this.#sending.failed('congested');
      return undefined;
    }
    const { bytes: kept } = slot;
    if (kept !== undefined && kept.length >= bytes) return kept;
    const taken = spareBuffers.take(bytes);
    slot.bytes = taken;
    return taken;
  }

  /** Sends the telegram that was written into the buffer returned last, at the end of this pass of the event loop. */
  send(telegram: Uint8Array, socket: Socket): void {
    const slot = this.#free.pop();
    if (slot !== undefined) departures.add({ telegram, socket, mayLeave: this.#mayLeave, slot });
  }

  /** Sends what waits for the end of the pass at once: the socket is about to be closed. */
  sendWaiting(): void {
    departures.send();
  }

  #make(): Slot | undefined {
    if (this.#made >= mostUnsentDatagrams) return undefined;
    this.#made += 1;
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

/** The next power of two; at most 2³¹. */
function roundUp(bytes: number): number {
  return bytes <= 1 ? 1 : 1 << (32 - Math.clz32(bytes - 1));
}
