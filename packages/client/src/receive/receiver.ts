import { decodeTelegram, senderIdOf, type Telegram, TelegramError } from '@azimuth/telegrams';
import { ClientError } from '../errors.js';
import type { Frame } from '../frames/frame.js';
import { FrameAssembly } from '../frames/frame-assembly.js';
import { LossCount, type Losses } from '../frames/loss-count.js';
import { mostWaitingBytes } from '../limits.js';
import { ReaderQueue } from '../reader-queue.js';

/** Advice for the user, by the error code of the system. */
const advice: Readonly<Record<string, string>> = {
  EADDRINUSE:
    'another program uses this port, for example another azimuth, a driver or a tool of a vendor. End that program, or make the scanner send to another port and listen there',
  EACCES: 'only administrators may use ports below 1024. Make the scanner send to a higher port',
  EADDRNOTAVAIL: 'this computer has no such address',
  ENODEV: 'no network of this computer supports multicast',
  EINVAL: 'this is not a multicast address',
};

/** Data cannot be received: the port cannot be opened, or the socket failed while it was read. */
export class ReceiveError extends ClientError {
  override readonly name = 'ReceiveError';

  constructor(
    /** The port or connection: `UDP port 2115`. */
    readonly at: string,
    /** The error code of the system, for example `EADDRINUSE`; empty if there is none. */
    readonly code: string,
    cause: unknown,
  ) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const hint = advice[code];
    super(`${at} cannot be received from: ${hint === undefined ? reason : `${hint} (${code})`}`, {
      cause,
    });
  }

  static of(at: string, error: NodeJS.ErrnoException): ReceiveError {
    return new ReceiveError(at, error.code ?? '', error);
  }
}

/** A telegram that was received. */
export interface Received {
  readonly telegram: Telegram;
  /** When it was received: µs since 1970, by the clock of this computer. */
  readonly time: number;
  /** The sender: `192.168.0.1:2115`. */
  readonly from: string;
  /** Where it was received, as far as the system tells it: `192.168.0.100:2115`, or `0.0.0.0:2115`. */
  readonly to: string;
  /** The telegram as it was received. */
  readonly bytes: Uint8Array;
}

/** What was lost between the scanner and the reader. */
export interface ReceiverLosses extends Readonly<Losses> {
  /** Telegrams that were dropped because they were not read in time. */
  readonly overrun: number;
}

export interface Address {
  readonly host: string;
  readonly port: number;
}

export interface ReceiverOptions {
  /** Ends the receiver, as `close` does. */
  readonly signal?: AbortSignal | undefined;
  /** Of this scanner alone: telegrams of others that send to the same port are left out. Without it, of all. */
  readonly serialNumber?: string | undefined;
  readonly onOther?: OtherScanner | undefined;
  /** Telegrams that may wait for their reader; 1024 by default. Never more than 16 MiB. */
  readonly queue?: number | undefined;
  /**
   * A closed receiver keeps its socket until this is settled, and drops what comes: for a scanner that has to be told first to
   * send no longer, and would find its port closed.
   */
  readonly heldUntil?: Promise<unknown> | undefined;
}

/** Approximate memory of a module without its beams, in bytes; on the wire it may take only 44. */
const moduleBytes = 1024;

function besideBytes(telegram: Telegram): number {
  return telegram.kind === 'scan' ? telegram.telegram.modules.length * moduleBytes : 0;
}

/**
 * A stream of telegrams: scan, IMU and encoder data as they come. It is read once, as telegrams or as frames; leaving
 * the loop closes it. Damaged data is counted and skipped. Closing and the abort signal end the loop; if the socket
 * fails, the loop rejects with a ClientError.
 */
export class Receiver implements AsyncIterable<Received> {
  /** Where it listens, or the scanner that it is connected to. */
  readonly address: Address;
  readonly #queue: ReaderQueue<Received>;
  readonly #count = new LossCount();
  readonly #shut: () => void;
  readonly #heldUntil: Promise<unknown> | undefined;
  readonly #signal: AbortSignal | undefined;
  readonly #own: OwnTelegrams | undefined;
  /** `left`: it was closed here, and nobody reads what is left. */
  #state: 'open' | 'ended' | 'left' = 'open';

  /** For the sockets of this folder. @param shut closes the socket */
  constructor(address: Address, options: ReceiverOptions, shut: () => void) {
    this.address = address;
    this.#queue = new ReaderQueue({ items: options.queue ?? 1024, bytes: mostWaitingBytes });
    this.#shut = shut;
    this.#heldUntil = options.heldUntil;
    this.#signal = options.signal;
    const { serialNumber, onOther } = options;
    this.#own = serialNumber === undefined ? undefined : new OwnTelegrams(serialNumber, onOther);
    this.#signal?.addEventListener('abort', this.#abort);
  }

  get losses(): ReceiverLosses {
    return { ...this.#count.losses, overrun: this.#queue.dropped };
  }

  /** Takes what came: one telegram, or what should be one. */
  take(bytes: Uint8Array, from: string, to: string): void {
    if (this.#state !== 'open') return;
    try {
      const telegram = decodeTelegram(bytes);
      if (this.#own?.has(telegram, from) === false) return;
      if (telegram.kind === 'scan') this.#count.scan(telegram.telegram, from);
      if (telegram.kind === 'encoder') this.#count.encoder(telegram.telegram, from);
      this.#queue.push({ telegram, time: now(), from, to, bytes }, bytes.length + besideBytes(telegram));
    } catch (error) {
      if (!(error instanceof TelegramError)) throw error;
      this.#count.damaged();
    }
  }

  /** Counts what was no telegram. */
  damaged(telegrams: number): void {
    this.#count.damaged(telegrams);
  }

  /** Nothing more will come. What came before can still be read; then the loop rejects with the error. */
  end(error?: ClientError): void {
    this.#signal?.removeEventListener('abort', this.#abort);
    this.#queue.end(error);
    this.#close();
  }

  /** Closes the socket and ends the loop of its reader; what was not read is dropped. */
  close(): void {
    this.#queue.clear();
    this.end();
    this.#state = 'left';
  }

  /** Whole frames in place of telegrams; if the sender ends the stream, the last one may be a part. */
  async *frames(): AsyncGenerator<Frame, void, undefined> {
    const assembly = new FrameAssembly();
    for await (const { telegram, from } of this) {
      if (telegram.kind !== 'scan') continue;
      const { damaged } = assembly.losses;
      const frames = assembly.push(telegram.telegram, from);
      this.#count.damaged(assembly.losses.damaged - damaged);
      yield* frames;
    }
    if (this.#state !== 'left') yield* assembly.flush();
  }

  [Symbol.asyncIterator](): AsyncIterator<Received, undefined> {
    return {
      next: () => this.#queue.next(),
      return: () => {
        this.close();
        return Promise.resolve({ done: true, value: undefined });
      },
    };
  }

  readonly #abort = () => this.close();

  #close(): void {
    if (this.#state !== 'open') return;
    this.#state = 'ended';
    if (this.#heldUntil === undefined) this.#shut();
    else void this.#heldUntil.then(this.#shut, this.#shut);
  }
}

/** µs since 1970, never going back. */
function now(): number {
  return Math.round((performance.timeOrigin + performance.now()) * 1000);
}

/** Called once for each other scanner, with the number that its telegrams have in place of its serial number. */
export type OtherScanner = (sender: number, from: string) => void;

/** Other scanners that are told apart. */
const mostOthers = 64;

/** Tells the telegrams of one scanner from those of others that send to the same port. */
class OwnTelegrams {
  readonly #sender: number;
  /** Is the serial number a number as it is? */
  readonly #isNumber: boolean;
  readonly #onOther: OtherScanner;
  readonly #others = new Set<number>();
  /** Addresses that this scanner sends from, and those of others: telegrams of motion name no scanner. */
  readonly #hosts = { own: new Set<string>(), others: new Set<string>() };

  constructor(serialNumber: string, onOther: OtherScanner = () => undefined) {
    this.#sender = senderIdOf(serialNumber);
    this.#isNumber = String(this.#sender) === serialNumber.replace(/^0+(?=\d)/, '');
    this.#onOther = onOther;
  }

  /** @param from `192.168.0.1:2115` */
  has(telegram: Telegram, from: string): boolean {
    const host = from.slice(0, from.lastIndexOf(':'));
    const sender = senderIn(telegram);
    // Motion of an address that only others send from is theirs.
    if (sender === undefined) return this.#hosts.own.has(host) || !this.#hosts.others.has(host);
    if (sender === this.#sender) {
      this.#keep(this.#hosts.own, host);
      return true;
    }
    // Scanners of other makes may write such serial numbers into telegrams in another way.
    if (!this.#isNumber && this.#hosts.own.size === 0) return true;
    this.#keep(this.#hosts.others, host);
    if (!this.#others.has(sender) && this.#others.size < mostOthers) {
      this.#others.add(sender);
      this.#onOther(sender, from);
    }
    return false;
  }

  #keep(hosts: Set<string>, host: string): void {
    if (hosts.size < mostOthers) hosts.add(host);
  }
}

function senderIn(telegram: Telegram): number | undefined {
  if (telegram.kind === 'imu') return undefined;
  return telegram.kind === 'scan' ? telegram.telegram.modules[0]?.sender : telegram.telegram.sender;
}
