import {
  type Data,
  dataRepresentation,
  decodeEndpointData,
  defaultQos,
  durability,
  type EndpointData,
  type EndpointQos,
  entityId,
  guidOf,
  guidText,
  type Heartbeat,
  keyHashOf,
  type MessageWriter,
  numberSet,
  reliability,
  type Submessage,
  statusInfoOf,
} from '@azimuth/telegrams/rtps';
import { mostAnnouncementBytes, mostReaders, mostReadersOfPeer } from './limits.js';
import type { Peer } from './peer.js';

/** Vendor in the GUIDs of Fast DDS (§9.3.1.5). */
const fastDds = '010f';

interface Options {
  /** Returns true if the scanner may have this topic. Readers of other topics are not stored. */
  readonly isOurs: (topic: string) => boolean;
  /** Returns the number of readers that are served. */
  readonly count: () => number;
  readonly readerFound: (peer: Peer, reader: EndpointData) => void;
  readonly lost: (peer: Peer, reader: string) => void;
}

/** Receives the announcements of readers of peers: the built-in reader of announcements (SEDP, DDSI-RTPS §8.5.4). */
export class Subscriptions {
  readonly #options: Options;

  constructor(options: Options) {
    this.#options = options;
  }

  /** @throws TelegramError if the content is not an announcement of an endpoint */
  receive(peer: Peer, submessage: Submessage): void {
    if (submessage.kind === 'data') this.#receiveData(peer, submessage);
    else if (submessage.kind === 'heartbeat') this.#acknowledge(peer, submessage);
    else if (submessage.kind === 'gap') {
      const { first, list } = submessage;
      peer.received.skip(first, list.base);
      for (const sequence of list.members) peer.received.skip(sequence, sequence + 1);
    }
  }

  /**
   * Requests, in a message to a new peer, all announcements from the beginning on. The peer may remember this reader
   * from before it was away for longer than its lease. Fast DDS interprets a base of 1 as "all is acknowledged so far"
   * in this case, and sends nothing again. At base 0 it begins anew. The standard does not have base 0 (§8.3.5.5), so
   * other vendors get 1.
   */
  writeQuestion(message: MessageWriter, peer: Peer): void {
    const missing = peer.prefix.startsWith(fastDds) ? numberSet(0, []) : peer.received.missingUpTo(0);
    message.ackNack({ ...this.#facts(peer), missing, isFinal: false });
  }

  #acknowledge(peer: Peer, { first, last, isFinal }: Heartbeat): void {
    peer.received.startAt(first);
    const missing = peer.received.missingUpTo(last);
    if (missing.members.length === 0 && isFinal) return;
    peer.control('discovery', (message) => message.ackNack({ ...this.#facts(peer), missing, isFinal: true }));
  }

  #facts(peer: Peer) {
    return {
      reader: entityId.subscriptionsReader,
      writer: entityId.subscriptionsWriter,
      count: peer.nextCount(),
    };
  }

  #receiveData(peer: Peer, data: Data): void {
    if (!peer.received.accept(data.sequence)) return;
    const key = keyHashOf(data);
    if (statusInfoOf(data) !== 0 || data.isKey) {
      if (key !== undefined) this.#forget(peer, guidText(guidOf(key)));
      return;
    }
    if (data.payload.length > mostAnnouncementBytes) return;
    const reader = decodeEndpointData(data.payload);
    const { prefix } = reader.guid;
    if (prefix !== peer.prefix || !this.#options.isOurs(reader.topic)) return;
    const name = guidText(reader.guid);
    // The reader may have changed its quality of service.
    this.#forget(peer, name);
    if (peer.readers.size >= mostReadersOfPeer || this.#options.count() >= mostReaders) return;
    peer.readers.set(name, reader);
    this.#options.readerFound(peer, reader);
  }

  #forget(peer: Peer, reader: string): void {
    if (peer.readers.delete(reader)) this.#options.lost(peer, reader);
  }
}

/**
 * Quality of service of the writers of a scanner: reliable. Writers with `isLatched` also send what was written before
 * (DDS 1.4 §2.2.3).
 */
export function offeredQos(isLatched: boolean): EndpointQos {
  return {
    ...defaultQos,
    reliability: reliability.reliable,
    durability: isLatched ? durability.transientLocal : durability.volatile,
  };
}

/**
 * Returns the name of the policy that a reader requests and a writer does not offer; undefined if they fit each other.
 * Topic and type have to be compared before.
 */
export function incompatibility(offered: EndpointQos, requested: EndpointQos): string | undefined {
  if (requested.reliability > offered.reliability) return 'reliability';
  if (requested.durability > offered.durability) return 'durability';
  if (requested.deadline < offered.deadline) return 'deadline';
  if (requested.liveliness > offered.liveliness || requested.livelinessLease < offered.livelinessLease) {
    return 'liveliness';
  }
  if (requested.ownership !== offered.ownership) return 'ownership';
  if (requested.destinationOrder > offered.destinationOrder) return 'destination order';
  if (requested.presentation > offered.presentation) return 'presentation';
  if ((requested.isCoherent && !offered.isCoherent) || (requested.isOrdered && !offered.isOrdered)) {
    return 'presentation';
  }
  const { representations } = requested;
  if (representations.length > 0 && !representations.includes(dataRepresentation.xcdr1)) {
    return 'data representation';
  }
  return isInDefaultPartition(requested.partitions) ? undefined : 'partition';
}

/** The writers are in the partition without a name, which `*` means, too. */
function isInDefaultPartition(partitions: readonly string[]): boolean {
  return partitions.length === 0 || partitions.some((name) => /^\**$/.test(name));
}

/** Returns true if the reader reads this topic. */
export function isSameTopic(writer: EndpointData, reader: EndpointData): boolean {
  return writer.topic === reader.topic && writer.type === reader.type;
}
