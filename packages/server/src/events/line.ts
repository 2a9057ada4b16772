import type { Log } from '@azimuth/device';
import type { RawData, WebSocket } from 'ws';
import type { Tail } from './tail.js';

/** How long (ms) a client may take nothing while something waits for it. It is the network's time: nobody travels in it. */
const longestStandstill = 60_000;

/** How often it is looked whether it has taken something. */
const looks = 4;

const nothing = Buffer.alloc(0);

/** The connection under a WebSocket. */
interface Wire {
  readonly writableNeedDrain: boolean;
  /** Bytes. */
  readonly writableLength: number;
  write(bytes: Buffer): boolean;
  on(event: 'drain', listener: () => void): unknown;
  off(event: 'drain', listener: () => void): unknown;
  resetAndDestroy(): unknown;
  destroy(): unknown;
}

/**
 * One WebSocket, as far as something is sent over it. Frames of text go to its socket past `ws`, since one frame goes to
 * many; `ws` itself sends nothing but control frames, each in one piece.
 */
export class Line {
  readonly socket: WebSocket;
  readonly #connection: Wire;
  readonly #windowBits: number | undefined;
  readonly #log: Log;
  #drained: (() => void) | undefined;
  #sent = 0;
  #taken = 0;
  /** Looks in a row in which nothing was taken. */
  #idleLooks = 0;
  #standstill: NodeJS.Timeout | undefined;

  /** @param windowBits those agreed on for permessage-deflate; undefined where it was not */
  constructor(socket: WebSocket, connection: Wire, windowBits: number | undefined, log: Log) {
    this.socket = socket;
    this.#connection = connection;
    this.#windowBits = windowBits;
    this.#log = log;
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

  /** Calls `listener` with each message, as long as the line is open. */
  onMessage(listener: (data: RawData, isBinary: boolean) => void): void {
    this.socket.on('message', (data, isBinary) => {
      this.#guard(() => {
        if (this.isOpen) listener(data, isBinary);
      });
    });
  }

  send(tail: Tail, head: Buffer = nothing): void {
    this.#guard(() => {
      if (!this.isOpen) return;
      const frame = tail.frame(head, this.#windowBits);
      this.#sent += frame.length;
      if (this.#connection.write(frame) || this.#standstill !== undefined) return;
      this.#taken = this.#takenNow;
      this.#idleLooks = 0;
      this.#lookLater();
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
      this.#connection.resetAndDestroy();
    } catch {
      this.#connection.destroy();
    }
  }

  /** Bytes that the system has taken for the client; what it holds of them itself cannot be seen. */
  get #takenNow(): number {
    return this.#sent - this.#connection.writableLength;
  }

  #lookLater(): void {
    this.#standstill = setTimeout(() => this.#guard(() => this.#look()), longestStandstill / looks).unref();
  }

  #look(): void {
    const taken = this.#takenNow;
    this.#idleLooks = taken > this.#taken ? 0 : this.#idleLooks + 1;
    this.#taken = taken;
    if (this.#idleLooks < looks) this.#lookLater();
    else this.cut();
  }

  #goOn(): void {
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
