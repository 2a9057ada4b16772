import { randomInt } from 'node:crypto';
import type { Clock } from '@azimuth/device';
import {
  type AckNack,
  bytesOfGuid,
  defaultQos,
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
} from '@azimuth/telegrams/rtps';
import { deafTime, mostDisposals, mostWrong } from './limits.js';
import type { Peer } from './peer.js';
import { Writer } from './writer.js';

/** Announcements of endpoints are stored while the endpoint exists: there are fewer than this. */
const mostEndpoints = 128;

/**
 * Range of the random number before that of the first announcement to a peer. A reader of Fast DDS counts up to the
 * number, from the last one that it knows.
 */
const starts = { least: 2 ** 10, count: 2 ** 20 } as const;
/** Highest number that a peer can know: even a reader that comes back a thousand times has lower ones. */
const highestKnown = 2 ** 30;

/** Announcements to one peer. */
interface Introduction {
  readonly writer: Writer;
  /** Numbers of the announcements, by endpoint. */
  readonly announced: Map<EntityId, number>;
  readonly disposals: number[];
  /** Number that the peer expected when it began; 0 if it had not stated one. */
  readonly expected: number;
  readonly guesses: Guesses;
}

/** Number of acknowledgements of numbers that were not sent, while the peer has not shown that it gets messages. */
interface Guesses {
  wrongCount: number;
  /** Time (ms) until which its acknowledgements are ignored. */
  ignoredUntil: number;
}

/**
 * Announces the writers of the scanner to its peers (SEDP, DDSI-RTPS §8.5.4). Each peer gets numbers of its own, which
 * no other peer can know. If a peer acknowledges them, it gets the messages that are sent to its address.
 */
export class Publications {
  readonly #clock: Clock;
  readonly #random: (count: number) => number;
  readonly #endpoints = new Map<EntityId, Uint8Array>();
  readonly #introductions = new Map<Peer, Introduction>();

  /** @param random returns a random number from 0 to below a count; tests pass another function */
  constructor(clock: Clock, random: (count: number) => number = randomInt) {
    this.#clock = clock;
    this.#random = random;
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
      disposals.push(writer.write(key, { ended: bytesOfGuid(guid) }).sequence);
      if (disposals.length > mostDisposals) writer.history.remove(disposals.shift() ?? 0);
    }
  }

  /** Adds the numbers of the announcements to a message to a peer. */
  writeHeartbeat(message: MessageWriter, peer: Peer): void {
    this.#to(peer).writer.writeHeartbeat(message, entityId.publicationsReader);
  }

  /** Processes an acknowledgement. Returns true if the peer knows the numbers that were sent to it. */
  receiveAckNack(peer: Peer, ackNack: AckNack): boolean {
    const introduction = this.#to(peer);
    const { writer, guesses, expected } = introduction;
    const now = this.#clock.monotonic();
    if (!peer.isProven && now < guesses.ignoredUntil) return false;
    const { first, last } = writer.history;
    const { base } = ackNack.missing;
    const isKnown = base >= first && base <= last + 1;
    if (isKnown) peer.prove();
    else if (!peer.isProven && base >= starts.least && base > expected) {
      // The sender guesses numbers, or an earlier peer ignores the numbers that it has acknowledged.
      guesses.wrongCount += 1;
      if (guesses.wrongCount % mostWrong === 0) guesses.ignoredUntil = now + deafTime;
      if (base > last && base <= highestKnown) {
        this.#introduceAbove(peer, base);
        return false;
      }
    }
    writer.receiveAckNack(peer, ackNack);
    return isKnown;
  }

  /** Begins anew at another address: a program at the earlier address of the peer may know its numbers. */
  renew(peer: Peer): void {
    const introduction = this.#introductions.get(peer);
    if (introduction === undefined) return;
    introduction.writer.close();
    this.#introduce(peer, 0, introduction.guesses);
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
    return this.#introductions.get(peer) ?? this.#introduce(peer, 0, { wrongCount: 0, ignoredUntil: 0 });
  }

  /** Begins anew with numbers that the peer does not know yet, and announces them. */
  #introduceAbove(peer: Peer, expected: number): void {
    const introduction = this.#to(peer);
    introduction.writer.close();
    this.#introduce(peer, expected, introduction.guesses);
    peer.control('discovery', (message) => this.writeHeartbeat(message, peer));
  }

  #introduce(peer: Peer, expected: number, guesses: Guesses): Introduction {
    const writer = new Writer({
      id: entityId.publicationsWriter,
      depth: mostEndpoints + mostDisposals,
      channel: 'discovery',
      clock: this.#clock,
      start: Math.max(starts.least, expected) + this.#random(starts.count),
      nextCount: () => peer.nextCount(),
    });
    const announced = new Map<EntityId, number>();
    for (const [entity, content] of this.#endpoints) announced.set(entity, writer.write(content).sequence);
    const qos = { ...defaultQos, reliability: reliability.reliable, durability: durability.transientLocal };
    writer.match(peer, { guid: { prefix: peer.prefix, entity: entityId.publicationsReader }, qos });
    const introduction = { writer, announced, disposals: [], expected, guesses };
    this.#introductions.set(peer, introduction);
    return introduction;
  }
}
