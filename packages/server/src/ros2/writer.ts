import type { Clock } from '@azimuth/device';
import {
  type AckNack,
  durability,
  type EndpointData,
  type EntityId,
  entityId,
  guidText,
  type MessageWriter,
  type NackFragment,
  numberSet,
  reliability,
} from '@azimuth/telegrams/rtps';
import { type Addition, type Sample, SampleHistory } from './history.js';
import { heartbeatInterval, repeatedTime } from './limits.js';
import type { Channel, Peer } from './peer.js';
import type { HeartbeatFacts } from './send-queue.js';

/** Reader that gets the samples of a writer. */
interface ReaderProxy {
  readonly peer: Peer;
  readonly entity: EntityId;
  readonly isReliable: boolean;
  /** True if it expects the older form of the content, if there is one. */
  readonly isOlder: boolean;
  /** Number of the first sample for this reader. */
  readonly first: number;
  /** Number up to which all samples have come. */
  acknowledged: number;
  readonly ackNacks: RequestCount;
  readonly nackFragments: RequestCount;
}

/** Peer with readers of a writer: each sample is sent once to it. */
interface Receiver {
  readonly peer: Peer;
  readonly isReliable: boolean;
  /** Number of the first sample for one of its reliable readers. */
  readonly first: number;
}

interface Options {
  readonly id: EntityId;
  /** Number of samples that are stored for repairs. */
  readonly depth: number;
  /** Time (ms) for which they are stored; default for ever. */
  readonly age?: number | undefined;
  readonly channel: Channel;
  readonly clock: Clock;
  /** Counts samples that were sent again. */
  readonly repaired?: () => void;
  /** Number before that of the first sample; default 0. */
  readonly start?: number;
  /** Counts heartbeats; default from 1 on. */
  readonly nextCount?: () => number;
}

/**
 * Reliable writer, which serves best-effort readers, too (DDSI-RTPS §8.4.9). It sends each sample at once. If a
 * reliable reader lacks samples, it gets them again while they are stored.
 */
export class Writer {
  readonly id: EntityId;
  readonly history: SampleHistory;
  readonly #options: Options;
  readonly #proxies = new Map<string, ReaderProxy>();
  #receivers: readonly Receiver[] = [];
  /** Peers whose readers all expect the older form: samples go to all readers of a peer. */
  #older: ReadonlySet<Peer> = new Set();
  #cancel: (() => void) | undefined;
  #count = 0;

  constructor(options: Options) {
    this.id = options.id;
    this.#options = options;
    this.history = new SampleHistory(options.depth, options.age);
    this.history.last = options.start ?? 0;
  }

  /** True if there is a reader whose participant has shown that it gets messages. */
  get isRead(): boolean {
    return this.#receivers.some(({ peer }) => peer.isProven);
  }

  /**
   * Returns a buffer for the content of the next sample. The sample has to be written before the next buffer is
   * requested.
   */
  buffer(bytes: number): Uint8Array {
    return this.history.buffer(bytes);
  }

  /** Adds a sample, and sends it to all readers. */
  write(payload: Uint8Array, addition?: Addition): Sample {
    const { clock, channel } = this.#options;
    const sample = this.history.add(payload, Math.round(clock.utc() * 1000), addition);
    for (const { peer, isReliable, first } of this.#receivers) {
      if (!peer.isProven) continue;
      const heartbeat = isReliable ? () => this.#heartbeat({ entity: entityId.unknown, first }) : undefined;
      peer.queue(channel).sample(this.id, this.#formFor(peer, sample), heartbeat);
    }
    this.#requestAcknowledgementLater();
    return sample;
  }

  /** Serves a reader, unless it does so already. @param isOlder true if it expects the older form of the content */
  match(peer: Peer, { guid, qos }: Pick<EndpointData, 'guid' | 'qos'>, isOlder = false): void {
    const key = guidText(guid);
    if (this.#proxies.has(key)) return;
    const isTransientLocal = qos.durability >= durability.transientLocal;
    const isReliable = qos.reliability >= reliability.reliable;
    const next = this.history.last + 1;
    // Samples that are being sent to the peer reach this reader, too. It must not lack parts of them.
    const onTheWay = isReliable ? peer.queue(this.#options.channel).firstWaiting(this.id) : undefined;
    const first = isTransientLocal ? this.history.first : (onTheWay ?? next);
    const proxy = {
      peer,
      entity: guid.entity,
      isReliable,
      isOlder,
      first,
      acknowledged: first - 1,
      ackNacks: new RequestCount(this.#options.clock),
      nackFragments: new RequestCount(this.#options.clock),
    };
    this.#proxies.set(key, proxy);
    this.#updateReceivers();
    if (peer.isProven) this.#greet(proxy);
  }

  unmatch(reader: string): void {
    if (this.#proxies.delete(reader)) this.#updateReceivers();
  }

  unmatchPeer(peer: Peer): void {
    for (const [key, proxy] of this.#proxies) if (proxy.peer === peer) this.#proxies.delete(key);
    this.#updateReceivers();
  }

  /** Sends what was held back until the peer has shown that it gets messages. */
  proven(peer: Peer): void {
    for (const proxy of this.#proxies.values()) if (proxy.peer === peer) this.#greet(proxy);
  }

  receiveAckNack(peer: Peer, { reader, missing, isFinal, count }: AckNack): void {
    const proxy = this.#proxyOf(peer, reader);
    if (proxy === undefined || !proxy.isReliable) return;
    const recorded = proxy.ackNacks.record(count);
    if (recorded === 'repeated') return;
    const acknowledged = Math.min(missing.base - 1, this.history.last);
    proxy.acknowledged = recorded === 'restarted' ? acknowledged : Math.max(proxy.acknowledged, acknowledged);
    const dropped: number[] = [];
    const stored: Sample[] = [];
    for (const sequence of missing.members) {
      const sample = sequence < proxy.first ? undefined : this.history.get(sequence);
      if (sample !== undefined) stored.push(sample);
      else if (sequence <= this.history.last) dropped.push(sequence);
    }
    // Sends one heartbeat behind all samples: a response to each would request what is still being sent.
    for (const sample of stored) this.#repair(proxy, sample, sample === stored.at(-1));
    if (dropped.length > 0) this.#sendGap(proxy, dropped);
    // A reader that has everything gets no heartbeat: its response might oblige the writer to the next one.
    if (missing.members.length === 0 && !isFinal)
      this.#requestAcknowledgement(proxy, missing.base > this.history.last);
    this.#requestAcknowledgementLater();
  }

  receiveNackFragment(peer: Peer, { reader, sequence, missing, count }: NackFragment): void {
    const proxy = this.#proxyOf(peer, reader);
    if (proxy === undefined || !proxy.isReliable) return;
    if (proxy.nackFragments.record(count) === 'repeated') return;
    const sample = sequence < proxy.first ? undefined : this.history.get(sequence);
    if (sample === undefined) {
      if (sequence <= this.history.last) this.#sendGap(proxy, [sequence]);
      return;
    }
    const queue = peer.queue(this.#options.channel);
    if (queue.isFull || queue.isSending(this.id, sample)) return;
    if (!peer.mayRepair(queue.bytesOf(missing.members.length))) return;
    this.#options.repaired?.();
    queue.fragments(this.id, this.#formFor(peer, sample), missing.members);
  }

  /** Adds a heartbeat for this reader to a message. */
  writeHeartbeat(message: MessageWriter, entity: EntityId): void {
    message.heartbeat(this.#heartbeat({ entity, first: 1 }));
  }

  close(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#proxies.clear();
    this.#receivers = [];
  }

  #updateReceivers(): void {
    const firsts = new Map<Peer, number>();
    for (const { peer, isReliable, first } of this.#proxies.values()) {
      const before = firsts.get(peer) ?? Number.POSITIVE_INFINITY;
      firsts.set(peer, isReliable ? Math.min(before, first) : before);
    }
    const newer = [...this.#proxies.values()].filter(({ isOlder }) => !isOlder).map(({ peer }) => peer);
    this.#older = new Set([...firsts.keys()].filter((peer) => !newer.includes(peer)));
    this.#receivers = [...firsts].map(([peer, first]) => ({
      peer,
      isReliable: Number.isFinite(first),
      first,
    }));
  }

  #formFor(peer: Peer, sample: Sample): Sample {
    return this.#older.has(peer) ? (sample.older ?? sample) : sample;
  }

  #proxyOf(peer: Peer, entity: EntityId): ReaderProxy | undefined {
    return this.#proxies.get(guidText({ prefix: peer.prefix, entity }));
  }

  /** Sends a heartbeat to a new reader. A reliable one requests the samples that it lacks. */
  #greet(proxy: ReaderProxy): void {
    if (proxy.isReliable) {
      this.#requestAcknowledgement(proxy);
      this.#requestAcknowledgementLater();
      return;
    }
    const { channel } = this.#options;
    for (const sample of this.history.all) {
      if (sample.sequence < proxy.first) continue;
      proxy.peer.queue(channel).sample(this.id, this.#formFor(proxy.peer, sample));
    }
  }

  #repair({ peer, entity, first }: ReaderProxy, sample: Sample, requestsResponse: boolean): void {
    const queue = peer.queue(this.#options.channel);
    if (queue.isFull || queue.isSending(this.id, sample)) return;
    if (!peer.mayRepair(sample.payload.length)) return;
    this.#options.repaired?.();
    const heartbeat = requestsResponse ? () => this.#heartbeat({ entity, first }) : undefined;
    queue.sample(this.id, this.#formFor(peer, sample), heartbeat);
  }

  /** Announces that samples will not come. The numbers rise. */
  #sendGap({ peer, entity }: ReaderProxy, missing: readonly number[]): void {
    peer.control(this.#options.channel, (message) => {
      const [first = 0] = missing;
      const hole = missing.findIndex((sequence, index) => sequence !== first + index);
      const together = hole < 0 ? missing.length : hole;
      const list = numberSet(first + together, missing.slice(together));
      message.gap({ reader: entity, writer: this.id, first, list });
    });
  }

  /** Announces the stored samples. @param isFinal true if the reader need not respond */
  #requestAcknowledgement(proxy: ReaderProxy, isFinal = false): void {
    const { channel } = this.#options;
    proxy.peer.control(channel, (message) => message.heartbeat(this.#heartbeat(proxy, isFinal)));
  }

  /** Requests acknowledgements of reliable readers until they have everything. */
  #requestAcknowledgementLater(): void {
    if (this.#cancel !== undefined || this.#lacking.length === 0) return;
    this.#cancel = this.#options.clock.after(heartbeatInterval, () => {
      this.#cancel = undefined;
      for (const proxy of this.#lacking) this.#requestAcknowledgement(proxy);
      this.#requestAcknowledgementLater();
    });
  }

  get #lacking(): readonly ReaderProxy[] {
    return [...this.#proxies.values()].filter(
      ({ peer, isReliable, acknowledged }) => isReliable && peer.isProven && acknowledged < this.history.last,
    );
  }

  /**
   * Returns a heartbeat that starts with the first sample for the reader: it would request earlier ones, and count them
   * as lost if they are dropped before the response comes.
   */
  #heartbeat(to: Pick<ReaderProxy, 'entity' | 'first'>, isFinal = false): HeartbeatFacts {
    this.#count = this.#options.nextCount?.() ?? this.#count + 1;
    const first = Math.max(to.first, this.history.first);
    return {
      ...{ reader: to.entity, writer: this.id, first, last: this.history.last },
      ...{ count: this.#count, isFinal },
    };
  }
}

/**
 * Distinguishes new requests of a reader from repeated ones by their counts. A reader that has lost the scanner for a
 * while, and finds it again, counts from the beginning.
 */
class RequestCount {
  readonly #clock: Clock;
  #last = -1;
  #at = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  record(count: number): 'new' | 'repeated' | 'restarted' {
    const now = this.#clock.monotonic();
    const isNew = count > this.#last;
    if (!isNew && now - this.#at < repeatedTime) return 'repeated';
    this.#last = count;
    this.#at = now;
    return isNew ? 'new' : 'restarted';
  }
}
