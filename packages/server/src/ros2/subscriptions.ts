import {
  type Data,
  decodeEndpointData,
  type EndpointData,
  entityId,
  guidOf,
  guidText,
  type Heartbeat,
  keyHashOf,
  type MessageWriter,
  numberSet,
  type Submessage,
  statusInfoOf,
} from '@azimuth/telegrams/rtps';
import { mostAnnouncementBytes, mostReaders, mostReadersOfPeer } from './limits.js';
import type { Peer } from './peer.js';

/** The vendor in the GUIDs of Fast DDS (§9.3.1.5). */
const fastDds = '010f';

interface Options {
  /** May the scanner have this topic? Readers of others are not kept. */
  readonly isOurs: (topic: string) => boolean;
  /** How many readers are served. */
  readonly count: () => number;
  readonly found: (peer: Peer, reader: EndpointData) => void;
  readonly lost: (peer: Peer, reader: string) => void;
}

/** Reads which readers peers have: the built-in reader of announcements (SEDP, DDSI-RTPS §8.5.4). */
export class Subscriptions {
  readonly #options: Options;

  constructor(options: Options) {
    this.#options = options;
  }

  /** @throws TelegramError if the content is no announcement of an endpoint */
  take(peer: Peer, submessage: Submessage): void {
    if (submessage.kind === 'data') this.#takeData(peer, submessage);
    else if (submessage.kind === 'heartbeat') this.#answer(peer, submessage);
    else if (submessage.kind === 'gap') {
      const { first, list } = submessage;
      peer.received.leaveOut(first, list.base);
      for (const sequence of list.members) peer.received.leaveOut(sequence, sequence + 1);
    }
  }

  /**
   * Asks, in a message to a peer that has just been found, for everything from the beginning on. The peer may remember this
   * reader from before it was away for longer than its lease. Fast DDS takes a base of 1 for "all is acknowledged so far" then,
   * and sends nothing again: it begins anew at base 0, which the standard does not know (§8.3.5.5), so others get 1.
   */
  writeQuestion(message: MessageWriter, peer: Peer): void {
    const missing = peer.prefix.startsWith(fastDds) ? numberSet(0, []) : peer.received.missingUpTo(0);
    message.ackNack({ ...this.#facts(peer), missing, isFinal: false });
  }

  #answer(peer: Peer, { first, last, isFinal }: Heartbeat): void {
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

  #takeData(peer: Peer, data: Data): void {
    if (!peer.received.take(data.sequence)) return;
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
    // It may have changed its quality of service.
    this.#forget(peer, name);
    if (peer.readers.size >= mostReadersOfPeer || this.#options.count() >= mostReaders) return;
    peer.readers.set(name, reader);
    this.#options.found(peer, reader);
  }

  #forget(peer: Peer, reader: string): void {
    if (peer.readers.delete(reader)) this.#options.lost(peer, reader);
  }
}
