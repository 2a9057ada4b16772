import type { Pause } from '../connection.js';
import { AnswerError } from '../errors.js';
import type { EventSocket, SocketListener } from './socket.js';

interface SessionConfig {
  /** The name of the scanner in errors, and the path of the WebSocket below it. */
  readonly url: string;
  readonly endpoint: string;
  readonly pause: Pause;
  readonly conversation: Conversation;
}

/** Interval of pings, and time limit for the pong (ms). */
const pingInterval = 15_000;
const pongTimeout = 10_000;

/**
 * One connection from its opening to its end. It passes on the messages, and notices if the scanner stops answering.
 */
export class Session implements SocketListener {
  readonly conversation: Conversation;
  readonly #config: SessionConfig;
  readonly #over = new AbortController();
  readonly #ended: Promise<string>;
  #resolve: (reason: string) => void = () => {};
  #reject: (error: unknown) => void = () => {};
  #alive = false;

  constructor(config: SessionConfig) {
    this.#config = config;
    this.conversation = config.conversation;
    this.#ended = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    // It may fail before its result is awaited.
    this.#ended.catch(() => undefined);
  }

  /**
   * Runs the conversation, and closes the socket when the connection is over.
   * @returns the reason for the end
   * @throws AnswerError for invalid data; errors of the conversation
   */
  async run(socket: EventSocket, signal: AbortSignal): Promise<string> {
    const stop = () => this.#end('closed');
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop);
    try {
      const [reason] = await Promise.all([this.#ended, this.#begin(socket), this.#watch(socket)]);
      return reason;
    } finally {
      signal.removeEventListener('abort', stop);
      socket.close();
    }
  }

  message(data: string | Uint8Array): void {
    if (this.#over.signal.aborted) return;
    this.#alive = true;
    try {
      this.conversation.receive(data);
    } catch (error) {
      this.#fail(error);
    }
  }

  alive(): void {
    this.#alive = true;
  }

  closed(reason: string, broken: boolean): void {
    const { url, endpoint } = this.#config;
    if (broken) this.#fail(new AnswerError(url, endpoint, `invalid WebSocket data (${reason})`));
    else this.#end(reason);
  }

  async #begin(socket: EventSocket): Promise<void> {
    const useless = await this.conversation.begin(socket, this.#over.signal);
    if (useless !== undefined) this.#end(useless);
  }

  /** Pings the scanner: if the other side has lost its power, the connection only looks idle. */
  async #watch(socket: EventSocket): Promise<void> {
    const { pause } = this.#config;
    const { signal } = this.#over;
    if (socket.ping === undefined) return;
    while (!signal.aborted) {
      await pause(pingInterval, signal);
      if (signal.aborted) return;
      this.#alive = false;
      socket.ping();
      await pause(pongTimeout, signal);
      if (signal.aborted || this.#alive) continue;
      this.#end(`no sign of life within ${pongTimeout / 1000} s`);
    }
  }

  #end(reason: string): void {
    this.#resolve(reason);
    this.#over.abort();
  }

  #fail(error: unknown): void {
    this.#reject(error);
    this.#over.abort();
  }
}

/** The messages over one connection, from its opening to its end. */
export interface Conversation {
  /**
   * True if the scanner has shown that it sends the requested data. If a connection is lost before, it is not opened
   * again.
   */
  readonly established: boolean;
  /** True if the scanner has answered all requests. Then the pauses between attempts are short again. */
  readonly isComplete: boolean;
  /**
   * Sends the requests.
   * @param signal aborts when the connection is over
   * @returns the reason why the connection is of no use; undefined if it is useful
   */
  begin(socket: EventSocket, signal: AbortSignal): Promise<string | undefined>;
  /** Receives a message. An error that it throws ends the stream. */
  receive(data: string | Uint8Array): void;
}

/** The conversation with a scanner that sends as soon as the connection is open, without a request. */
export class Listening implements Conversation {
  readonly established = true;
  readonly isComplete = true;
  readonly receive: (data: string | Uint8Array) => void;

  constructor(receive: (data: string | Uint8Array) => void) {
    this.receive = receive;
  }

  begin(): Promise<undefined> {
    return Promise.resolve(undefined);
  }
}
