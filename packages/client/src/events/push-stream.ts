import { pauseAfter } from '../back-off.js';
import { ClientError, mayPass, UnreachableError } from '../errors.js';
import { NoEventsError } from './channels.js';
import type { PushOptions } from './message.js';
import { type Channel, type ChannelContext, openChannel } from './open-channel.js';
import type { Conversation } from './session.js';
import { Session } from './session.js';
import type { EventSocket } from './socket.js';
import type { WaitingQueue } from './waiting-queue.js';

/** Values that a scanner pushes. It can be read once. It ends with the loop, with `close` or with the abort signal. */
export interface Pushed<T> extends AsyncIterable<T, undefined> {
  close(): void;
  [Symbol.asyncIterator](): AsyncIterator<T, undefined>;
}

/** What a stream is made of. */
interface PushConfig<T> {
  readonly context: ChannelContext;
  readonly channel: Channel;
  readonly options: PushOptions;
  /** What waits for the reader. */
  readonly queue: WaitingQueue<T>;
  /** A conversation for a new connection. It puts values into the queue. */
  readonly converse: () => Conversation;
}

/**
 * Connects when the first value is requested, and again whenever the connection is lost. It rejects with an
 * UnreachableError if nothing answers at first, with the error of the channel if the scanner does not have it, with
 * whatever the conversation throws.
 */
export class PushStream<T> implements Pushed<T> {
  readonly #config: PushConfig<T>;
  readonly #closing = new AbortController();
  #begun = false;

  constructor(config: PushConfig<T>) {
    this.#config = config;
  }

  /** Values that were dropped because they were not read in time. */
  protected get waitedTooLong(): number {
    return this.#config.queue.dropped;
  }

  readonly close = (): void => {
    const { queue } = this.#config;
    this.#forget();
    queue.close();
    this.#closing.abort();
  };

  [Symbol.asyncIterator](): AsyncIterator<T, undefined> {
    return {
      next: () => {
        this.#begin();
        return this.#config.queue.next();
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
    for (const signal of this.#signals) {
      signal.addEventListener('abort', this.close);
      if (signal.aborted) this.close();
    }
    this.#run().then(this.#end, this.#end);
  }

  readonly #end = (error?: unknown): void => {
    this.#forget();
    this.#config.queue.end(error);
  };

  /** What closes it from outside. */
  get #signals(): readonly AbortSignal[] {
    const { options, context } = this.#config;
    return [options.signal, context.closing].filter((signal) => signal !== undefined);
  }

  #forget(): void {
    for (const signal of this.#signals) signal.removeEventListener('abort', this.close);
  }

  async #run(): Promise<void> {
    const { context, channel, options, converse } = this.#config;
    const { url, pause, reconnectPause = pause } = context;
    const { signal } = this.#closing;
    let established = false;
    let failures = 0;
    let lost = false;
    const tellLost = (reason: string) => {
      if (!lost) options.onState?.('lost', reason);
      lost = true;
    };
    while (!signal.aborted) {
      const conversation = converse();
      const session = new Session({ url, endpoint: channel.endpoint, pause, conversation });
      const opened = await this.#open(session, established);
      if (signal.aborted && opened instanceof ClientError) return;
      if (opened instanceof ClientError) tellLost(opened.message);
      else {
        options.onState?.(established ? 'reconnected' : 'connected', '');
        lost = false;
        const reason = await session.hold(opened, signal);
        if (signal.aborted) return;
        tellLost(reason);
        established ||= conversation.established;
        if (!(established || options.retryFirst === true) || options.reconnect === false) {
          throw new UnreachableError(url, reason, undefined);
        }
        if (conversation.complete) failures = 0;
      }
      await reconnectPause(pauseAfter(failures++), signal);
    }
  }

  /** An error if it has to be tried again: not at first, unless that is asked for, and not if there are no events. */
  async #open(session: Session, established: boolean): Promise<EventSocket | ClientError> {
    const { context, channel, options } = this.#config;
    const { signal } = this.#closing;
    try {
      return await openChannel(context, channel, session, signal);
    } catch (error) {
      if (!(error instanceof ClientError)) {
        if (signal.aborted) return new UnreachableError(context.url, 'closed', error);
        throw error;
      }
      const isFinal = error instanceof NoEventsError && error.olderVersion !== undefined;
      const isTriedAgain = established ? !isFinal : options.retryFirst === true && mayPass(error);
      if (signal.aborted || isTriedAgain) return error;
      throw error;
    }
  }
}
