import { pauseAfter } from '../back-off.js';
import { valueIn } from '../endpoint.js';
import { AnswerError, ClientError, UnreachableError } from '../errors.js';
import { usualBuffer } from '../limits.js';
import { EventQueue } from './event-queue.js';
import type { Message } from './message.js';
import { type EventContext, NoEventsError, openEvents } from './open-events.js';
import type { AnyEvent, EventOptions } from './scanner-event.js';
import { Session } from './session.js';
import type { EventSocket } from './socket.js';

/**
 * Values that a scanner pushes: the current value of each event, then every change. It can be read once. It connects to
 * the scanner when the first value is requested. It ends with the loop, with `close` or with the abort signal.
 *
 * The loop goes on if the connection is lost (a reboot). After the reconnection, the then current values follow; changes
 * in between are lost. Node notices within 35 s that a scanner has gone silent; a browser cannot send
 * pings, and waits for the timeout of the system.
 *
 * It rejects with an UnreachableError if nothing answers at first, a NoEventsError if the scanner has no events, an
 * EventRefusedError if it does not have this event, an AnswerError if a message is not what the interface says.
 */
export interface Events<E> extends AsyncIterable<E, undefined> {
  /** Values that were dropped because they were not read in time. */
  readonly lost: number;
  close(): void;
  [Symbol.asyncIterator](): AsyncIterator<E, undefined>;
}

export class EventStream implements Events<AnyEvent> {
  readonly #context: EventContext;
  readonly #names: readonly string[];
  readonly #options: EventOptions;
  readonly #dataOf: (name: string, json: unknown) => unknown;
  readonly #queue: EventQueue<AnyEvent>;
  readonly #closing = new AbortController();
  #begun = false;

  /**
   * @param dataOf makes the value of an event out of its JSON
   * @throws TypeError without a name, RangeError for a buffer that holds nothing
   */
  constructor(
    context: EventContext,
    names: readonly string[],
    options: EventOptions,
    dataOf: (name: string, json: unknown) => unknown,
  ) {
    if (names.length === 0) throw new TypeError('expected the name of an event, got none');
    this.#context = context;
    this.#names = [...new Set(names)];
    this.#options = options;
    this.#dataOf = dataOf;
    this.#queue = new EventQueue(options.buffer ?? usualBuffer);
  }

  get lost(): number {
    return this.#queue.dropped;
  }

  readonly close = (): void => {
    this.#options.signal?.removeEventListener('abort', this.close);
    this.#queue.close();
    this.#closing.abort();
  };

  [Symbol.asyncIterator](): AsyncIterator<AnyEvent, undefined> {
    return {
      next: () => {
        this.#begin();
        return this.#queue.next();
      },
      return: () => {
        this.close();
        return Promise.resolve({ done: true, value: undefined });
      },
    };
  }

  #begin(): void {
    if (this.#begun) return;
    this.#begun = true;
    const { signal } = this.#options;
    signal?.addEventListener('abort', this.close);
    if (signal?.aborted) this.close();
    this.#run().then(this.#end, this.#end);
  }

  readonly #end = (error?: unknown): void => {
    this.#options.signal?.removeEventListener('abort', this.close);
    this.#queue.end(error);
  };

  async #run(): Promise<void> {
    const { signal } = this.#closing;
    const { pause } = this.#context;
    let established = false;
    let failures = 0;
    while (!signal.aborted) {
      const session = this.#session();
      const socket = await this.#open(session, established);
      if (socket !== undefined) {
        this.#options.onState?.(established ? 'reconnected' : 'connected', '');
        const reason = await session.hold(socket, signal);
        if (signal.aborted) return;
        this.#options.onState?.('lost', reason);
        established ||= session.established;
        if (!established || this.#options.reconnect === false) {
          throw new UnreachableError(this.#context.url, reason, undefined);
        }
        if (session.complete) failures = 0;
      }
      await pause(pauseAfter(failures++), signal);
    }
  }

  /** undefined if it has to be tried again: never at first, and not if the scanner has no events any more. */
  async #open(session: Session, again: boolean): Promise<EventSocket | undefined> {
    const { signal } = this.#closing;
    try {
      return await openEvents(this.#context, session, signal);
    } catch (error) {
      if (signal.aborted) return undefined;
      const isFinal = error instanceof NoEventsError && error.olderVersion !== undefined;
      if (!again || isFinal || !(error instanceof ClientError)) throw error;
      return undefined;
    }
  }

  #session(): Session {
    const { url, pause, timeoutMs } = this.#context;
    const take = (message: Message) => this.#take(message);
    return new Session({ url, names: this.#names, options: this.#options, pause, timeoutMs, take });
  }

  #take(message: Message): void {
    const { event } = message;
    const json = valueIn(message, event);
    if (json === undefined) throw new AnswerError(this.#context.url, event, `without data.${event}`);
    this.#queue.push({ event, data: this.#dataOf(event, json), at: Date.now() });
  }
}
