import { decodeTelegram, senderIdOf, type Telegram, TelegramError } from '@azimuth/telegrams';
import { ClientError } from '../errors.js';
import type { Frame } from '../frames/frame.js';
import { FrameAssembly } from '../frames/frame-assembly.js';
import { LossCount, type Losses } from '../frames/loss-count.js';
import { maxWaitingBytes } from '../limits.js';
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

/** A received telegram. */
export interface Received {
  readonly telegram: Telegram;
  /** Time of reception: µs since 1970, by the clock of this computer. */
  readonly time: number;
  /** The sender: `192.168.0.1:2115`. */
  readonly from: string;
  /** The local address, as far as the system reports it: `192.168.0.100:2115`, or `0.0.0.0:2115`. */
  readonly to: string;
  /** The bytes of the telegram. */
  readonly bytes: Uint8Array;
}

/** Losses between the scanner and the reader. */
export interface ReceiverLosses extends Readonly<Losses> {
  /** Number of telegrams dropped because they were not read in time. */
  readonly overrun: number;
}

export interface Address {
  readonly host: string;
  readonly port: number;
}

export interface ReceiverOptions {
  /** Closes the receiver. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Receives telegrams of this scanner only; drops those of others that send to the same port. By default, it receives
   * all.
   */
  readonly serialNumber?: string | undefined;
  readonly onOther?: OtherScanner | undefined;
  /** Telegrams that may wait for their reader; 1024 by default. Never more than 16 MiB. */
  readonly queue?: number | undefined;
  /**
   * Keeps the socket of a closed receiver open until this promise is settled; received data is dropped. For a scanner
   * that has to be told first to stop sending: it would find its port closed.
   */
  readonly closeSocketAfter?: Promise<unknown> | undefined;
}

/** Approximate memory of a module without its beams, in bytes; on the wire it may have only 44. */
const moduleBytes = 1024;

function overheadBytes(telegram: Telegram): number {
  return telegram.kind === 'scan' ? telegram.telegram.modules.length * moduleBytes : 0;
}

/**
 * A stream of telegrams: scan, IMU and encoder data as they arrive. It is read once, as telegrams or as frames;
 * leaving the loop closes it. Damaged data is counted and skipped. Closing and the abort signal end the loop; if the
 * socket fails, the loop rejects with a ClientError.
 */
export class Receiver implements AsyncIterable<Received> {
  /** The local address, or that of the scanner over TCP. */
  readonly address: Address;
  readonly #queue: ReaderQueue<Received>;
  readonly #count = new LossCount();
  readonly #shut: () => void;
  readonly #closeSocketAfter: Promise<unknown> | undefined;
  readonly #signal: AbortSignal | undefined;
  readonly #own: OwnTelegrams | undefined;
  /** State of the receiver. `left`: it was closed here, and nobody reads the rest. */
  #state: 'open' | 'ended' | 'left' = 'open';

  /** For the sockets of this folder. @param shut closes the socket */
  constructor(address: Address, options: ReceiverOptions, shut: () => void) {
    this.address = address;
    this.#queue = new ReaderQueue({ items: options.queue ?? 1024, bytes: maxWaitingBytes });
    this.#shut = shut;
    this.#closeSocketAfter = options.closeSocketAfter;
    this.#signal = options.signal;
    const { serialNumber, onOther } = options;
    this.#own = serialNumber === undefined ? undefined : new OwnTelegrams(serialNumber, onOther);
    this.#signal?.addEventListener('abort', this.#abort);
  }

  get losses(): ReceiverLosses {
    return { ...this.#count.losses, overrun: this.#queue.dropped };
  }

  /** Adds received bytes: one telegram, or data that should be one. */
  push(bytes: Uint8Array, from: string, to: string): void {
    if (this.#state !== 'open') return;
    try {
      const telegram = decodeTelegram(bytes);
      if (this.#own?.isFromScanner(telegram, from) === false) return;
      if (telegram.kind === 'scan') this.#count.scan(telegram.telegram, from);
      if (telegram.kind === 'encoder') this.#count.encoder(telegram.telegram, from);
      this.#queue.push({ telegram, time: now(), from, to, bytes }, bytes.length + overheadBytes(telegram));
    } catch (error) {
      if (!(error instanceof TelegramError)) throw error;
      this.#count.damaged();
    }
  }

  /** Counts data that is not a telegram. */
  damaged(telegrams: number): void {
    this.#count.damaged(telegrams);
  }

  /** Ends the receiver. Telegrams received before can still be read; then the loop rejects with the error. */
  end(error?: ClientError): void {
    this.#signal?.removeEventListener('abort', this.#abort);
    this.#queue.end(error);
    this.#close();
  }

  /** Closes the socket and ends the loop of its reader; unread telegrams are dropped. */
  close(): void {
    this.#queue.clear();
    this.end();
    this.#state = 'left';
  }

  /** Yields complete frames in place of telegrams; if the sender ends the stream, the last frame may be incomplete. */
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
    if (this.#closeSocketAfter === undefined) this.#shut();
    else void this.#closeSocketAfter.then(this.#shut, this.#shut);
  }
}

/** µs since 1970, never going back. */
function now(): number {
  return Math.round((performance.timeOrigin + performance.now()) * 1000);
}

/** Called once for each other scanner, with the number in its telegrams that stands for its serial number. */
export type OtherScanner = (sender: number, from: string) => void;

/** Maximum number of other scanners that are distinguished. */
const maxOtherScanners = 64;

/** Selects the telegrams of one scanner among those of others that send to the same port. */
class OwnTelegrams {
  readonly #sender: number;
  /** True if the telegrams contain the serial number as a number. */
  readonly #isNumber: boolean;
  readonly #onOther: OtherScanner;
  readonly #otherSerials = new Set<number>();
  /** Addresses of this scanner, and of others: telegrams of motion do not name the scanner. */
  readonly #hosts = { own: new Set<string>(), others: new Set<string>() };

  constructor(serialNumber: string, onOther: OtherScanner = () => undefined) {
    this.#sender = senderIdOf(serialNumber);
    this.#isNumber = String(this.#sender) === serialNumber.replace(/^0+(?=\d)/, '');
    this.#onOther = onOther;
  }

  /** @param from `192.168.0.1:2115` */
  isFromScanner(telegram: Telegram, from: string): boolean {
    const host = from.slice(0, from.lastIndexOf(':'));
    const sender = senderIn(telegram);
    // Motion from an address that only others use is theirs.
    if (sender === undefined) return this.#hosts.own.has(host) || !this.#hosts.others.has(host);
    if (sender === this.#sender) {
      this.#remember(this.#hosts.own, host);
      return true;
    }
    // Scanners of other makers may write such serial numbers into telegrams in another way.
    if (!this.#isNumber && this.#hosts.own.size === 0) return true;
    this.#remember(this.#hosts.others, host);
    if (!this.#otherSerials.has(sender) && this.#otherSerials.size < maxOtherScanners) {
      this.#otherSerials.add(sender);
      this.#onOther(sender, from);
    }
    return false;
  }

  #remember(hosts: Set<string>, host: string): void {
    if (hosts.size < maxOtherScanners) hosts.add(host);
  }
}

function senderIn(telegram: Telegram): number | undefined {
  if (telegram.kind === 'imu') return undefined;
  return telegram.kind === 'scan' ? telegram.telegram.modules[0]?.sender : telegram.telegram.sender;
}
