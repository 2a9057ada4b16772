import type { Clock } from '@azimuth/device';
import type { EndpointData, GuidPrefix, Locator, ParticipantData } from '@azimuth/telegrams/rtps';
import { MessageWriter } from '@azimuth/telegrams/rtps';
import { Budget } from './budget.js';
import { answersPerPeer, longestLease, mostUnproven, repairedBytes, shortestLease } from './limits.js';
import { ReceivedNumbers } from './received-numbers.js';
import { SendQueue } from './send-queue.js';

/** How messages reach peers. */
export interface Transmission {
  readonly own: GuidPrefix;
  readonly clock: Clock;
  readonly datagramBytes: number;
  readonly isLoopback: boolean;
  readonly send: (parts: readonly Uint8Array[], to: Locator, done: (error: Error | null) => void) => void;
  /** Counts samples that were sent, and datagrams or samples that were lost. */
  readonly sent: (bytes: number) => void;
  readonly failed: (error?: Error) => void;
}

/** Where a message goes: to the built-in endpoints of a peer, or to its other endpoints. */
export type Channel = 'discovery' | 'user';

/**
 * A participant of another program. Its address may be forged: until it has shown that it gets what is sent there, it is
 * sent only a few small messages.
 */
export class Peer {
  readonly prefix: GuidPrefix;
  /** The announcements of its readers that have come. */
  readonly received = new ReceivedNumbers();
  /** Its readers of topics that the scanner may have, by their GUIDs as text. */
  readonly readers = new Map<string, EndpointData>();
  /** Bytes that may be sent to it again. */
  readonly repairs: Budget;
  readonly #transmission: Transmission;
  readonly #answers: Budget;
  readonly #queues: Readonly<Record<Channel, SendQueue>>;
  readonly #message: MessageWriter;
  #locators: Readonly<Record<Channel, Locator | undefined>> = { discovery: undefined, user: undefined };
  #lease = longestLease;
  #seen = 0;
  #isProven = false;
  #unproven = mostUnproven;
  #count = 0;

  constructor(prefix: GuidPrefix, transmission: Transmission) {
    const { own, clock, datagramBytes, sent, failed } = transmission;
    this.prefix = prefix;
    this.#transmission = transmission;
    this.repairs = new Budget(clock, repairedBytes);
    this.#answers = new Budget(clock, answersPerPeer);
    this.#message = new MessageWriter(own);
    const queue = (channel: Channel, counts: Pick<Transmission, 'sent' | 'failed'>) =>
      new SendQueue({
        own,
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

  /** Is its lease over? */
  get isGone(): boolean {
    return this.#transmission.clock.monotonic() - this.#seen > this.#lease;
  }

  /** A number that rises with each acknowledgement and heartbeat. */
  nextCount(): number {
    this.#count += 1;
    return this.#count;
  }

  /** It has sent something: its lease begins anew, as some participants announce themselves less often. */
  heard(): void {
    this.#seen = this.#transmission.clock.monotonic();
  }

  /** Takes its announcement. @param from the address that it was sent from */
  announced(data: ParticipantData, from: string): void {
    this.heard();
    this.#lease = Math.min(Math.max(data.lease, shortestLease), longestLease);
    this.#unproven = Math.max(this.#unproven, 1);
    const discovery = this.#locatorOf('discovery', data.discovery, from);
    const user = this.#locatorOf('user', data.user.length === 0 ? data.discovery : data.user, from);
    // A new address has to be proven again.
    if (!isSame(discovery, this.#locators.discovery) || !isSame(user, this.#locators.user))
      this.#isProven = false;
    this.#locators = { discovery, user };
  }

  /** It has shown that it gets messages. Returns false if that was known. */
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
    if (!this.#answers.spend(1)) return;
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
    if (to === undefined || !this.#mayBeSentTo(channel)) {
      done(null);
      return;
    }
    this.#transmission.send(parts, to, done);
  }

  #mayBeSentTo(channel: Channel): boolean {
    if (this.#isProven) return true;
    if (channel === 'user' || this.#unproven === 0) return false;
    this.#unproven -= 1;
    return true;
  }

  /** The locator to use: the present one while it is still announced, else one of the address that it sends from. */
  #locatorOf(channel: Channel, announced: readonly Locator[], from: string): Locator | undefined {
    const present = this.#locators[channel];
    const [first] = announced;
    // From loopback, other addresses of this machine may not be reachable.
    const others = this.#transmission.isLoopback
      ? announced.map(({ port }) => ({ address: from, port }))
      : [];
    const usable = this.#transmission.isLoopback
      ? [...announced.filter(({ address }) => address.startsWith('127.')), ...others]
      : announced;
    return (
      usable.find((locator) => isSame(locator, present)) ??
      usable.find(({ address }) => address === from) ??
      (this.#transmission.isLoopback ? usable[0] : first)
    );
  }
}

function isSame(one: Locator | undefined, other: Locator | undefined): boolean {
  return one?.address === other?.address && one?.port === other?.port;
}
