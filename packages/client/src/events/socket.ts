/** What hears a WebSocket. Each may be called before the socket has been handed out. */
export interface SocketListener {
  /** @param data bytes for a binary message */
  message(data: string | Uint8Array): void;
  /** The other side has answered a ping. */
  alive(): void;
  /**
   * The connection is over, closed by either side. Only the first call counts.
   * @param broken did the other side send what must not be sent?
   */
  closed(reason: string, broken: boolean): void;
}

export interface EventSocket {
  send(text: string): void;
  /** Asks the other side for a sign of life; not there in a browser, which lets no page do so. */
  readonly ping?: () => void;
  /** Closes with a closing handshake, and without one if the other side does not answer. */
  close(): void;
}

interface SocketOptions {
  readonly listener: SocketListener;
  /** Aborts the handshake; has no effect afterwards. */
  readonly signal: AbortSignal;
}

/** Opens a WebSocket. @throws HandshakeFailure; anything if the signal aborts */
export type OpenSocket = (url: string, options: SocketOptions) => Promise<EventSocket>;

/** An HTTP answer in place of a WebSocket. */
export interface RefusedHandshake {
  readonly httpStatus: number;
  readonly headers: Headers;
  /** Its beginning. */
  readonly text: string;
}

/** The most that a scanner may send in one message (bytes; in a browser, characters). */
export const longestMessage = 1024 * 1024;

/** No WebSocket could be opened. */
export class HandshakeFailure extends Error {
  override readonly name = 'HandshakeFailure';

  /** @param answer what came instead: nothing, a broken answer, an HTTP answer; `unknown` if the platform does not say */
  constructor(
    message: string,
    readonly answer: 'none' | 'broken' | 'unknown' | RefusedHandshake,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Why a connection is over, by its close code (RFC 6455, 7.4). */
export function closing(code: number, reason: string): string {
  if (code === 1006) return 'the connection was lost';
  return `the scanner closed the connection (${code}${reason === '' ? '' : `, ${reason}`})`;
}
