import { connect, type Socket } from 'node:net';
import { pauseAfter } from '@azimuth/client';
import { TelegramSplitter } from '@azimuth/telegrams';
import type { Arrived, Incoming } from './incoming.js';
import { connectTimeout } from './limits.js';

interface TcpIncomingOptions {
  /** The scanner's address. */
  readonly host: string;
  readonly port: number;
  readonly arrived: Arrived;
  /** Called with bytes that belong to no telegram. */
  readonly foreign: (bytes: number, from: string) => void;
  /** Called when the connection is open, and when it is lost, with the reason. */
  readonly changed: (reason: string | undefined, from: string) => void;
}

/**
 * Connects to a scanner that offers its telegrams over TCP, again and again: a scanner that reboots is found again. Each
 * telegram is passed on as soon as its last byte is there.
 */
export class TcpIncoming implements Incoming {
  readonly address: { readonly host: string; readonly port: number };
  readonly #options: TcpIncomingOptions;
  #socket: Socket | undefined;
  #pause: NodeJS.Timeout | undefined;
  #failures = 0;
  #isClosed = false;

  constructor(options: TcpIncomingOptions) {
    this.#options = options;
    this.address = { host: options.host, port: options.port };
    this.#connect();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#pause);
    this.#socket?.destroy();
  }

  #connect(): void {
    const { host, port, arrived, foreign, changed } = this.#options;
    const from = `${host}:${port}`;
    const splitter = new TelegramSplitter();
    const socket = connect({ host, port, noDelay: true });
    this.#socket = socket;
    let reason = 'the scanner has closed the connection';
    let dropped = 0;
    let to = '';
    socket.setTimeout(connectTimeout, () => socket.destroy(new Error('no connection within 10 s')));
    socket.on('connect', () => {
      socket.setTimeout(0);
      socket.setKeepAlive(true, connectTimeout);
      this.#failures = 0;
      to = `${socket.localAddress}:${socket.localPort}`;
      changed(undefined, from);
    });
    socket.on('data', (chunk) => {
      for (const telegram of splitter.push(chunk)) arrived(telegram, from, to);
      if (splitter.dropped > dropped) foreign(splitter.dropped - dropped, from);
      dropped = splitter.dropped;
    });
    socket.on('error', (error) => {
      reason = error.message;
    });
    socket.on('close', () => {
      if (this.#isClosed) return;
      // Only the first failure is told: the next ones say the same.
      if (this.#failures === 0) changed(reason, from);
      this.#pause = setTimeout(() => this.#connect(), pauseAfter(this.#failures));
      this.#failures += 1;
    });
  }
}
