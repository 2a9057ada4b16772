import { randomBytes } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import {
  builtinEndpoint,
  bytesOfGuid,
  type Data,
  decodeEndpointData,
  decodeMessage,
  decodeParticipantData,
  defaultQos,
  durability,
  type EndpointData,
  encodeEndpointData,
  encodeKey,
  encodeParticipantData,
  entityId,
  guidOf,
  type Heartbeat,
  keyHashOf,
  MessageWriter,
  numberSet,
  parameterId,
  reliability,
  type Submessage,
  statusInfoOf,
} from '@azimuth/telegrams/rtps';
import { onTestFinished } from 'vitest';
import { firstPort } from './dds-domain.js';

/** A reader of a DDS program. */
export interface ReaderDescription {
  readonly topic: string;
  readonly type: string;
  readonly isReliable?: boolean;
  readonly isLatched?: boolean;
  /** Default: empty. */
  readonly userData?: string;
}

/** Entity identifiers of its readers: 1, 2, 3 … without a key. */
const readerId = (index: number) => ((index + 1) << 8) | 0x04;

/** A DDS program with readers, as small as it can be. It asks again for everything that it lacks. */
export class DdsProgram {
  /** Received samples of each reader: the contents by the numbers of the samples. */
  readonly samples: Map<number, Uint8Array>[];
  /** The writers of the scanner that are announced. */
  readonly writers = new Map<number, EndpointData>();
  /** Bytes and datagrams that have come. */
  received = { datagrams: 0, bytes: 0 };
  /** Bytes that it has sent. */
  sentBytes = 0;
  /** The GUID prefix of the scanner; undefined before its announcement, and after its end. */
  scanner: string | undefined;
  ended = 0;
  /** Samples of the scanner that will not come, as gaps said. */
  readonly gaps: number[] = [];
  /** Loses what this says. */
  loses: (submessage: Submessage) => boolean = () => false;
  /** Is it silent, apart from announcements? */
  isMute = false;
  /** The built-in endpoints that it announces. */
  builtinEndpoints =
    builtinEndpoint.participantWriter |
    builtinEndpoint.participantReader |
    builtinEndpoint.publicationsReader |
    builtinEndpoint.subscriptionsWriter;
  readonly #socket: Socket;
  readonly #readers: readonly ReaderDescription[];
  readonly #domain: number;
  readonly #announcements = new Map<number, Data>();
  readonly #parts = new Map<string, Map<number, Uint8Array>>();
  /** Of each writer, the count of the last heartbeat: older ones are ignored. */
  readonly #heartbeats = new Map<string, number>();
  /** Of each reader and writer, the first number that was not acknowledged: lower ones never count again. */
  readonly #expected = new Map<string, number>();
  readonly #message: MessageWriter;
  #count = 0;

  private constructor(
    socket: Socket,
    domain: number,
    readers: readonly ReaderDescription[],
    readonly prefix: string,
  ) {
    this.#socket = socket;
    this.#message = new MessageWriter(prefix, 4096);
    this.#domain = domain;
    this.#readers = readers;
    this.samples = readers.map(() => new Map());
    socket.on('message', (datagram) => this.#receive(datagram));
  }

  static async open(
    domain: number,
    readers: readonly ReaderDescription[] = [],
    prefix = randomBytes(12).toString('hex'),
  ): Promise<DdsProgram> {
    const socket = createSocket('udp4');
    const listening = once(socket, 'listening');
    socket.bind(0, '127.0.0.1');
    await listening;
    onTestFinished(() => {
      socket.close();
    });
    return new DdsProgram(socket, domain, readers, prefix);
  }

  /** Announces itself to the scanner. */
  announce(lease = 20_000, domainTag = ''): void {
    const { port } = this.#socket.address();
    const locators = [{ address: '127.0.0.1', port }];
    const payload = encodeParticipantData({
      prefix: this.prefix,
      domain: this.#domain,
      domainTag,
      discovery: locators,
      user: locators,
      builtinEndpoints: this.builtinEndpoints,
      lease,
      userData: '',
    });
    const sample = { reader: entityId.participantReader, writer: entityId.participantWriter, sequence: 1 };
    this.#send((message) => message.data(sample, payload));
  }

  /** Says that it is gone. */
  leave(): void {
    const guid = { prefix: this.prefix, entity: entityId.participant };
    const sample = { reader: entityId.participantReader, writer: entityId.participantWriter, sequence: 2 };
    const key = encodeKey(parameterId.participantGuid, guid);
    this.#send((message) => message.dispose(sample, bytesOfGuid(guid), key));
  }

  /** Loses sight of the scanner, as after its lease: everything begins anew, except for the samples that came. */
  forgetScanner(): void {
    this.scanner = undefined;
    this.writers.clear();
    this.#announcements.clear();
    this.#heartbeats.clear();
    this.#expected.clear();
    this.#count = 0;
  }

  /** Sends any bytes to the scanner. */
  sendBytes(bytes: Uint8Array): void {
    this.sentBytes += bytes.length;
    this.#socket.send(bytes, firstPort(this.#domain), '127.0.0.1');
  }

  /** Asks for a sample, as a reader that lacks it. */
  request(index: number, sequence: number): void {
    const writer = [...this.writers.keys()].find((id) => this.#readersOf(id).includes(index));
    if (writer === undefined || this.scanner === undefined) throw new Error('a writer expected');
    this.#count += 1;
    const missing = numberSet(sequence, [sequence]);
    const facts = { reader: readerId(index), writer, missing, count: this.#count, isFinal: true };
    this.#send((message) => message.ackNack(facts), this.scanner);
  }

  /** The number of the next announcement of a writer of the scanner. */
  get nextAnnouncement(): number {
    const { publicationsReader, publicationsWriter } = entityId;
    return this.#expected.get(`${this.scanner} ${publicationsWriter} ${publicationsReader}`) ?? 0;
  }

  /** Acknowledges the announcements of the writers of the scanner before this one. */
  acknowledge(announcement: number): void {
    const { publicationsReader: reader, publicationsWriter: writer } = entityId;
    this.#count += 1;
    const facts = { reader, writer, missing: numberSet(announcement, []), count: this.#count, isFinal: true };
    this.#send((message) => message.ackNack(facts), this.scanner);
  }

  /** Contents of a reader, in order. */
  of(reader: number): readonly Uint8Array[] {
    return [...(this.samples[reader] ?? [])]
      .sort(([one], [other]) => one - other)
      .map(([, content]) => content);
  }

  /** The topics that the scanner announces. */
  get topics(): readonly string[] {
    return [...this.writers.values()].map(({ topic }) => topic).sort();
  }

  #send(write: (message: MessageWriter) => void, destination?: string): void {
    const message = this.#message.begin();
    if (destination !== undefined) message.infoDestination(destination);
    write(message);
    this.sendBytes(message.copy());
  }

  #receive(datagram: Buffer): void {
    this.received.datagrams += 1;
    this.received.bytes += datagram.length;
    const { prefix, submessages } = decodeMessage(datagram);
    for (const submessage of submessages) {
      if ('writer' in submessage && !this.loses(submessage)) this.#act(submessage, prefix);
    }
  }

  #act(submessage: Exclude<Submessage, { kind: `info${string}` }>, prefix: string): void {
    if (submessage.kind === 'data' && submessage.writer === entityId.participantWriter) {
      if (statusInfoOf(submessage) === 0) this.scanner = decodeParticipantData(submessage.payload).prefix;
      else this.ended += 1;
      return;
    }
    if (this.isMute) return;
    if (submessage.kind === 'data' && submessage.writer === entityId.publicationsWriter) {
      this.#announcements.set(submessage.sequence, submessage);
      this.#updateWriter(submessage);
    } else if (submessage.kind === 'heartbeat') this.#acknowledgeTo(submessage, prefix);
    else if (submessage.kind === 'gap') {
      const { first, list } = submessage;
      for (let sequence = first; sequence < list.base; sequence++) this.gaps.push(sequence);
      this.gaps.push(...list.members);
    } else if (submessage.kind === 'ackNack' && submessage.writer === entityId.subscriptionsWriter) {
      this.#announceReaders(prefix, submessage.missing.base);
    } else if (submessage.kind === 'data')
      this.#store(submessage.writer, submessage.sequence, submessage.payload);
    else if (submessage.kind === 'dataFragment') {
      const name = `${submessage.writer} ${submessage.sequence}`;
      const parts = this.#parts.get(name) ?? new Map<number, Uint8Array>();
      this.#parts.set(name, parts.set(submessage.first, submessage.payload));
      const bytes = [...parts.values()].reduce((sum, { length }) => sum + length, 0);
      if (bytes < submessage.sampleBytes) return;
      const ordered = [...parts].sort(([one], [other]) => one - other).map(([, part]) => part);
      this.#store(submessage.writer, submessage.sequence, Buffer.concat(ordered));
    }
  }

  #updateWriter(data: Data): void {
    if (statusInfoOf(data) !== 0) {
      const key = keyHashOf(data);
      if (key !== undefined) this.writers.delete(guidOf(key).entity);
      return;
    }
    const writer = decodeEndpointData(data.payload);
    this.writers.set(writer.guid.entity, writer);
  }

  #readersOf(writer: number): readonly number[] {
    const endpoint = this.writers.get(writer);
    return this.#readers.flatMap(({ topic, type }, index) =>
      topic === endpoint?.topic && type === endpoint.type ? [index] : [],
    );
  }

  #store(writer: number, sequence: number, content: Uint8Array): void {
    for (const reader of this.#readersOf(writer)) this.samples[reader]?.set(sequence, content);
  }

  /** @param from the number of the first announcement that the scanner lacks */
  #announceReaders(prefix: string, from: number): void {
    for (const [index, wish] of this.#readers.entries()) {
      const { topic, type, isReliable = true, isLatched = false, userData = '' } = wish;
      const sequence = index + 1;
      if (sequence < from) continue;
      const qos = {
        ...defaultQos,
        reliability: isReliable ? reliability.reliable : reliability.bestEffort,
        durability: isLatched ? durability.transientLocal : durability.volatile,
      };
      const guid = { prefix: this.prefix, entity: readerId(index) };
      const payload = encodeEndpointData({ guid, topic, type, qos, depth: 1, userData });
      const { subscriptionsReader: reader, subscriptionsWriter: writer } = entityId;
      this.#send((message) => message.data({ reader, writer, sequence }, payload), prefix);
    }
  }

  #acknowledgeTo({ writer, first, last, count }: Heartbeat, prefix: string): void {
    const name = `${prefix} ${writer}`;
    if (count <= (this.#heartbeats.get(name) ?? 0)) return;
    this.#heartbeats.set(name, count);
    if (writer === entityId.publicationsWriter) {
      this.#ask(prefix, entityId.publicationsReader, writer, this.#announcements, first, last);
    }
    for (const index of this.#readersOf(writer)) {
      const samples = this.samples[index];
      if (samples === undefined || this.#readers[index]?.isReliable === false) continue;
      this.#ask(prefix, readerId(index), writer, samples, first, last);
    }
  }

  #ask(
    prefix: string,
    reader: number,
    writer: number,
    received: ReadonlyMap<number, unknown>,
    first: number,
    last: number,
  ): void {
    const name = `${prefix} ${writer} ${reader}`;
    const expected = Math.max(first, this.#expected.get(name) ?? 0);
    const lacking: number[] = [];
    for (let sequence = expected; sequence <= last; sequence++)
      if (!received.has(sequence)) lacking.push(sequence);
    const base = lacking[0] ?? Math.max(expected, last + 1);
    this.#expected.set(name, base);
    this.#count += 1;
    const facts = { reader, writer, missing: numberSet(base, lacking), count: this.#count, isFinal: true };
    this.#send((message) => message.ackNack(facts), prefix);
  }
}
