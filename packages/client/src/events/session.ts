import type { Pause } from '../connection.js';
import { AnswerError } from '../errors.js';
import type { EventSocket, SocketListener } from './socket.js';

interface SessionConfig {
  /** The scanner as errors name it, and the path of the WebSocket below it. */
  readonly url: string;
  readonly endpoint: string;
  readonly pause: Pause;
  readonly conversation: Conversation;
}

/** How often the scanner is pinged, and how long it may take to answer (ms). */
const pingEvery = 15_000;
const pongWithin = 10_000;

/** One connection from its opening to its end. It passes on the messages, and notices if the scanner falls silent. */
export class Session implements SocketListener {
  readonly conversation: Conversation;
  readonly #config: SessionConfig;
  readonly #over = new AbortController();
  readonly #ended: Promise<string>;
  #resolve: (reason: string) => void = () => {};
  #reject: (error: unknown) => void = () => {};
  #heard = false;

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
   * Holds the conversation, and closes the socket when the connection is over.
   * @returns why it is over
   * @throws AnswerError for invalid data; what the conversation throws
   */
  async hold(socket: EventSocket, signal: AbortSignal): Promise<string> {
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
    this.#heard = true;
    try {
      this.conversation.take(data);
    } catch (error) {
      this.#fail(error);
    }
  }

  alive(): void {
    this.#heard = true;
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

  /** A connection whose other side has lost its power looks like one on which nothing happens. */
  async #watch(socket: EventSocket): Promise<void> {
    const { pause } = this.#config;
    const { signal } = this.#over;
    if (socket.ping === undefined) return;
    while (!signal.aborted) {
      await pause(pingEvery, signal);
      if (signal.aborted) return;
      this.#heard = false;
      socket.ping();
      await pause(pongWithin, signal);
      if (signal.aborted || this.#heard) continue;
      this.#end(`no sign of life within ${pongWithin / 1000} s`);
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

/** What is said over one connection, from its opening to its end. */
export interface Conversation {
  /** Has the scanner shown that it sends what was asked for? A connection that is lost earlier is not opened again. */
  readonly established: boolean;
  /** Has it done everything that was asked for? Then the pauses between attempts are short again. */
  readonly complete: boolean;
  /**
   * Asks for what is wanted.
   * @param signal aborts when the connection is over
   * @returns why the connection is of no use; undefined if it is
   */
  begin(socket: EventSocket, signal: AbortSignal): Promise<string | undefined>;
  /** Takes a message. What it throws ends the stream. */
  take(data: string | Uint8Array): void;
}

/** A scanner that sends as soon as the connection is open, and needs not be asked. */
export class Listening implements Conversation {
  readonly established = true;
  readonly complete = true;
  readonly take: (data: string | Uint8Array) => void;

  constructor(take: (data: string | Uint8Array) => void) {
    this.take = take;
  }

  begin(): Promise<undefined> {
    return Promise.resolve(undefined);
  }
}
