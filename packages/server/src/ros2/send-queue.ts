import type { Clock } from '@azimuth/device';
import type { EntityId, GuidPrefix, Heartbeat } from '@azimuth/telegrams/rtps';
import { entityId, MessageWriter } from '@azimuth/telegrams/rtps';
import type { Sample } from './history.js';
import { datagramOverhead, mostQueued, mostUnsent, pacedBytes } from './limits.js';

/** Content of a heartbeat, without its kind. */
export type HeartbeatFacts = Omit<Heartbeat, 'kind'>;

interface Options {
  /** GUID prefixes of the scanner and of the peer. */
  readonly ownPrefix: GuidPrefix;
  readonly peer: GuidPrefix;
  readonly clock: Clock;
  /** Bytes of a datagram, at most. */
  readonly datagramBytes: number;
  /** Hands a datagram to the network. Its parts must not change until `done` is called. */
  readonly send: (parts: readonly Uint8Array[], done: (error: Error | null) => void) => void;
  /** Called when a sample was handed to the network completely. */
  readonly sent: (bytes: number) => void;
  /** Called when a datagram or, if the queue is full, a sample was lost. */
  readonly failed: (error?: Error) => void;
}

/** Sample of several datagrams that is being sent. */
interface Job {
  readonly writer: EntityId;
  readonly sample: Sample;
  /** Fragments to send, from 1; undefined for all. */
  readonly fragments: readonly number[] | undefined;
  next: number;
  readonly heartbeat: (() => HeartbeatFacts) | undefined;
}

/** Start of every message. The rest of the message can follow a content. */
const messageHeader = 20;

/**
 * Sends samples to one peer. A sample that fits into a datagram is sent at once. Larger ones are split, and sent at the
 * rate that a socket with a usual buffer can receive.
 */
export class SendQueue {
  readonly #options: Options;
  readonly #message: MessageWriter;
  readonly #fragmentBytes: number;
  readonly #jobs: Job[] = [];
  #cancel: (() => void) | undefined;
  /** Bytes that may still be sent in this millisecond. */
  #remainingBytes = pacedBytes;
  /** Number of datagrams that the system has not accepted yet. */
  #unsent = 0;

  constructor(options: Options) {
    this.#options = options;
    this.#message = new MessageWriter(options.ownPrefix, 256 + datagramOverhead);
    this.#fragmentBytes = options.datagramBytes - datagramOverhead;
  }

  /** True if there is no room for another sample of several datagrams. */
  get isFull(): boolean {
    return this.#jobs.length >= mostQueued;
  }

  /** Returns true if parts of this sample are still waiting. */
  isSending(writer: EntityId, { sequence }: Sample): boolean {
    return this.#jobs.some((job) => job.writer === writer && job.sample.sequence === sequence);
  }

  /** Returns the lowest number of the samples of a writer that wait in whole or in part. */
  firstWaiting(writer: EntityId): number | undefined {
    const waiting = this.#jobs.filter((job) => job.writer === writer && job.fragments === undefined);
    return waiting.length === 0 ? undefined : Math.min(...waiting.map(({ sample }) => sample.sequence));
  }

  /** Sends a sample. @param heartbeat requests an acknowledgement of reliable readers, behind the sample */
  sample(writer: EntityId, sample: Sample, heartbeat?: () => HeartbeatFacts): void {
    if (sample.payload.length > this.#fragmentBytes) {
      this.#queue({ writer, sample, fragments: undefined, next: 0, heartbeat });
      return;
    }
    if (this.#unsent >= mostUnsent) {
      this.#options.failed();
      return;
    }
    const { payload, ended, sequence, time } = sample;
    const address = { reader: entityId.unknown, writer, sequence };
    this.#message.begin().infoDestination(this.#options.peer).infoTimestamp(time);
    if (ended === undefined) this.#message.dataHead(address, payload.length);
    else this.#message.dispose(address, ended, payload);
    const head = this.#message.copy();
    this.#send(sample, ended === undefined ? [head, payload] : [head], heartbeat);
    this.#options.sent(payload.length);
  }

  /** Sends fragments of a sample again. Numbers of fragments that the sample does not have are left out. */
  fragments(writer: EntityId, sample: Sample, numbers: readonly number[]): void {
    const count = this.#countOf(sample);
    const fragments = numbers.filter((number) => number >= 1 && number <= count);
    if (fragments.length > 0) this.#queue({ writer, sample, fragments, next: 0, heartbeat: undefined });
  }

  /** Returns the bytes of this many fragments. */
  bytesOf(fragments: number): number {
    return fragments * this.#fragmentBytes;
  }

  close(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    for (const { sample } of this.#jobs) sample.pending -= 1;
    this.#jobs.length = 0;
  }

  #countOf({ payload }: Sample): number {
    return Math.ceil(payload.length / this.#fragmentBytes);
  }

  #queue(job: Job): void {
    if (this.isFull) {
      this.#options.failed();
      return;
    }
    // Until everything is sent, its memory must not be used for another sample.
    job.sample.pending += 1;
    this.#jobs.push(job);
    this.#sendDue();
  }

  /** Sends the amount of this millisecond, unless the network does not accept it. */
  #sendDue(): void {
    while (this.#remainingBytes >= this.#fragmentBytes && this.#unsent < mostUnsent) {
      const [job] = this.#jobs;
      if (job === undefined) return;
      this.#sendFragment(job);
    }
    this.#nextMillisecond();
  }

  #nextMillisecond(): void {
    this.#cancel ??= this.#options.clock.after(1, () => {
      this.#cancel = undefined;
      this.#remainingBytes = pacedBytes;
      this.#sendDue();
    });
  }

  #sendFragment(job: Job): void {
    const { writer, sample, fragments, heartbeat } = job;
    const { sequence, time, payload } = sample;
    const first = fragments?.[job.next] ?? job.next + 1;
    job.next += 1;
    const from = (first - 1) * this.#fragmentBytes;
    const part = payload.subarray(from, from + this.#fragmentBytes);
    const place = {
      first,
      fragmentBytes: this.#fragmentBytes,
      sampleBytes: payload.length,
      bytes: part.length,
    };
    const address = { reader: entityId.unknown, writer, sequence };
    this.#message
      .begin()
      .infoDestination(this.#options.peer)
      .infoTimestamp(time)
      .fragmentHead(address, place);
    const isLast = job.next >= (fragments?.length ?? this.#countOf(sample));
    if (isLast) {
      this.#jobs.shift();
      sample.pending -= 1;
    }
    this.#send(sample, [this.#message.copy(), part], isLast ? heartbeat : undefined);
    if (isLast && fragments === undefined) this.#options.sent(payload.length);
  }

  #send(sample: Sample, parts: Uint8Array[], heartbeat: (() => HeartbeatFacts) | undefined): void {
    if (heartbeat !== undefined) {
      parts.push(this.#message.begin().heartbeat(heartbeat()).message.slice(messageHeader));
    }
    sample.pending += 1;
    this.#unsent += 1;
    this.#remainingBytes -= parts.reduce((sum, { length }) => sum + length, 0);
    this.#nextMillisecond();
    this.#options.send(parts, (error) => {
      sample.pending -= 1;
      this.#unsent -= 1;
      if (error !== null) this.#options.failed(error);
    });
  }
}
