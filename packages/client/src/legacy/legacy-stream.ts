import { boolean } from '@azimuth/model';
import { pauseAfter } from '../back-off.js';
import type { Pause } from '../connection.js';
import { type ClientError, NotDoneError, UnreachableError } from '../errors.js';
import { defaultBuffer, maxWaitingBytes } from '../limits.js';
import { ReadOnce } from '../read-once.js';
import { checkedBuffer, ReaderQueue } from '../reader-queue.js';
import type { Body, EventSink, LegacyConnection } from './legacy-connection.js';
import { decoded, encoded, request } from './request.js';

export interface LegacyStreamOptions {
  /** Ends the loop. */
  readonly signal?: AbortSignal | undefined;
  /** Opens a new connection for the loop if the connection is lost: false by default. */
  readonly reconnect?: boolean | undefined;
  /** Events that may wait for their reader; 100 by default. Never more than 16 MiB. */
  readonly buffer?: number | undefined;
  /** Called when events begin, when the connection is lost, and when it is back. `reason` is empty, except for `lost`. */
  readonly onState?: ((state: 'connected' | 'lost' | 'reconnected', reason: string) => void) | undefined;
}

/** Events of one name, by their values. */
export interface LegacyEvents<T> extends AsyncIterable<T, undefined> {
  /** Number of events dropped because they were not read in time. */
  readonly lost: number;
  /** Number of received events that could not be decoded. */
  readonly damaged: number;
  close(): void;
  [Symbol.asyncIterator](): AsyncIterator<T, undefined>;
}

/** The functions and facts of its scanner that a stream needs. */
interface StreamContext<T> {
  readonly name: string;
  readonly connection: LegacyConnection;
  /** Aborted when the scanner's connection is closed here. */
  readonly closing: AbortSignal;
  readonly pause: Pause;
  /** Opens another connection to the same scanner. */
  readonly open: (signal: AbortSignal) => Promise<LegacyConnection>;
  /** Decodes the value of an event; undefined if it is damaged. */
  readonly decode: (event: Body) => T | undefined;
}

/**
 * Events of one name. The stream is read once; the subscription begins with the first read. Leaving the loop, `close`
 * and the signal end it. If the connection is lost, it rejects with an UnreachableError, or connects again.
 */
export class LegacyStream<T> extends ReadOnce<T, Body> implements LegacyEvents<T> {
  readonly #context: StreamContext<T>;
  readonly #options: LegacyStreamOptions;
  #damaged = 0;

  /** @throws RangeError for a buffer of size 0 */
  constructor(context: StreamContext<T>, options: LegacyStreamOptions) {
    const items = checkedBuffer(options.buffer ?? defaultBuffer, 'events');
    super(new ReaderQueue({ items, bytes: maxWaitingBytes }), [context.closing, options.signal]);
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
      const value = this.#decodedValue(result.value);
      if (value !== undefined) return { done: false, value };
      this.#damaged += 1;
    }
  }

  #decodedValue(event: Body): T | undefined {
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
   * Subscribes, and waits for the end of the subscription.
   * @param again true: on a new connection
   * @returns the reason why the connection ended; undefined if it was closed here
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
      const receive = (event: Body) => this.queue.push(event, event.payload.length);
      const leave = await subscribe(connection, name, { receive, end: over });
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
 * Subscribes to the events of a name, and passes them to a sink. The subscription ends with the last sink of the
 * connection.
 * @returns a function that ends it
 * @throws LegacyError if the scanner has no such event, NotDoneError if it does not switch it on
 */
export async function subscribe(
  connection: LegacyConnection,
  name: string,
  sink: EventSink,
): Promise<() => void> {
  const requestEvents = (on: boolean) =>
    connection.request(request(connection.framing, 'sEN', name, encoded(connection.framing, onOrOff, on)));
  // Attach first: the first event may follow directly after the response.
  connection.attach(name, sink);
  const leave = () => {
    if (connection.detach(name, sink) && !connection.isOver) requestEvents(false).catch(() => undefined);
  };
  try {
    const response = await requestEvents(true);
    if (!decoded({ ...response, url: connection.url, endpoint: name }, onOrOff)) {
      throw NotDoneError.refused(name, 'sEA 0', 'the scanner does not send this event');
    }
    return leave;
  } catch (error) {
    leave();
    throw error;
  }
}
