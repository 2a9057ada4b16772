import type { Pause } from '../connection.js';
import type { EventOptions } from './message.js';
import { EventRefusedError, type Message, readMessage, registration } from './message.js';
import type { Conversation } from './session.js';
import type { EventSocket } from './socket.js';

interface Registrations {
  /** The name of the scanner in errors: its URL. */
  readonly url: string;
  /** The events to register, each once. */
  readonly names: readonly string[];
  readonly options: EventOptions;
  readonly pause: Pause;
  /** Time limit for the responses to the registrations in ms. */
  readonly timeoutMs: number;
  /** Called for each message with a value. */
  readonly onMessage: (message: Message) => void;
}

/** Default time between two registrations in ms: devices reset the connection after a burst of registrations. */
const defaultPace = 200;

/** Registers events, and passes on the messages about them. */
export class Registering implements Conversation {
  readonly #registrations: Registrations;
  readonly #unanswered: Set<string>;
  readonly #missing = new Set<string>();

  constructor(registrations: Registrations) {
    this.#registrations = registrations;
    this.#unanswered = new Set(registrations.names);
  }

  /** True if the scanner has answered at least one registration. */
  get established(): boolean {
    return this.#unanswered.size < this.#registrations.names.length;
  }

  /** True if the scanner has answered all registrations. */
  get isComplete(): boolean {
    return this.#unanswered.size === 0;
  }

  async begin(socket: EventSocket, signal: AbortSignal): Promise<string | undefined> {
    const { names, options, pause, timeoutMs } = this.#registrations;
    for (const [index, name] of names.entries()) {
      if (index > 0) await pause(options.pace ?? defaultPace, signal);
      if (signal.aborted) return undefined;
      socket.send(registration(name, index + 1, options));
    }
    await pause(timeoutMs, signal);
    const [silent] = this.#unanswered;
    return silent === undefined
      ? undefined
      : `no answer to the registration of ${silent} within ${timeoutMs / 1000} s`;
  }

  /** @throws AnswerError, EventRefusedError; errors of the message reader */
  receive(data: string | Uint8Array): void {
    const { onMessage } = this.#registrations;
    const message = this.#read(data);
    if (message === undefined) return;
    if (message.type === 'register') this.#unanswered.delete(message.event);
    // A scanner that has no value yet responds without one.
    if (message.type === 'event' || message.body.data !== undefined) onMessage(message);
  }

  /**
   * Reads a message; undefined for message types that newer releases may send, and for an event that is allowed to be
   * missing.
   */
  #read(data: string | Uint8Array): Message | undefined {
    const { url, names, options } = this.#registrations;
    try {
      return readMessage(url, data, (id) => (typeof id === 'number' ? names[id - 1] : undefined));
    } catch (error) {
      if (!(error instanceof EventRefusedError) || options.onMissing === undefined) throw error;
      this.#unanswered.delete(error.event);
      this.#missing.add(error.event);
      if (this.#missing.size === names.length) throw error;
      options.onMissing(error);
      return undefined;
    }
  }
}
