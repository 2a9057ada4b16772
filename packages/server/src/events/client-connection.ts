import type { Log } from '@azimuth/device';
import type { RawData, WebSocket } from 'ws';
import type { UnsentTotal } from './event-metrics.js';
import { FaultyMessages, type PossibleFaults } from './faulty-messages.js';
import {
  longestStandstill,
  mostUnansweredPings,
  mostUnsent,
  mostUnsentTogether,
  mostUnsentWhenMany,
  pingInterval,
} from './limits.js';

/** Number of checks for progress within the time limit. */
const checks = 4;

/** Connection under a WebSocket. */
interface Transport {
  readonly writableNeedDrain: boolean;
  resetAndDestroy(): unknown;
  destroy(): unknown;
}

/** One WebSocket with back pressure. It is closed if its client stops reading. */
export class ClientConnection {
  readonly socket: WebSocket;
  readonly #transport: Transport;
  readonly #log: Log;
  readonly #together: UnsentTotal;
  /** Characters and bytes that wait in `ws`. */
  #unsent = 0;
  #drained: (() => void) | undefined;
  #onSent: (() => void) | undefined;
  #wasFull = false;
  /** True if a message has been sent since the last check. */
  #hasProgress = false;
  /** Number of consecutive checks without progress. */
  #idleChecks = 0;
  #standstill: NodeJS.Timeout | undefined;
  /** Planned faults; undefined for a scanner without them. */
  readonly #faulty: FaultyMessages | undefined;

  constructor(
    socket: WebSocket,
    transport: Transport,
    log: Log,
    together: UnsentTotal = { length: 0 },
    faults?: PossibleFaults,
  ) {
    this.socket = socket;
    this.#transport = transport;
    this.#log = log;
    this.#together = together;
    if (faults !== undefined) {
      this.#faulty = new FaultyMessages(faults, {
        transmit: (message) => this.#guard(() => this.#transmit(message)),
        cut: () => this.cut(),
        reset: () => this.reset(),
        onSent: (act) => {
          if (this.#unsent === 0) act();
          else this.#onSent = act;
        },
        released: () =>
          this.#guard(() => {
            if (this.isOpen && !this.isFull) this.#drained?.();
          }),
      });
    }
    socket.once('close', () => {
      clearTimeout(this.#standstill);
      this.#faulty?.end();
      this.#addUnsent(-this.#unsent);
    });
    // The client violated the protocol. `ws` has reported this to it, and closes.
    socket.on('error', () => undefined);
  }

  get isCompressed(): boolean {
    return this.socket.extensions !== '';
  }

  get isOpen(): boolean {
    return this.socket.readyState === this.socket.OPEN;
  }

  /** True if so much waits for the client that more would only use memory. When this ends, `onDrain` is called. */
  get isFull(): boolean {
    if (this.#transport.writableNeedDrain || this.#faulty?.isStalled === true) return true;
    return this.#unsent > (this.#together.length > mostUnsentTogether ? mostUnsentWhenMany : mostUnsent);
  }

  /** Calls `drained` each time that the connection stops being full. */
  onDrain(drained: () => void): void {
    this.#drained = drained;
  }

  /** Calls `listener` with each message, as long as the connection is open. */
  onMessage(listener: (data: RawData, isBinary: boolean) => void): void {
    this.socket.on('message', (data, isBinary) => {
      this.#guard(() => {
        if (this.isOpen) listener(data, isBinary);
      });
    });
  }

  /** Sends a message. @param data text, or bytes that nobody changes afterwards */
  send(data: string | Uint8Array): void {
    this.#guard(() => {
      if (this.#faulty === undefined) this.#transmit(data);
      else if (this.isOpen) this.#faulty.send(data);
    });
  }

  #transmit(data: string | Uint8Array): void {
    if (!this.isOpen) return;
    this.#addUnsent(data.length);
    this.socket.send(data, () => this.#wasSent(data.length));
    if (!this.isFull) return;
    this.#wasFull = true;
    if (this.#standstill !== undefined) return;
    this.#hasProgress = false;
    this.#idleChecks = 0;
    this.#checkLater();
  }

  /** Stops reading from the client until `resume`. */
  pause(): void {
    this.socket.pause();
  }

  resume(): void {
    this.socket.resume();
  }

  /** Closes the connection at once, even if messages wait. */
  cut(): void {
    this.socket.terminate();
  }

  /** Resets the connection (RST), as far as that is possible through TLS. */
  reset(): void {
    try {
      this.#transport.resetAndDestroy();
    } catch {
      this.#transport.destroy();
    }
  }

  #checkLater(): void {
    this.#standstill = setTimeout(() => this.#guard(() => this.#check()), longestStandstill / checks).unref();
  }

  #check(): void {
    this.#idleChecks = this.#hasProgress ? 0 : this.#idleChecks + 1;
    this.#hasProgress = false;
    if (this.#idleChecks < checks) this.#checkLater();
    else this.cut();
  }

  #addUnsent(length: number): void {
    this.#unsent += length;
    this.#together.length += length;
  }

  /** The system has accepted a message. Its own buffer is not visible from here. */
  #wasSent(length: number): void {
    // When a connection closes, its share is returned elsewhere.
    if (this.socket.readyState !== this.socket.CLOSED) this.#addUnsent(-length);
    this.#hasProgress = true;
    if (this.#unsent === 0) this.#onSent?.();
    if (!this.#wasFull || this.isFull) return;
    this.#wasFull = false;
    clearTimeout(this.#standstill);
    this.#standstill = undefined;
    this.#guard(() => {
      if (this.isOpen) this.#drained?.();
    });
  }

  /** Keeps the process alive: an error for one client must not end the scanner. */
  #guard(act: () => void): void {
    try {
      act();
    } catch (error) {
      this.#log.error('A client of events could not be served', { reason: String(error) });
      this.socket.close(1011, 'the scanner failed; its log says why');
    }
  }
}

/** Pings connections and closes those whose clients do not respond: a pulled cable causes no event. */
export class Heartbeat {
  /** Number of unanswered pings of each connection. */
  readonly #unanswered = new Map<WebSocket, number>();
  #timer: NodeJS.Timeout | undefined;
  readonly #contain: (call: () => void) => void;

  /** @param contain runs a round and handles the errors that it throws */
  constructor(contain: (call: () => void) => void) {
    this.#contain = contain;
  }

  add(socket: WebSocket): void {
    const pongReceived = () => this.#unanswered.set(socket, 0);
    pongReceived();
    socket.on('pong', pongReceived);
    socket.once('close', () => {
      socket.off('pong', pongReceived);
      this.#unanswered.delete(socket);
      if (this.#unanswered.size > 0) return;
      clearTimeout(this.#timer);
      this.#timer = undefined;
    });
    this.#timer ??= this.#schedule();
  }

  #schedule(): NodeJS.Timeout {
    return setTimeout(() => this.#contain(() => this.#ping()), pingInterval).unref();
  }

  #ping(): void {
    this.#timer = this.#schedule();
    for (const [socket, unanswered] of this.#unanswered) {
      if (unanswered >= mostUnansweredPings) {
        socket.terminate();
        continue;
      }
      this.#unanswered.set(socket, unanswered + 1);
      if (socket.readyState === socket.OPEN) socket.ping();
    }
  }
}
