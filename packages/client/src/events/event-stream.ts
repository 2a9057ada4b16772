import { valueIn } from '../endpoint.js';
import { AnswerError } from '../errors.js';
import { defaultBuffer } from '../limits.js';
import { checkedBuffer, ReaderQueue } from '../reader-queue.js';
import { eventsChannel } from './channels.js';
import type { AnyEvent, EventOptions, EventRefusedError, Message } from './message.js';
import type { ChannelContext } from './open-channel.js';
import { type Pushed, PushStream } from './push-stream.js';
import { Registering } from './registering.js';

/**
 * Values that a scanner pushes: the current value of each event, then every change. It can be read once. It connects
 * to the scanner when the first value is requested. It ends with the loop, with `close` or with the abort signal.
 * If the connection is lost, for example by a reboot, the loop goes on. After the reconnection, the current values
 * come again; changes in between are lost. Node notices within 35 s that a scanner has gone silent. A browser cannot
 * send pings, and waits for the timeout of the system.
 * It rejects with an UnreachableError if nothing answers at first, a NoEventsError if the scanner has no events, an
 * EventRefusedError if it does not have this event, an AnswerError for a message that the interface does not allow.
 */
export interface Events<E> extends Pushed<E> {
  /** Values that were dropped because they were not read in time. */
  readonly lost: number;
}

export class EventStream extends PushStream<AnyEvent> implements Events<AnyEvent> {
  /**
   * @param decodeData makes the value of an event from its JSON
   * @throws TypeError without a name, RangeError for a buffer of size 0
   */
  constructor(
    context: ChannelContext,
    names: readonly string[],
    options: EventOptions,
    decodeData: (name: string, json: unknown) => unknown,
  ) {
    if (names.length === 0) throw new TypeError('expected the name of an event, got none');
    const { url, pause, timeoutMs } = context;
    const { onMissing } = options;
    const reported = new Set<string>();
    const onceMissing = (missing: EventRefusedError) => {
      // A scanner that lacks an event reports this again after each reconnection.
      if (!reported.has(missing.event)) onMissing?.(missing);
      reported.add(missing.event);
    };
    const queue = new ReaderQueue<AnyEvent>({
      items: checkedBuffer(options.buffer ?? defaultBuffer, 'values'),
      victim: oldestOfCommonest,
    });
    const requested = onMissing === undefined ? options : { ...options, onMissing: onceMissing };
    const registrations = { url, names: [...new Set(names)], options: requested, pause, timeoutMs };
    const receive = (message: Message) => {
      const { event } = message;
      const json = valueIn(message, event);
      if (json === undefined) throw new AnswerError(url, event, `without data.${event}`);
      queue.push({ event, data: decodeData(event, json), at: Date.now() });
    };
    const converse = () => new Registering({ ...registrations, onMessage: receive });
    super({ context, channel: eventsChannel, options, queue, converse });
  }

  get lost(): number {
    return this.queue.dropped;
  }
}

/**
 * Returns the index of the oldest value of the event with the most values: frequent events must not displace rare
 * ones.
 */
export function oldestOfCommonest(waiting: readonly { readonly event: string }[]): number {
  const counts = new Map<string, number>();
  for (const { event } of waiting) counts.set(event, (counts.get(event) ?? 0) + 1);
  const most = Math.max(...counts.values());
  return waiting.findIndex(({ event }) => counts.get(event) === most);
}
