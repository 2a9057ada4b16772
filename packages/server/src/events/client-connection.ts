import type { Log } from '@azimuth/device';
import type { RawData, WebSocket } from 'ws';
import {
  longestStandstill,
  mostUnansweredPings,
  mostUnsent,
  mostUnsentTogether,
  mostUnsentWhenMany,
  pingInterval,
} from './limits.js';

/** How often it is looked whether it has taken something. */
const checks = 4;

/** What waits in `ws` for all clients of a scanner, in characters. */
export interface UnsentTotal {
  length: number;
}

/** The connection under a WebSocket. */
interface Transport {
  readonly writableNeedDrain: boolean;
  resetAndDestroy(): unknown;
  destroy(): unknown;
}

/** One WebSocket of a client, with back pressure, and cut off where the client takes nothing any more. */
export class ClientConnection {
  readonly socket: WebSocket;
  readonly #transport: Transport;
  readonly #log: Log;
  readonly #together: UnsentTotal;
  /** What waits in `ws`, in characters. */
  #unsent = 0;
  #drained: (() => void) | undefined;
  #wasFull = false;
  /** Has something been taken since the last look? */
  #hasProgress = false;
  /** Looks in a row in which nothing was taken. */
  #idleChecks = 0;
  #standstill: NodeJS.Timeout | undefined;

  constructor(socket: WebSocket, transport: Transport, log: Log, together: UnsentTotal = { length: 0 }) {
    this.socket = socket;
    this.#transport = transport;
    this.#log = log;
    this.#together = together;
    socket.once('close', () => {
      clearTimeout(this.#standstill);
      this.#addUnsent(-this.#unsent);
    });
    // A client that breaks the protocol: ws has told it, and closes.
    socket.on('error', () => undefined);
  }

  get isCompressed(): boolean {
    return this.socket.extensions !== '';
  }

  get isOpen(): boolean {
    return this.socket.readyState === this.socket.OPEN;
  }

  /** Does so much wait for the client already that more would only take memory? Then `onDrain` is called later. */
  get isFull(): boolean {
    if (this.#transport.writableNeedDrain) return true;
    return this.#unsent > (this.#together.length > mostUnsentTogether ? mostUnsentWhenMany : mostUnsent);
  }

  /** Calls `drained` whenever it was full, and is not any longer. */
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

  send(text: string): void {
    this.#guard(() => {
      if (!this.isOpen) return;
      this.#addUnsent(text.length);
      this.socket.send(text, () => this.#wasSent(text.length));
      if (!this.isFull) return;
      this.#wasFull = true;
      if (this.#standstill !== undefined) return;
      this.#hasProgress = false;
      this.#idleChecks = 0;
      this.#checkLater();
    });
  }

  /** Reads nothing of the client until `resume`. */
  pause(): void {
    this.socket.pause();
  }

  resume(): void {
    this.socket.resume();
  }

  /** Closes the connection at once, whatever waits. */
  cut(): void {
    this.socket.terminate();
  }

  /** Cuts the connection without a word (RST), as far as that can be done through TLS. */
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

  /** A message has been taken: by the system, which does not tell what it holds of them itself. */
  #wasSent(length: number): void {
    // What a connection had is given back when it closes.
    if (this.socket.readyState !== this.socket.CLOSED) this.#addUnsent(-length);
    this.#hasProgress = true;
    if (!this.#wasFull || this.isFull) return;
    this.#wasFull = false;
    clearTimeout(this.#standstill);
    this.#standstill = undefined;
    this.#guard(() => {
      if (this.isOpen) this.#drained?.();
    });
  }

  /** Nothing that fails for one client ends the scanner. */
  #guard(act: () => void): void {
    try {
      act();
    } catch (error) {
      this.#log.error('A client of events could not be served', { reason: String(error) });
      this.socket.close(1011, 'the scanner failed; its log says why');
    }
  }
}

/** Asks connections whether they are still there, and cuts those off that do not answer: a cable pulled says nothing. */
export class Heartbeat {
  /** With the pings that each has not answered. */
  readonly #unanswered = new Map<WebSocket, number>();
  #timer: NodeJS.Timeout | undefined;
  readonly #contain: (call: () => void) => void;

  /** @param contain runs a round, and takes care of what it throws */
  constructor(contain: (call: () => void) => void) {
    this.#contain = contain;
  }

  add(socket: WebSocket): void {
    const answered = () => this.#unanswered.set(socket, 0);
    answered();
    socket.on('pong', answered);
    socket.once('close', () => {
      socket.off('pong', answered);
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
