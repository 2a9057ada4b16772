import type { Clock } from '@azimuth/device';
import {
  type EndpointData,
  type GuidPrefix,
  type Locator,
  MessageWriter,
  mostInSet,
  type NumberSet,
  numberSet,
  type ParticipantData,
} from '@azimuth/telegrams/rtps';
import {
  controlMessagesPerPeer,
  longestLease,
  repairedBytes,
  shortestLease,
  unprovenFactor,
} from './limits.js';
import { SendQueue } from './send-queue.js';

/** Means by which messages reach peers. */
export interface Transmission {
  readonly ownPrefix: GuidPrefix;
  readonly clock: Clock;
  readonly datagramBytes: number;
  readonly isLoopback: boolean;
  /** Bytes that may be sent again, to all peers together. */
  readonly repairs: Budget;
  /**
   * Returns a number for an acknowledgement or heartbeat, higher than all before, for all peers together. A peer that
   * was forgotten and comes back ignores lower ones.
   */
  readonly nextCount: () => number;
  readonly send: (parts: readonly Uint8Array[], to: Locator, done: (error: Error | null) => void) => void;
  /** Counts samples that were sent, and datagrams or samples that were lost. */
  readonly sent: (bytes: number) => void;
  readonly failed: (error?: Error) => void;
}

/** Bytes that may be sent to a peer at most, before it has shown that it gets messages. */
const mostCredit = 4096;

/** Destination of a message: the built-in endpoints of a peer, or its other endpoints. */
export type Channel = 'discovery' | 'user';

/**
 * Participant of another program. Its address may be forged. Until it has shown that it gets messages, it is sent only
 * a few small ones.
 */
export class Peer {
  readonly prefix: GuidPrefix;
  /** Announcements of its readers that have come. */
  readonly received = new ReceivedNumbers();
  /** Its readers of topics that the scanner may have, by their GUIDs as text. */
  readonly readers = new Map<string, EndpointData>();
  readonly #repairs: Budget;
  readonly #transmission: Transmission;
  readonly #responseBudget: Budget;
  readonly #queues: Readonly<Record<Channel, SendQueue>>;
  readonly #message: MessageWriter;
  #locators: Readonly<Record<Channel, Locator | undefined>> = { discovery: undefined, user: undefined };
  #lease = longestLease;
  #lastReceived = 0;
  #isProven = false;
  /** Bytes that may still be sent to it before it has shown that it gets them. */
  #credit = 0;

  constructor(prefix: GuidPrefix, transmission: Transmission) {
    const { ownPrefix, clock, datagramBytes, sent, failed } = transmission;
    this.prefix = prefix;
    this.#transmission = transmission;
    this.#repairs = new Budget(clock, repairedBytes);
    this.#responseBudget = new Budget(clock, controlMessagesPerPeer);
    this.#message = new MessageWriter(ownPrefix);
    const queue = (channel: Channel, counts: Pick<Transmission, 'sent' | 'failed'>) =>
      new SendQueue({
        ownPrefix,
        peer: prefix,
        clock,
        datagramBytes,
        send: (parts, done) => this.#send(channel, parts, done),
        ...counts,
      });
    const uncounted = { sent: () => undefined, failed: () => undefined };
    this.#queues = { discovery: queue('discovery', uncounted), user: queue('user', { sent, failed }) };
  }

  get isProven(): boolean {
    return this.#isProven;
  }

  /** True if its lease is over. */
  get isExpired(): boolean {
    return this.#transmission.clock.monotonic() - this.#lastReceived > this.#lease;
  }

  /** Returns a number that rises with each acknowledgement and heartbeat. */
  nextCount(): number {
    return this.#transmission.nextCount();
  }

  /**
   * Records a received datagram. If the peer has shown that it gets messages, its lease begins anew, as some
   * participants announce themselves less often.
   */
  recordReceived(bytes: number): void {
    if (this.#isProven) this.#lastReceived = this.#transmission.clock.monotonic();
    else this.#credit = Math.min(this.#credit + unprovenFactor * bytes, mostCredit);
  }

  /** Spends an amount of bytes that are sent again. Returns false if there were too many. */
  mayRepair(bytes: number): boolean {
    return this.#repairs.spend(bytes) && this.#transmission.repairs.spend(bytes);
  }

  /**
   * Processes its announcement: its lease begins anew. Returns true if its address has changed: it then has to show
   * again that it gets messages.
   * @param from the address that the announcement was sent from
   */
  announced(data: ParticipantData, from: string): boolean {
    this.#lastReceived = this.#transmission.clock.monotonic();
    this.#lease = Math.min(Math.max(data.lease, shortestLease), longestLease);
    const discovery = this.#locatorOf(data.discovery, from, this.#locators.discovery);
    // Proof for one address is not valid for another one.
    const user =
      discovery && this.#locatorOf(data.user, discovery.address, this.#locators.user, discovery.address);
    const before = this.#locators;
    this.#locators = { discovery, user: user ?? discovery };
    const hasMoved = !isSame(discovery, before.discovery) || !isSame(this.#locators.user, before.user);
    if (hasMoved) this.#isProven = false;
    return hasMoved;
  }

  /** Records that it has shown that it gets messages. Returns false if that was known. */
  prove(): boolean {
    if (this.#isProven) return false;
    this.#isProven = true;
    return true;
  }

  queue(channel: Channel): SendQueue {
    return this.#queues[channel];
  }

  /** Sends a control message, unless there were too many. */
  control(channel: Channel, write: (message: MessageWriter) => void): void {
    if (!this.#responseBudget.spend(1)) return;
    const message = this.#message.begin().infoDestination(this.prefix);
    write(message);
    this.#send(channel, [message.copy()], () => undefined);
  }

  /** Sends an announcement to it. */
  announce(message: Uint8Array): void {
    this.#send('discovery', [message], () => undefined);
  }

  close(): void {
    for (const queue of Object.values(this.#queues)) queue.close();
  }

  #send(channel: Channel, parts: readonly Uint8Array[], done: (error: Error | null) => void): void {
    const to = this.#locators[channel];
    if (to === undefined || !this.#mayBeSent(channel, parts)) {
      done(null);
      return;
    }
    this.#transmission.send(parts, to, done);
  }

  #mayBeSent(channel: Channel, parts: readonly Uint8Array[]): boolean {
    if (this.#isProven) return true;
    const bytes = parts.reduce((sum, { length }) => sum + length, 0);
    if (channel === 'user' || bytes > this.#credit) return false;
    this.#credit -= bytes;
    return true;
  }

  /**
   * Returns the locator to use: the present one while it is still announced, else one of the address that it sends
   * from, else any.
   * @param only the only address to use, if there is one
   */
  #locatorOf(
    announced: readonly Locator[],
    from: string,
    present: Locator | undefined,
    only?: string,
  ): Locator | undefined {
    const { isLoopback } = this.#transmission;
    const reachable = announced.filter(({ address }) => isUsable(address, isLoopback));
    // From loopback, other addresses of this machine may not be reachable.
    const usable = isLoopback
      ? [...reachable, ...announced.map(({ port }) => ({ address: from, port }))]
      : reachable;
    const allowed = only === undefined ? usable : usable.filter(({ address }) => address === only);
    return (
      allowed.find((locator) => isSame(locator, present)) ??
      allowed.find(({ address }) => address === from) ??
      allowed[0]
    );
  }
}

/**
 * Returns true if it is the address of one other participant. A loopback address counts only for a scanner on loopback.
 */
function isUsable(address: string, isLoopback: boolean): boolean {
  const [first = 0] = address.split('.').map(Number);
  return isLoopback ? first === 127 : first > 0 && first < 224 && first !== 127;
}

function isSame(one: Locator | undefined, other: Locator | undefined): boolean {
  return one?.address === other?.address && one?.port === other?.port;
}

/** Amount that may be spent in each second. After a pause, the amount of one second may be spent at once. */
export class Budget {
  readonly #clock: Clock;
  readonly #perSecond: number;
  #remaining: number;
  #at: number;

  constructor(clock: Clock, perSecond: number) {
    this.#clock = clock;
    this.#perSecond = perSecond;
    this.#remaining = perSecond;
    this.#at = clock.monotonic();
  }

  /** Spends an amount. Returns false, and spends nothing, if there is not enough. */
  spend(amount: number): boolean {
    const now = this.#clock.monotonic();
    this.#remaining = Math.min(
      this.#perSecond,
      this.#remaining + ((now - this.#at) / 1000) * this.#perSecond,
    );
    this.#at = now;
    if (amount > this.#remaining) return false;
    this.#remaining -= amount;
    return true;
  }
}

/** Received samples of another writer. Every sample below `base` has come, or will never come. */
export class ReceivedNumbers {
  base = 1;
  /** Numbers of samples above the base that have come, at most 256. */
  readonly #above = new Set<number>();

  /**
   * Accepts a sample. Returns false for a sample that has come before, or that is too far ahead: it will be sent again.
   */
  accept(sequence: number): boolean {
    if (sequence < this.base || sequence >= this.base + mostInSet || this.#above.has(sequence)) return false;
    this.#above.add(sequence);
    this.#advanceBase();
    return true;
  }

  /** Moves the base up, because the writer has nothing below this number. */
  startAt(first: number): void {
    if (first <= this.base) return;
    this.base = first;
    for (const sequence of this.#above) if (sequence < first) this.#above.delete(sequence);
    this.#advanceBase();
  }

  /** Skips the samples from `first` up to `end` (excluded), which will not come. */
  skip(first: number, end: number): void {
    if (first <= this.base) {
      this.startAt(end);
      return;
    }
    const last = Math.min(end, this.base + mostInSet);
    for (let sequence = first; sequence < last; sequence++) this.#above.add(sequence);
  }

  /** Returns the missing samples up to `last`: at most 256 from the base on. */
  missingUpTo(last: number): NumberSet {
    const missing: number[] = [];
    const end = Math.min(last, this.base + mostInSet - 1);
    for (let sequence = this.base; sequence <= end; sequence++) {
      if (!this.#above.has(sequence)) missing.push(sequence);
    }
    return numberSet(this.base, missing);
  }

  #advanceBase(): void {
    while (this.#above.delete(this.base)) this.base += 1;
  }
}
