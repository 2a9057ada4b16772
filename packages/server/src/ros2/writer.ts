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

/** A reader that gets the samples of a writer. */
interface ReaderProxy {
  readonly peer: Peer;
  readonly entity: EntityId;
  readonly isReliable: boolean;
  /** Does it expect the older form of the content, if there is one? */
  readonly isOlder: boolean;
  /** The number of the first sample that is meant for it. */
  readonly first: number;
  /** All samples up to this number have come. */
  acknowledged: number;
  readonly ackNacks: RequestCount;
  readonly nackFragments: RequestCount;
}

/** A peer with readers of a writer: each sample is sent once to it. */
interface Receiver {
  readonly peer: Peer;
  readonly isReliable: boolean;
  /** The number of the first sample that is meant for one of its reliable readers. */
  readonly first: number;
}

interface Options {
  readonly id: EntityId;
  /** Samples that are kept for repairs. */
  readonly depth: number;
  /** For how many milliseconds they are kept; default for ever. */
  readonly age?: number | undefined;
  readonly channel: Channel;
  readonly clock: Clock;
  /** Counts samples that were sent again. */
  readonly repaired?: () => void;
  /** The number before that of the first sample; default 0. */
  readonly start?: number;
  /** Counts heartbeats; default from 1 on. */
  readonly nextCount?: () => number;
}

/**
 * A reliable writer, which serves best-effort readers, too (DDSI-RTPS §8.4.9). It sends each sample at once. A reliable
 * reader that lacks samples gets them again, as long as they are kept.
 */
export class Writer {
  readonly id: EntityId;
  readonly history: SampleHistory;
  readonly #options: Options;
  readonly #proxies = new Map<string, ReaderProxy>();
  #receivers: readonly Receiver[] = [];
  /** The peers all of whose readers expect the older form: samples go to all readers of a peer. */
  #older: ReadonlySet<Peer> = new Set();
  #cancel: (() => void) | undefined;
  #count = 0;

  constructor(options: Options) {
    this.id = options.id;
    this.#options = options;
    this.history = new SampleHistory(options.depth, options.age);
    this.history.last = options.start ?? 0;
  }

  /** Is there a reader whose participant has shown that it gets messages? */
  get isRead(): boolean {
    return this.#receivers.some(({ peer }) => peer.isProven);
  }

  /** A buffer for the content of the next sample, which has to be written before another is taken. */
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

  /** Serves a reader, unless it does so already. @param isOlder it expects the older form of the content */
  match(peer: Peer, { guid, qos }: Pick<EndpointData, 'guid' | 'qos'>, isOlder = false): void {
    const key = guidText(guid);
    if (this.#proxies.has(key)) return;
    const wantsOld = qos.durability >= durability.transientLocal;
    const isReliable = qos.reliability >= reliability.reliable;
    const next = this.history.last + 1;
    // What is on its way to the peer reaches this reader, too: then it must not lack parts of it.
    const onTheWay = isReliable ? peer.queue(this.#options.channel).firstWaiting(this.id) : undefined;
    const first = wantsOld ? this.history.first : (onTheWay ?? next);
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

  /** The peer has shown that it gets messages: what was held back is sent. */
  proven(peer: Peer): void {
    for (const proxy of this.#proxies.values()) if (proxy.peer === peer) this.#greet(proxy);
  }

  receiveAckNack(peer: Peer, { reader, missing, isFinal, count }: AckNack): void {
    const proxy = this.#proxyOf(peer, reader);
    if (proxy === undefined || !proxy.isReliable) return;
    const taken = proxy.ackNacks.record(count);
    if (taken === 'repeated') return;
    const acknowledged = Math.min(missing.base - 1, this.history.last);
    proxy.acknowledged = taken === 'restarted' ? acknowledged : Math.max(proxy.acknowledged, acknowledged);
    const gone: number[] = [];
    const kept: Sample[] = [];
    for (const sequence of missing.members) {
      const sample = sequence < proxy.first ? undefined : this.history.get(sequence);
      if (sample !== undefined) kept.push(sample);
      else if (sequence <= this.history.last) gone.push(sequence);
    }
    // One question behind all of them: an answer to each would ask again for what is still on its way.
    for (const sample of kept) this.#repair(proxy, sample, sample === kept.at(-1));
    if (gone.length > 0) this.#sendGap(proxy, gone);
    // A reader that has everything is not asked: its answer might oblige the writer to the next one.
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

  /** A reader has come: a reliable one asks for what it lacks. */
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

  #repair({ peer, entity, first }: ReaderProxy, sample: Sample, asks: boolean): void {
    const queue = peer.queue(this.#options.channel);
    if (queue.isFull || queue.isSending(this.id, sample)) return;
    if (!peer.mayRepair(sample.payload.length)) return;
    this.#options.repaired?.();
    const heartbeat = asks ? () => this.#heartbeat({ entity, first }) : undefined;
    queue.sample(this.id, this.#formFor(peer, sample), heartbeat);
  }

  /** Says that samples will not come. The numbers rise. */
  #sendGap({ peer, entity }: ReaderProxy, gone: readonly number[]): void {
    peer.control(this.#options.channel, (message) => {
      const [first = 0] = gone;
      const hole = gone.findIndex((sequence, index) => sequence !== first + index);
      const together = hole < 0 ? gone.length : hole;
      const list = numberSet(first + together, gone.slice(together));
      message.gap({ reader: entity, writer: this.id, first, list });
    });
  }

  /** Says which samples there are. @param isFinal the reader need not answer */
  #requestAcknowledgement(proxy: ReaderProxy, isFinal = false): void {
    const { channel } = this.#options;
    proxy.peer.control(channel, (message) => message.heartbeat(this.#heartbeat(proxy, isFinal)));
  }

  /** Asks reliable readers until they have everything. */
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
   * Which samples there are for a reader. It would ask for earlier ones, and take them for lost if they are dropped before
   * it has the answer.
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
 * Tells new requests of a reader from repeated ones by their counts. A reader that has lost sight of
 * the scanner for a while, and finds it again, counts from the beginning.
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
