import { pauseAfter } from '../back-off.js';
import { ClientError, mayPass, UnreachableError } from '../errors.js';
import { ReadOnce } from '../read-once.js';
import type { ReaderQueue } from '../reader-queue.js';
import { NoEventsError } from './channels.js';
import type { PushOptions } from './message.js';
import { type Channel, type ChannelContext, openChannel } from './open-channel.js';
import type { Conversation } from './session.js';
import { Session } from './session.js';
import type { EventSocket } from './socket.js';

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
  readonly queue: ReaderQueue<T>;
  /** A conversation for a new connection. It puts values into the queue. */
  readonly converse: () => Conversation;
}

/**
 * Connects when the first value is requested, and again whenever the connection is lost. It rejects with an
 * UnreachableError if nothing answers at first, with the error of the channel if the scanner does not have it, with
 * whatever the conversation throws.
 */
export class PushStream<T> extends ReadOnce<T> implements Pushed<T> {
  readonly #config: PushConfig<T>;

  constructor(config: PushConfig<T>) {
    super(config.queue, [config.options.signal, config.context.closing]);
    this.#config = config;
  }

  protected read(): Promise<IteratorResult<T, undefined>> {
    return this.queue.next();
  }

  protected async run(): Promise<void> {
    const { context, channel, options, converse } = this.#config;
    const { url, pause, reconnectPause = pause } = context;
    const { signal } = this.closing;
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
    const { signal } = this.closing;
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
