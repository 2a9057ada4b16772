import type { Dial } from '../exchange/exchange.js';

/** The listener of a WebSocket. Each function may be called before the socket has been returned. */
export interface SocketListener {
  /** @param data bytes for a binary message */
  message(data: string | Uint8Array): void;
  /** Called when the other side has answered a ping. */
  alive(): void;
  /**
   * Called when the connection is over, closed by either side. Only the first call counts.
   * @param broken true if the other side sent invalid data
   */
  closed(reason: string, broken: boolean): void;
}

export interface EventSocket {
  send(text: string): void;
  /** Sends a ping. Missing in browsers, which do not let pages do this. */
  readonly ping?: () => void;
  /** Closes with a closing handshake, or without one if the other side does not answer. */
  close(): void;
}

interface SocketOptions {
  readonly listener: SocketListener;
  /** Aborts the handshake; has no effect afterwards. */
  readonly signal: AbortSignal;
  /** How the connection is opened; by default, as by the platform. */
  readonly dial?: Dial | undefined;
}

/** Opens a WebSocket. @throws HandshakeFailure; any error if the signal is aborted */
export type OpenSocket = (url: string, options: SocketOptions) => Promise<EventSocket>;

/** An HTTP answer in place of a WebSocket. */
export interface RefusedHandshake {
  readonly httpStatus: number;
  readonly headers: Headers;
  /** The first bytes of its body. */
  readonly text: string;
}

/** Limit for one message of a scanner (bytes; in a browser, characters). */
export const maxMessageBytes = 1024 * 1024;

/** No WebSocket could be opened. */
export class HandshakeFailure extends Error {
  override readonly name = 'HandshakeFailure';

  /** @param response `none`, `broken`, or the HTTP response; `unknown` if the platform does not tell */
  constructor(
    message: string,
    readonly response: 'none' | 'broken' | 'unknown' | RefusedHandshake,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Returns the reason for the end of a connection, by its close code (RFC 6455, 7.4). */
export function closing(code: number, reason: string): string {
  if (code === 1006) return 'the connection was lost';
  return `the scanner closed the connection (${code}${reason === '' ? '' : `, ${reason}`})`;
}
