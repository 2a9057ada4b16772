import { changesPath, isObject } from '@azimuth/model';
import { parsedJson } from '../envelope.js';
import { AnswerError } from '../errors.js';
import { defaultBuffer } from '../limits.js';
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
  /** Number of reports dropped before this one, here or by the scanner, because they were not read in time. */
  readonly lost: number;
}

export interface ChangeOptions extends PushOptions {
  /** The variables to report. By default, all except those that change continuously, for example the time. */
  readonly names?: readonly string[] | undefined;
}

/**
 * Changes of variables over `/x/events`. If the reader is slow, the oldest reports are dropped. The next report has
 * their number.
 */
export class ChangeStream extends PushStream<Changes> {
  constructor(context: ChannelContext, options: ChangeOptions) {
    const queue = new ReaderQueue<Changes>({ items: defaultBuffer, follow: withLoss });
    const receive = (data: string | Uint8Array) => {
      const changes = changesIn(context.url, data);
      if (changes !== undefined) queue.push(changes);
    };
    const channel = changesChannel(options.names ?? []);
    super({ context, channel, options, queue, converse: () => new Listening(receive) });
  }
}

const all = extensionChannel(
  changesPath,
  (url, answer) => new NoEventsError(url, undefined, answer, extensionNeeds(changesPath)),
);

function changesChannel(names: readonly string[]): Channel {
  if (names.length === 0) return all;
  return {
    endpoint: all.endpoint,
    query: `?names=${names.map(encodeURIComponent).join(',')}`,
    missingError: async (context, refusal) => {
      if (refusal?.httpStatus !== 400) return all.missingError(context, refusal);
      return new EventRefusedError(names.join(','), refusal.httpStatus, refusal.text.trim());
    },
  };
}

function withLoss(dropped: Changes, next: Changes): Changes {
  return { changed: next.changed, lost: next.lost + dropped.lost + 1 };
}

/** Reads the changes in a message; undefined for message types that newer releases may send. */
function changesIn(url: string, data: string | Uint8Array): Changes | undefined {
  const message = typeof data === 'string' ? parsedJson(data) : undefined;
  if (!isObject(message)) {
    throw new AnswerError(url, all.endpoint, `something other than changes (${excerpt(data)})`);
  }
  const { changed, lost } = message;
  if (isObject(changed)) return { changed, lost: 0 };
  if (typeof lost === 'number' && lost > 0) return { changed: {}, lost };
  return undefined;
}
