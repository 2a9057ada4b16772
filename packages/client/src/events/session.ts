import type { Pause } from '../connection.js';
import { AnswerError } from '../errors.js';
import { endpoint, type Message, readMessage, registration } from './message.js';
import type { EventOptions } from './scanner-event.js';
import type { EventSocket, SocketListener } from './socket.js';

interface SessionConfig {
  /** The scanner as errors name it. */
  readonly url: string;
  /** The events to register, each once. */
  readonly names: readonly string[];
  readonly options: EventOptions;
  readonly pause: Pause;
  /** Milliseconds for the answers to the registrations. */
  readonly timeoutMs: number;
  /** Called for each message with a value. What it throws ends the session. */
  readonly take: (message: Message) => void;
}

/** ms between two registrations: devices reset a connection on a burst of them. */
const usualPace = 200;

/** How often the scanner is pinged, and how long it may take to answer (ms). */
const pingEvery = 15_000;
const pongWithin = 10_000;

/** One connection from its opening to its end: registers the events, and passes on the messages. */
export class Session implements SocketListener {
  readonly #config: SessionConfig;
  readonly #unanswered: Set<string>;
  readonly #over = new AbortController();
  readonly #ended: Promise<string>;
  #resolve: (reason: string) => void = () => {};
  #reject: (error: unknown) => void = () => {};
  #heard = false;

  constructor(config: SessionConfig) {
    this.#config = config;
    this.#unanswered = new Set(config.names);
    this.#ended = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    // It may fail before its result is awaited.
    this.#ended.catch(() => undefined);
  }

  /** Has the scanner answered a registration? */
  get established(): boolean {
    return this.#unanswered.size < this.#config.names.length;
  }

  /** Has it answered all of them? */
  get complete(): boolean {
    return this.#unanswered.size === 0;
  }

  /**
   * Registers the events, and closes the socket when the connection is over.
   * @returns why it is over
   * @throws AnswerError, EventRefusedError; what `take` throws
   */
  async hold(socket: EventSocket, signal: AbortSignal): Promise<string> {
    const stop = () => this.#end('closed');
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop);
    try {
      const [reason] = await Promise.all([this.#ended, this.#register(socket), this.#watch(socket)]);
      return reason;
    } finally {
      signal.removeEventListener('abort', stop);
      socket.close();
    }
  }

  message(text: string | undefined): void {
    if (this.#over.signal.aborted) return;
    this.#heard = true;
    const { url, names, take } = this.#config;
    try {
      const message = readMessage(url, text, (id) => (typeof id === 'number' ? names[id - 1] : undefined));
      if (message === undefined) return;
      if (message.type === 'register') this.#unanswered.delete(message.event);
      // A scanner that has no value yet answers without one.
      if (message.type === 'event' || message.body.data !== undefined) take(message);
    } catch (error) {
      this.#fail(error);
    }
  }

  alive(): void {
    this.#heard = true;
  }

  closed(reason: string, broken: boolean): void {
    if (broken) this.#fail(new AnswerError(this.#config.url, endpoint, `invalid WebSocket data (${reason})`));
    else this.#end(reason);
  }

  async #register(socket: EventSocket): Promise<void> {
    const { names, options, pause, timeoutMs } = this.#config;
    const { signal } = this.#over;
    for (const [index, name] of names.entries()) {
      if (index > 0) await pause(options.pace ?? usualPace, signal);
      if (signal.aborted) return;
      socket.send(registration(name, index + 1, options));
    }
    await pause(timeoutMs, signal);
    const [silent] = this.#unanswered;
    if (silent !== undefined)
      this.#end(`no answer to the registration of ${silent} within ${timeoutMs / 1000} s`);
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
