import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';
import type { Tail } from './tail.js';

/** How long (ms) a client may take nothing while something waits for it. It is the network's time: nobody travels in it. */
const longestStandstill = 60_000;

const nothing = Buffer.alloc(0);

/**
 * One WebSocket, as far as something is sent over it. Frames of text go to its socket past `ws`, since one frame goes to
 * many; `ws` itself sends nothing but control frames, each in one piece.
 */
export class Line {
  readonly socket: WebSocket;
  readonly #connection: Socket;
  readonly #windowBits: number | undefined;
  #drained: (() => void) | undefined;
  #standstill: NodeJS.Timeout | undefined;

  /** @param windowBits those agreed on for permessage-deflate; undefined where it was not */
  constructor(socket: WebSocket, connection: Socket, windowBits: number | undefined) {
    this.socket = socket;
    this.#connection = connection;
    this.#windowBits = windowBits;
    const drained = () => this.#goOn();
    connection.on('drain', drained);
    socket.once('close', () => {
      connection.off('drain', drained);
      clearTimeout(this.#standstill);
    });
    // A client that breaks the protocol: ws has told it, and closes.
    socket.on('error', () => undefined);
  }

  get isCompressed(): boolean {
    return this.#windowBits !== undefined;
  }

  get isOpen(): boolean {
    return this.socket.readyState === this.socket.OPEN;
  }

  /** Does so much wait for the client already that more would only take memory? Then `onDrain` is called later. */
  get isFull(): boolean {
    return this.#connection.writableNeedDrain;
  }

  /** Calls `drained` whenever it was full, and is not any longer. */
  onDrain(drained: () => void): void {
    this.#drained = drained;
  }

  send(tail: Tail, head: Buffer = nothing): void {
    if (!this.isOpen) return;
    if (this.#connection.write(tail.frame(head, this.#windowBits)) || this.#standstill !== undefined) return;
    this.#standstill = setTimeout(() => this.cut(), longestStandstill).unref();
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
      this.#connection.resetAndDestroy();
    } catch {
      this.#connection.destroy();
    }
  }

  #goOn(): void {
    clearTimeout(this.#standstill);
    this.#standstill = undefined;
    if (this.isOpen) this.#drained?.();
  }
}
