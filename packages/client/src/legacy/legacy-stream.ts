import { boolean } from '@azimuth/model';
import { pauseAfter } from '../back-off.js';
import type { Pause } from '../connection.js';
import { type ClientError, NotDoneError, UnreachableError } from '../errors.js';
import { mostWaitingBytes, usualBuffer } from '../limits.js';
import { ReadOnce } from '../read-once.js';
import { checkedBuffer, ReaderQueue } from '../reader-queue.js';
import type { Body, EventSink, LegacyConnection } from './legacy-connection.js';
import { decoded, encoded, request } from './request.js';

export interface LegacyStreamOptions {
  /** Ends the loop, as leaving it does. */
  readonly signal?: AbortSignal | undefined;
  /** Connect again if the connection is lost, on a connection of its own: false by default. */
  readonly reconnect?: boolean | undefined;
  /** Events that may wait for their reader; 100 by default. Never more than 16 MiB. */
  readonly buffer?: number | undefined;
  /** Called when events begin, when the connection is lost, and when it is back. `reason` is empty, except for `lost`. */
  readonly onState?: ((state: 'connected' | 'lost' | 'reconnected', reason: string) => void) | undefined;
}

/** Events of one name, by their values. */
export interface LegacyEvents<T> extends AsyncIterable<T, undefined> {
  /** Events that were dropped because they were not read in time. */
  readonly lost: number;
  /** Events that were received but could not be decoded. */
  readonly damaged: number;
  close(): void;
  [Symbol.asyncIterator](): AsyncIterator<T, undefined>;
}

/** What a stream takes of its scanner. */
interface StreamContext<T> {
  readonly name: string;
  readonly connection: LegacyConnection;
  /** Aborted when the scanner's connection is closed here. */
  readonly closing: AbortSignal;
  readonly pause: Pause;
  /** Another connection to the same scanner. */
  readonly open: (signal: AbortSignal) => Promise<LegacyConnection>;
  /** The value of an event; undefined if it is damaged. */
  readonly decode: (event: Body) => T | undefined;
}

/**
 * Events of one name: it is read once, and subscribed to when the first one is asked for. Leaving the loop, `close` and the
 * signal end it; if the connection is lost it rejects with an UnreachableError, or connects again.
 */
export class LegacyStream<T> extends ReadOnce<T, Body> implements LegacyEvents<T> {
  readonly #context: StreamContext<T>;
  readonly #options: LegacyStreamOptions;
  #damaged = 0;

  /** @throws RangeError for a buffer that holds nothing */
  constructor(context: StreamContext<T>, options: LegacyStreamOptions) {
    const items = checkedBuffer(options.buffer ?? usualBuffer, 'events');
    super(new ReaderQueue({ items, bytes: mostWaitingBytes }), [context.closing, options.signal]);
    this.#context = context;
    this.#options = options;
  }

  get lost(): number {
    return this.queue.dropped;
  }

  get damaged(): number {
    return this.#damaged;
  }

  protected async read(): Promise<IteratorResult<T, undefined>> {
    for (;;) {
      const result = await this.queue.next();
      if (result.done) return result;
      const value = this.#valueOf(result.value);
      if (value !== undefined) return { done: false, value };
      this.#damaged += 1;
    }
  }

  #valueOf(event: Body): T | undefined {
    try {
      return this.#context.decode(event);
    } catch (error) {
      // The loop does not call `return` if it fails here.
      this.close();
      throw error;
    }
  }

  protected async run(): Promise<void> {
    const { signal } = this.closing;
    const { onState, reconnect = false } = this.#options;
    let established = false;
    let failures = 0;
    while (!signal.aborted) {
      try {
        const reason = await this.#follow(established, () => {
          onState?.(established ? 'reconnected' : 'connected', '');
          established = true;
          failures = 0;
        });
        if (reason === undefined) return;
        if (!reconnect) throw reason;
        onState?.('lost', reason.message);
      } catch (error) {
        if (signal.aborted) return;
        if (!reconnect || !established || !(error instanceof UnreachableError)) throw error;
      }
      await this.#context.pause(pauseAfter(failures++), signal);
    }
  }

  /**
   * Subscribes, and waits for the end of it.
   * @param again on a connection of its own
   * @returns why the connection ended; undefined if it was closed here
   */
  async #follow(again: boolean, begun: () => void): Promise<ClientError | undefined> {
    const { signal } = this.closing;
    const { name, open } = this.#context;
    const connection = again ? await open(signal) : this.#context.connection;
    let over = (_reason: ClientError | undefined) => {};
    const ended = new Promise<ClientError | undefined>((resolve) => {
      over = resolve;
    });
    const stopped = () => over(undefined);
    signal.addEventListener('abort', stopped);
    try {
      const take = (event: Body) => this.queue.push(event, event.payload.length);
      const leave = await subscribe(connection, name, { take, end: over });
      try {
        if (signal.aborted) return undefined;
        begun();
        return await ended;
      } finally {
        leave();
      }
    } finally {
      signal.removeEventListener('abort', stopped);
      if (again) connection.close();
    }
  }
}

const onOrOff = boolean();

/**
 * Subscribes to the events of a name, and hands them to a sink. The subscription ends when the last sink
 * of the connection has gone.
 * @returns what ends it
 * @throws LegacyError if the scanner has no such event, NotDoneError if it does not switch it on
 */
export async function subscribe(
  connection: LegacyConnection,
  name: string,
  sink: EventSink,
): Promise<() => void> {
  const ask = (on: boolean) =>
    connection.ask(request(connection.framing, 'sEN', name, encoded(connection.framing, onOrOff, on)));
  // First of all: the first event may come right behind the answer.
  connection.attach(name, sink);
  const leave = () => {
    if (connection.detach(name, sink) && !connection.isOver) ask(false).catch(() => undefined);
  };
  try {
    const answer = await ask(true);
    if (!decoded({ ...answer, url: connection.url, endpoint: name }, onOrOff)) {
      throw NotDoneError.refused(name, 'sEA 0', 'the scanner does not send this event');
    }
    return leave;
  } catch (error) {
    leave();
    throw error;
  }
}
