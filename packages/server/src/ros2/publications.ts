import { randomInt } from 'node:crypto';
import type { Clock } from '@azimuth/device';
import {
  type AckNack,
  bytesOfGuid,
  durability,
  type EndpointData,
  type EntityId,
  encodeEndpointData,
  encodeKey,
  entityId,
  type Guid,
  type MessageWriter,
  parameterId,
  reliability,
  usualQos,
} from '@azimuth/telegrams/rtps';
import { deafTime, mostDisposals, mostWrong } from './limits.js';
import type { Peer } from './peer.js';
import { Writer } from './writer.js';

/** Announcements of endpoints are kept as long as the endpoint exists: there are fewer than this. */
const mostEndpoints = 64;

/** The number before that of the first announcement is random for each peer, in this range. Fast DDS takes no much higher ones. */
const starts = { least: 2 ** 10, count: 2 ** 20 } as const;

/** The announcements to one peer. */
interface Introduction {
  readonly writer: Writer;
  /** The numbers of the announcements, by endpoint. */
  readonly announced: Map<EntityId, number>;
  readonly disposals: number[];
  /** Acknowledgements of numbers that were not sent, while the peer has not shown that it gets messages. */
  wrong: number;
  /** Until then (ms) its acknowledgements are ignored. */
  deafUntil: number;
}

/**
 * Announces the writers of the scanner to its peers (SEDP, DDSI-RTPS §8.5.4). Each peer gets numbers of its own, which
 * nobody else can know. A peer that acknowledges them gets the messages that are sent to its address.
 */
export class Publications {
  readonly #clock: Clock;
  readonly #endpoints = new Map<EntityId, Uint8Array>();
  readonly #introductions = new Map<Peer, Introduction>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  announce(endpoint: EndpointData): void {
    const content = encodeEndpointData(endpoint);
    const { entity } = endpoint.guid;
    this.#endpoints.set(entity, content);
    for (const { writer, announced } of this.#introductions.values()) {
      announced.set(entity, writer.write(content).sequence);
    }
  }

  withdraw(guid: Guid): void {
    this.#endpoints.delete(guid.entity);
    const key = encodeKey(parameterId.endpointGuid, guid);
    for (const { writer, announced, disposals } of this.#introductions.values()) {
      writer.history.remove(announced.get(guid.entity) ?? 0);
      announced.delete(guid.entity);
      disposals.push(writer.write(key, bytesOfGuid(guid)).sequence);
      if (disposals.length > mostDisposals) writer.history.remove(disposals.shift() ?? 0);
    }
  }

  /** Says, in a message to a peer, which announcements there are. */
  writeHeartbeat(message: MessageWriter, peer: Peer): void {
    this.#to(peer).writer.writeHeartbeat(message, entityId.publicationsReader);
  }

  /** Takes an acknowledgement. Returns whether the peer knows the numbers that were sent to it. */
  takeAckNack(peer: Peer, ackNack: AckNack): boolean {
    const introduction = this.#to(peer);
    const { writer } = introduction;
    const now = this.#clock.monotonic();
    if (!peer.isProven && now < introduction.deafUntil) return false;
    const { first, last } = writer.history;
    const { base } = ackNack.missing;
    const isKnown = base >= first && base <= last + 1;
    if (isKnown) peer.prove();
    else if (!peer.isProven && base >= starts.least) {
      // Somebody guesses.
      introduction.wrong += 1;
      if (introduction.wrong % mostWrong === 0) introduction.deafUntil = now + deafTime;
    }
    writer.takeAckNack(peer, ackNack);
    return isKnown;
  }

  forget(peer: Peer): void {
    this.#introductions.get(peer)?.writer.close();
    this.#introductions.delete(peer);
  }

  close(): void {
    for (const { writer } of this.#introductions.values()) writer.close();
    this.#introductions.clear();
  }

  #to(peer: Peer): Introduction {
    const known = this.#introductions.get(peer);
    if (known !== undefined) return known;
    const writer = new Writer({
      id: entityId.publicationsWriter,
      depth: mostEndpoints + mostDisposals,
      channel: 'discovery',
      clock: this.#clock,
      start: starts.least + randomInt(starts.count),
    });
    const announced = new Map<EntityId, number>();
    for (const [entity, content] of this.#endpoints) announced.set(entity, writer.write(content).sequence);
    const qos = { ...usualQos, reliability: reliability.reliable, durability: durability.transientLocal };
    writer.match(peer, { guid: { prefix: peer.prefix, entity: entityId.publicationsReader }, qos });
    const introduction = { writer, announced, disposals: [], wrong: 0, deafUntil: 0 };
    this.#introductions.set(peer, introduction);
    return introduction;
  }
}
