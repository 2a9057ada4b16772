import { scanPath } from '@azimuth/model';
import { decodeScan, TelegramError } from '@azimuth/telegrams/compact';
import { AnswerError, ClientError } from '../errors.js';
import { extensionChannel, extensionNeeds } from '../events/channels.js';
import type { PushOptions } from '../events/message.js';
import { excerpt } from '../events/message.js';
import type { ChannelContext } from '../events/open-channel.js';
import { type Pushed, PushStream } from '../events/push-stream.js';
import { Listening } from '../events/session.js';
import type { Frame } from '../frames/frame.js';
import { FrameAssembly } from '../frames/frame-assembly.js';
import type { Losses } from '../frames/loss-count.js';
import { defaultFrameBuffer } from '../limits.js';
import { checkedBuffer, ReaderQueue } from '../reader-queue.js';

/** The scanner does not serve its scans over a WebSocket. */
export class NoScansError extends ClientError {
  override readonly name = 'NoScansError';

  /** @param answer the answer in place of a WebSocket: `HTTP 404` */
  constructor(
    readonly url: string,
    answer: string,
  ) {
    super(`${url} has no live scans: it answered ${answer} (${extensionNeeds(scanPath)})`);
  }
}

export interface ScanOptions extends PushOptions {
  /** Frames that may wait for their reader; 2 by default. If there are more, the oldest is dropped. */
  readonly buffer?: number | undefined;
  /** Called with the bytes of each telegram, before the frame that it belongs to: for recordings. */
  readonly onTelegram?: ((telegram: Uint8Array) => void) | undefined;
}

/** The scans of a scanner as frames. */
export interface Scans extends Pushed<Frame> {
  /** Number of frames dropped here because they were not read in time. */
  readonly dropped: number;
  /** Losses on the way here, over all connections. Telegrams sent between two connections do not count. */
  readonly losses: Readonly<Losses>;
}

const channel = extensionChannel(scanPath, (url, answer) => new NoScansError(url, answer));

/** Scans over `/x/scan`. Each connection begins with a new frame. */
export class ScanStream extends PushStream<Frame> implements Scans {
  readonly #assemblies: Assemblies;

  /** @throws RangeError for a buffer of size 0 */
  constructor(context: ChannelContext, options: ScanOptions) {
    const queue = new ReaderQueue<Frame>({
      items: checkedBuffer(options.buffer ?? defaultFrameBuffer, 'values'),
    });
    const assemblies = new Assemblies();
    const converse = () => {
      const assembly = assemblies.begin();
      return new Listening((data) => {
        const bytes = bytesIn(context.url, data);
        const telegram = telegramIn(context.url, bytes);
        options.onTelegram?.(bytes);
        for (const frame of assembly.push(telegram)) queue.push(frame);
      });
    };
    super({ context, channel, options, queue, converse });
    this.#assemblies = assemblies;
  }

  get dropped(): number {
    return this.queue.dropped;
  }

  get losses(): Readonly<Losses> {
    return this.#assemblies.losses;
  }
}

/** The assemblies of all connections, one after the other. */
class Assemblies {
  #current = new FrameAssembly();
  #ended = this.#current.losses;

  begin(): FrameAssembly {
    this.#ended = this.losses;
    this.#current = new FrameAssembly();
    return this.#current;
  }

  get losses(): Readonly<Losses> {
    const { telegrams, frames, restarts, outOfOrder, damaged } = this.#current.losses;
    const before = this.#ended;
    return {
      telegrams: before.telegrams + telegrams,
      frames: before.frames + frames,
      restarts: before.restarts + restarts,
      outOfOrder: before.outOfOrder + outOfOrder,
      damaged: before.damaged + damaged,
    };
  }
}

function bytesIn(url: string, data: string | Uint8Array): Uint8Array {
  if (typeof data !== 'string') return data;
  throw new AnswerError(url, channel.endpoint, `something other than a telegram (${excerpt(data)})`);
}

function telegramIn(url: string, data: Uint8Array) {
  try {
    return decodeScan(data);
  } catch (error) {
    if (!(error instanceof TelegramError)) throw error;
    throw new AnswerError(url, channel.endpoint, `a damaged telegram (${error.message})`);
  }
}
