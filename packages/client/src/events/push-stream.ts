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

/** The parts of a stream. */
interface PushConfig<T> {
  readonly context: ChannelContext;
  readonly channel: Channel;
  readonly options: PushOptions;
  /** The values that wait for the reader. */
  readonly queue: ReaderQueue<T>;
  /** Makes a conversation for a new connection. The conversation puts values into the queue. */
  readonly converse: () => Conversation;
}

/**
 * Connects when the first value is requested, and again whenever the connection is lost. It rejects with an
 * UnreachableError if nothing answers at first, with the error of the channel if the scanner does not have it, and
 * with errors of the conversation.
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
    const reportLost = (reason: string) => {
      if (!lost) options.onState?.('lost', reason);
      lost = true;
    };
    while (!signal.aborted) {
      const conversation = converse();
      const session = new Session({ url, endpoint: channel.endpoint, pause, conversation });
      const opened = await this.#open(session, established);
      if (signal.aborted && opened instanceof ClientError) return;
      if (opened instanceof ClientError) reportLost(opened.message);
      else {
        options.onState?.(established ? 'reconnected' : 'connected', '');
        lost = false;
        const reason = await session.run(opened, signal);
        if (signal.aborted) return;
        reportLost(reason);
        established ||= conversation.established;
        if (!(established || options.retryFirst === true) || options.reconnect === false) {
          throw new UnreachableError(url, reason, undefined);
        }
        if (conversation.isComplete) failures = 0;
      }
      await reconnectPause(pauseAfter(failures++), signal);
    }
  }

  /**
   * Opens the channel. Returns an error after which it is tried again, and throws any other: the first failure unless
   * `retryFirst` is set, and the error of a scanner without events.
   */
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
