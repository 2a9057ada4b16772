import type { Clock } from '@azimuth/device';
import {
  builtinEndpoint,
  type Data,
  decodeParticipantData,
  type GuidPrefix,
  statusInfoOf,
} from '@azimuth/telegrams/rtps';
import { SenderLimit } from '../network/udp.js';
import { greetingInterval, mostPeers, provingIntervals } from './limits.js';
import { Peer, type Transmission } from './peer.js';

interface Options {
  readonly domain: number;
  readonly clock: Clock;
  readonly transmission: Transmission;
  /** Introduces the scanner to a peer that has not shown yet that it gets messages. */
  readonly greet: (peer: Peer) => void;
  /** Called when the address of a peer has changed. */
  readonly moved: (peer: Peer) => void;
  readonly lost: (peer: Peer) => void;
}

/**
 * Participants of other programs in the domain (SPDP, DDSI-RTPS §8.5.3). Participants that read no announcements of
 * writers are not stored: they cannot learn the topics of the scanner. Other scanners are such participants.
 */
export class Peers {
  readonly #options: Options;
  readonly #peers = new Map<GuidPrefix, Peer>();
  readonly #limit: SenderLimit;
  readonly #cancels = new Map<Peer, () => void>();
  /** Time at which each peer was greeted last. */
  readonly #greeted = new WeakMap<Peer, number>();

  constructor(options: Options) {
    this.#options = options;
    this.#limit = new SenderLimit(options.clock);
  }

  get all(): readonly Peer[] {
    return [...this.#peers.values()];
  }

  get(prefix: GuidPrefix): Peer | undefined {
    return this.#peers.get(prefix);
  }

  /**
   * Processes the announcement of a participant, or of its end. Both count only if they are its own.
   * @param from the address of its sender
   * @param bytes of the datagram
   * @throws TelegramError if it is not an announcement
   */
  receive(data: Data, source: GuidPrefix, from: string, bytes: number): void {
    if (statusInfoOf(data) !== 0 || data.isKey) {
      const peer = this.#peers.get(source);
      if (peer !== undefined) this.#forget(peer);
      return;
    }
    const announced = decodeParticipantData(data.payload);
    if (announced.prefix !== source || announced.domainTag !== '') return;
    if (announced.domain !== undefined && announced.domain !== this.#options.domain) return;
    if ((announced.builtinEndpoints & builtinEndpoint.publicationsReader) === 0) return;
    const known = this.#peers.get(source);
    if (known !== undefined) {
      if (known.announced(announced, from)) this.#options.moved(known);
      this.#greetAgain(known);
      return;
    }
    if (!this.#limit.allows(from) || !this.#makeRoom()) return;
    const peer = new Peer(source, this.#options.transmission);
    this.#peers.set(source, peer);
    peer.recordReceived(bytes);
    peer.announced(announced, from);
    this.#introduce(peer, 0);
  }

  forgetExpired(): void {
    for (const peer of this.#peers.values()) if (peer.isExpired) this.#forget(peer);
  }

  close(): void {
    for (const cancel of this.#cancels.values()) cancel();
    this.#cancels.clear();
    for (const peer of this.#peers.values()) peer.close();
    this.#peers.clear();
  }

  /** The first messages may come before the peer knows the scanner, so they are repeated. */
  #introduce(peer: Peer, time: number): void {
    this.#cancels.delete(peer);
    if (peer.isProven) return;
    this.#greet(peer);
    const before = provingIntervals[time];
    const next = provingIntervals[time + 1];
    if (before === undefined || next === undefined) return;
    this.#cancels.set(
      peer,
      this.#options.clock.after(next - before, () => this.#introduce(peer, time + 1)),
    );
  }

  #greetAgain(peer: Peer): void {
    if (peer.isProven || this.#cancels.has(peer)) return;
    const since = this.#options.clock.monotonic() - (this.#greeted.get(peer) ?? Number.NEGATIVE_INFINITY);
    if (since >= greetingInterval) this.#greet(peer);
  }

  #greet(peer: Peer): void {
    this.#greeted.set(peer, this.#options.clock.monotonic());
    this.#options.greet(peer);
  }

  /** Removes a peer that has not shown that it gets messages, to make room for a new one. */
  #makeRoom(): boolean {
    if (this.#peers.size < mostPeers) return true;
    const unproven = this.all.find(({ isProven }) => !isProven);
    if (unproven === undefined) return false;
    this.#forget(unproven);
    return true;
  }

  #forget(peer: Peer): void {
    this.#cancels.get(peer)?.();
    this.#cancels.delete(peer);
    this.#peers.delete(peer.prefix);
    peer.close();
    this.#options.lost(peer);
  }
}
