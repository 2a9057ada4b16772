import { scanPath } from '@azimuth/model';
import { decodeScan, TelegramError } from '@azimuth/telegrams/compact';
import { AnswerError, ClientError } from '../errors.js';
import { Listening } from '../events/conversation.js';
import { extensionChannel, extensionNeeds } from '../events/extension-channel.js';
import { excerpt } from '../events/message.js';
import type { ChannelContext } from '../events/open-channel.js';
import { type Pushed, PushStream } from '../events/push-stream.js';
import type { PushOptions } from '../events/scanner-event.js';
import { WaitingQueue } from '../events/waiting-queue.js';
import type { Frame } from '../frames/frame.js';
import { FrameAssembly } from '../frames/frame-assembly.js';
import { usualFrames } from '../limits.js';

/** The scanner does not serve its scans over a WebSocket. */
export class NoScansError extends ClientError {
  override readonly name = 'NoScansError';

  /** @param answer what came in place of a WebSocket: `HTTP 404` */
  constructor(
    readonly url: string,
    answer: string,
  ) {
    super(`${url} has no live scans: it answered ${answer} (${extensionNeeds(scanPath)})`);
  }
}

export interface ScanOptions extends PushOptions {
  /** Frames that may wait for their reader; 2 by default. If there are more, the oldest is dropped. */
  readonly buffer?: number;
}

/** The scans of a scanner as frames. */
export interface Scans extends Pushed<Frame> {
  /** Frames that were dropped here because they were not read in time. */
  readonly dropped: number;
}

const channel = extensionChannel(scanPath, (url, answer) => new NoScansError(url, answer));

/** Scans over `/x/scan`. Each connection begins with a new frame. */
export class ScanStream extends PushStream<Frame> implements Scans {
  /** @throws RangeError for a buffer that holds nothing */
  constructor(context: ChannelContext, options: ScanOptions) {
    const queue = new WaitingQueue<Frame>(options.buffer ?? usualFrames);
    const converse = () => {
      const assembly = new FrameAssembly();
      return new Listening((data) => {
        for (const frame of assembly.push(telegramIn(context.url, data))) queue.push(frame);
      });
    };
    super({ context, channel, options, queue, converse });
  }

  get dropped(): number {
    return this.waitedTooLong;
  }
}

function telegramIn(url: string, data: string | Uint8Array) {
  if (typeof data === 'string') {
    throw new AnswerError(url, channel.endpoint, `something other than a telegram (${excerpt(data)})`);
  }
  try {
    return decodeScan(data);
  } catch (error) {
    if (!(error instanceof TelegramError)) throw error;
    throw new AnswerError(url, channel.endpoint, `a damaged telegram (${error.message})`);
  }
}
