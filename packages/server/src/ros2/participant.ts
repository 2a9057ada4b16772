import { randomBytes } from 'node:crypto';
import type { RemoteInfo } from 'node:dgram';
import type { Clock, Log } from '@azimuth/device';
import {
  type AckNack,
  decodeMessage,
  type EndpointData,
  entityId,
  type Guid,
  guidText,
  type Submessage,
  TelegramError,
  vendorId,
  writerId,
} from '@azimuth/telegrams/rtps';
import { Announcer } from './announcer.js';
import {
  loopbackDatagram,
  mostReports,
  mostSubmessages,
  networkDatagram,
  repairedTogether,
  repairTime,
} from './limits.js';
import type { RosNetwork } from './network.js';
import type { Peer, Transmission } from './peer.js';
import { Budget } from './peer.js';
import { Peers } from './peers.js';
import { Publications } from './publications.js';
import { RtpsSockets } from './sockets.js';
import { incompatibility, isSameTopic, offeredQos, Subscriptions } from './subscriptions.js';
import { Writer } from './writer.js';

/** Topic that the scanner publishes, with the names of DDS. */
export interface TopicFacts {
  readonly topic: string;
  readonly type: string;
  /** User data for the middleware above. */
  readonly userData: string;
  /** Number of samples that are stored for repairs. */
  readonly depth: number;
  /** True if a reader that comes later gets the last samples, too. */
  readonly isLatched: boolean;
  /** Returns true if this reader expects the older form of the content. Without it, there is one form. */
  readonly isForOlder?: (reader: EndpointData) => boolean;
}

interface Options {
  /** Domain: 0 to 232. */
  readonly domain: number;
  readonly network: RosNetwork;
  /** Names of topics that may be published. Readers of other topics are not stored. */
  readonly topics: readonly string[];
  readonly clock: Clock;
  readonly log: Log;
  /** Counts samples that were sent, and datagrams or samples that were lost. */
  readonly sent: (bytes: number) => void;
  readonly failed: (error?: Error) => void;
  /** Counts samples that were sent again, and messages that were not understood. */
  readonly repaired: () => void;
  readonly ignored: () => void;
  /** Called when a topic may have got its first reader, or lost its last one. */
  readonly changed: () => void;
  /** Called with unexpected errors. */
  readonly broken: (error: unknown) => void;
}

interface Published {
  readonly writer: Writer;
  readonly endpoint: EndpointData;
  readonly isForOlder: (reader: EndpointData) => boolean;
}

/** Scanner in a domain of DDS: finds other participants, and publishes topics to them. */
export class Participant {
  readonly guid: Guid;
  readonly #options: Options;
  readonly #sockets: RtpsSockets;
  readonly #announcer: Announcer;
  readonly #peers: Peers;
  readonly #subscriptions: Subscriptions;
  readonly #publications: Publications;
  readonly #published = new Map<number, Published>();
  #writers = 0;
  #reports = 0;
  #counts = 0;

  private constructor(prefix: string, sockets: RtpsSockets, options: Options) {
    const { clock, domain, network, sent, failed } = options;
    this.guid = { prefix, entity: entityId.participant };
    this.#options = options;
    this.#sockets = sockets;
    const transmission: Transmission = {
      ownPrefix: prefix,
      clock,
      datagramBytes: network.isLoopback ? loopbackDatagram : networkDatagram,
      isLoopback: network.isLoopback,
      send: (parts, to, done) => sockets.send(parts, to, done),
      repairs: new Budget(clock, repairedTogether),
      nextCount: () => {
        this.#counts += 1;
        return this.#counts;
      },
      sent,
      failed,
    };
    this.#publications = new Publications(clock);
    this.#announcer = new Announcer({
      prefix,
      domain,
      locators: sockets.locators,
      clock,
      announce: (message) => {
        this.#peers.forgetExpired();
        sockets.announce(message);
        for (const peer of this.#peers.all) if (peer.isProven) peer.announce(message);
      },
    });
    this.#subscriptions = new Subscriptions({
      isOurs: (topic) => options.topics.includes(topic),
      count: () => this.readers,
      readerFound: (peer, reader) => this.#readerFound(peer, reader),
      lost: (_, reader) => this.#readerLost(reader),
    });
    this.#peers = new Peers({
      domain,
      clock,
      transmission,
      greet: (peer) => this.#greet(peer),
      moved: (peer) => {
        this.#publications.renew(peer);
        options.changed();
      },
      lost: (peer) => {
        this.#publications.forget(peer);
        for (const { writer } of this.#published.values()) writer.unmatchPeer(peer);
        options.changed();
      },
    });
  }

  /** Opens a participant. Rejects if its port cannot be opened. */
  static async open(options: Options): Promise<Participant> {
    let participant: Participant | undefined;
    const { domain, network, broken } = options;
    const sockets = await RtpsSockets.open({
      domain,
      network,
      received: (datagram, from) => participant?.receive(datagram, from),
      failed: broken,
    });
    participant = new Participant(freshPrefix(), sockets, options);
    return participant;
  }

  /** Number of participants that are known. */
  get peers(): number {
    return this.#peers.all.length;
  }

  /** Number of readers of its topics, of peers that have shown that they get messages. */
  get readers(): number {
    return this.#peers.all.reduce((sum, { readers, isProven }) => sum + (isProven ? readers.size : 0), 0);
  }

  get port(): number {
    return this.#sockets.port;
  }

  get hearsMulticast(): boolean {
    return this.#sockets.hearsMulticast;
  }

  /** Begins to announce itself. */
  begin(): void {
    this.#announcer.begin();
  }

  /** Begins to publish a topic. */
  publish({ topic, type, userData, depth, isLatched, isForOlder = () => false }: TopicFacts): Writer {
    this.#writers += 1;
    const id = writerId(this.#writers);
    const { clock, repaired } = this.#options;
    const age = isLatched ? undefined : repairTime;
    const writer = new Writer({ id, depth, age, channel: 'user', clock, repaired });
    const guid = { prefix: this.guid.prefix, entity: id };
    const endpoint = { guid, topic, type, qos: offeredQos(isLatched), depth, userData };
    this.#publications.announce(endpoint);
    const published = { writer, endpoint, isForOlder };
    this.#published.set(id, published);
    for (const peer of this.#peers.all) {
      for (const reader of peer.readers.values()) this.#match(peer, reader, published);
    }
    return writer;
  }

  /** Stops publishing a topic. */
  withdraw({ id }: Writer): void {
    const published = this.#published.get(id);
    if (published === undefined) return;
    this.#published.delete(id);
    published.writer.close();
    this.#publications.withdraw(published.endpoint.guid);
  }

  /** Announces that it and its writers are gone, and closes. */
  close(): void {
    for (const { writer } of [...this.#published.values()]) this.withdraw(writer);
    this.#announcer.end();
    this.#publications.close();
    this.#peers.close();
    this.#sockets.close();
  }

  /** Processes a datagram of any sender. */
  receive(datagram: Buffer, from: RemoteInfo): void {
    this.#options.clock.catchUp();
    try {
      const { prefix, submessages, error } = decodeMessage(datagram, mostSubmessages);
      this.#peers.get(prefix)?.recordReceived(datagram.length);
      let source = prefix;
      let destination: string | undefined;
      for (const submessage of submessages) {
        if (submessage.kind === 'infoDestination') destination = submessage.prefix;
        else if (submessage.kind === 'infoSource') source = submessage.prefix;
        else if (
          source !== this.guid.prefix &&
          (destination === undefined || destination === this.guid.prefix)
        ) {
          this.#act(submessage, source, from, datagram.length);
        }
      }
      if (error !== undefined) this.#options.ignored();
    } catch (error) {
      if (!(error instanceof TelegramError)) throw error;
      this.#options.ignored();
    }
  }

  #act(submessage: Submessage, source: string, from: RemoteInfo, bytes: number): void {
    if (!('writer' in submessage)) return;
    if (submessage.kind === 'data' && submessage.writer === entityId.participantWriter) {
      this.#peers.receive(submessage, source, from.address, bytes);
      return;
    }
    const peer = this.#peers.get(source);
    if (peer === undefined) return;
    if (submessage.writer === entityId.subscriptionsWriter) this.#subscriptions.receive(peer, submessage);
    else if (submessage.kind === 'ackNack') this.#receiveAckNack(peer, submessage);
    else if (submessage.kind === 'nackFragment') {
      this.#published.get(submessage.writer)?.writer.receiveNackFragment(peer, submessage);
    }
  }

  #receiveAckNack(peer: Peer, ackNack: AckNack): void {
    const { writer, reader } = ackNack;
    if (writer === entityId.livelinessWriter) {
      // Ignored: its liveliness needs no assertions, so there are no samples.
      peer.control('discovery', (message) =>
        message.heartbeat({ reader, writer, first: 1, last: 0, count: peer.nextCount(), isFinal: true }),
      );
      return;
    }
    if (writer !== entityId.publicationsWriter) {
      this.#published.get(writer)?.writer.receiveAckNack(peer, ackNack);
      return;
    }
    const wasProven = peer.isProven;
    if (!this.#publications.receiveAckNack(peer, ackNack) || wasProven) return;
    for (const published of this.#published.values()) published.writer.proven(peer);
    this.#options.changed();
  }

  /** Announces the scanner and its writers to a peer, and requests the readers of the peer. */
  #greet(peer: Peer): void {
    peer.control('discovery', (message) => {
      this.#announcer.write(message);
      this.#publications.writeHeartbeat(message, peer);
      this.#subscriptions.writeQuestion(message, peer);
    });
  }

  #readerFound(peer: Peer, reader: EndpointData): void {
    for (const published of this.#published.values()) this.#match(peer, reader, published);
  }

  #match(peer: Peer, reader: EndpointData, { writer, endpoint, isForOlder }: Published): void {
    if (!isSameTopic(endpoint, reader)) return;
    const policy = incompatibility(endpoint.qos, reader.qos);
    if (policy !== undefined) {
      this.#report(reader, policy);
      return;
    }
    writer.match(peer, reader, isForOlder(reader));
    this.#options.changed();
  }

  #readerLost(reader: string): void {
    for (const { writer } of this.#published.values()) writer.unmatch(reader);
    this.#options.changed();
  }

  #report({ topic, guid }: EndpointData, policy: string): void {
    this.#reports += 1;
    if (this.#reports > mostReports) return;
    this.#options.log.info('A ROS 2 reader asks for a quality of service that the scanner does not offer', {
      topic,
      reader: guidText(guid),
      policy,
    });
  }
}

/** Returns a new GUID prefix: the vendor, as the standard requires (§9.3.1.5), then random bytes. */
function freshPrefix(): string {
  return vendorId.toString(16).padStart(4, '0') + randomBytes(10).toString('hex');
}
