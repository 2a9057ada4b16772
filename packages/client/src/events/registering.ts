import type { Pause } from '../connection.js';
import type { EventOptions } from './message.js';
import { EventRefusedError, type Message, readMessage, registration } from './message.js';
import type { Conversation } from './session.js';
import type { EventSocket } from './socket.js';

interface Registrations {
  /** The scanner as errors name it. */
  readonly url: string;
  /** The events to register, each once. */
  readonly names: readonly string[];
  readonly options: EventOptions;
  readonly pause: Pause;
  /** Milliseconds for the answers to the registrations. */
  readonly timeoutMs: number;
  /** Called for each message with a value. */
  readonly take: (message: Message) => void;
}

/** ms between two registrations: devices reset a connection on a burst of them. */
const usualPace = 200;

/** Registers events, and passes on the messages about them. */
export class Registering implements Conversation {
  readonly #registrations: Registrations;
  readonly #unanswered: Set<string>;
  readonly #missing = new Set<string>();

  constructor(registrations: Registrations) {
    this.#registrations = registrations;
    this.#unanswered = new Set(registrations.names);
  }

  /** Has the scanner answered a registration? */
  get established(): boolean {
    return this.#unanswered.size < this.#registrations.names.length;
  }

  /** Has it answered all of them? */
  get complete(): boolean {
    return this.#unanswered.size === 0;
  }

  async begin(socket: EventSocket, signal: AbortSignal): Promise<string | undefined> {
    const { names, options, pause, timeoutMs } = this.#registrations;
    for (const [index, name] of names.entries()) {
      if (index > 0) await pause(options.pace ?? usualPace, signal);
      if (signal.aborted) return undefined;
      socket.send(registration(name, index + 1, options));
    }
    await pause(timeoutMs, signal);
    const [silent] = this.#unanswered;
    return silent === undefined
      ? undefined
      : `no answer to the registration of ${silent} within ${timeoutMs / 1000} s`;
  }

  /** @throws AnswerError, EventRefusedError; what the reader of messages throws */
  take(data: string | Uint8Array): void {
    const { take } = this.#registrations;
    const message = this.#read(data);
    if (message === undefined) return;
    if (message.type === 'register') this.#unanswered.delete(message.event);
    // A scanner that has no value yet answers without one.
    if (message.type === 'event' || message.body.data !== undefined) take(message);
  }

  /** A message; undefined if it is of a kind that newer releases may send, or about an event that may be missing. */
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
