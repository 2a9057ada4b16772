import { changesPath, isObject } from '@azimuth/model';
import { jsonOf } from '../answer.js';
import { AnswerError } from '../errors.js';
import { usualBuffer } from '../limits.js';
import { ReaderQueue } from '../reader-queue.js';
import { extensionChannel, extensionNeeds, NoEventsError } from './channels.js';
import type { PushOptions } from './message.js';
import { EventRefusedError, excerpt } from './message.js';
import type { Channel, ChannelContext } from './open-channel.js';
import { PushStream } from './push-stream.js';
import { Listening } from './session.js';

/** Variables that changed together. */
export interface Changes {
  /** Their values by their names, with `x/` for extensions: unchecked JSON. Empty if only a loss is reported. */
  readonly changed: Readonly<Record<string, unknown>>;
  /** How many reports before this one were dropped, here or by the scanner, because they were not read in time. */
  readonly lost: number;
}

export interface ChangeOptions extends PushOptions {
  /** The variables to report; by default all that do not change continuously, as the time does. */
  readonly names?: readonly string[] | undefined;
}

/** Changes of variables over `/x/events`. If the reader is slow, the oldest reports are dropped, and counted in the next. */
export class ChangeStream extends PushStream<Changes> {
  constructor(context: ChannelContext, options: ChangeOptions) {
    const queue = new ReaderQueue<Changes>({ items: usualBuffer, follow: withLoss });
    const take = (data: string | Uint8Array) => {
      const changes = changesIn(context.url, data);
      if (changes !== undefined) queue.push(changes);
    };
    const channel = channelOf(options.names ?? []);
    super({ context, channel, options, queue, converse: () => new Listening(take) });
  }
}

const all = extensionChannel(
  changesPath,
  (url, answer) => new NoEventsError(url, undefined, answer, extensionNeeds(changesPath)),
);

function channelOf(names: readonly string[]): Channel {
  if (names.length === 0) return all;
  return {
    endpoint: all.endpoint,
    query: `?names=${names.map(encodeURIComponent).join(',')}`,
    lacking: async (context, refusal) => {
      if (refusal?.httpStatus !== 400) return all.lacking(context, refusal);
      return new EventRefusedError(names.join(','), refusal.httpStatus, refusal.text.trim());
    },
  };
}

function withLoss(gone: Changes, next: Changes): Changes {
  return { changed: next.changed, lost: next.lost + gone.lost + 1 };
}

/** The changes in a message; undefined if it is of a kind that newer releases may send. */
function changesIn(url: string, data: string | Uint8Array): Changes | undefined {
  const message = typeof data === 'string' ? jsonOf(data) : undefined;
  if (!isObject(message)) {
    throw new AnswerError(url, all.endpoint, `something other than changes (${excerpt(data)})`);
  }
  const { changed, lost } = message;
  if (isObject(changed)) return { changed, lost: 0 };
  if (typeof lost === 'number' && lost > 0) return { changed: {}, lost };
  return undefined;
}
