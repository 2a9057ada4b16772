import { messageHeaderBytes, protocolMajor, rtpsMagic } from './decode-message.js';
import { type EntityId, type GuidPrefix, writePrefix } from './guid.js';
import { parameterId } from './parameter-list.js';
import {
  type AckNack,
  ackNackFlag,
  bitmapBytes,
  dataFlag,
  type Gap,
  type Heartbeat,
  heartbeatFlag,
  littleEndianFlag,
  type NackFragment,
  submessageKind,
  writeBitmap,
  writeSequence,
} from './submessages.js';

/** The minor version of the protocol that is stated: DDSI-RTPS 2.5. */
export const protocolMinor = 5;

/**
 * The vendor number in messages. The OMG has not assigned this number. Participants of an unknown vendor are treated by the
 * rules of the standard only.
 */
export const vendorId = 0x017f;

/** The number of a sample, with its writer and its reader. */
interface SampleAddress {
  readonly reader: EntityId;
  readonly writer: EntityId;
  readonly sequence: number;
}

/** A fragment of a sample. */
interface FragmentPlace {
  /** From 1. */
  readonly first: number;
  readonly fragmentBytes: number;
  readonly sampleBytes: number;
  /** Bytes of this fragment. */
  readonly bytes: number;
}

/** Largest size of a submessage in bytes: a bitmap of 256 numbers and all fields around it, and more. */
const largestControl = 128;

/**
 * Writes messages, one after the other, into the same buffer: little-endian, one fragment in a submessage. The layout of a
 * message is in decode-message.ts. Contents of samples are not copied: `dataHead` and `fragmentHead` write the bytes before
 * them, and the caller sends both together.
 */
export class MessageWriter {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at = messageHeaderBytes;

  /** @param size of the buffer in bytes: at least 64, and 128 more than all contents that `data` copies */
  constructor(prefix: GuidPrefix, size = 1024) {
    this.#bytes = new Uint8Array(size);
    this.#view = new DataView(this.#bytes.buffer);
    this.#view.setUint32(0, rtpsMagic);
    this.#view.setUint8(4, protocolMajor);
    this.#view.setUint8(5, protocolMinor);
    this.#view.setUint16(6, vendorId);
    writePrefix(prefix, this.#bytes, 8);
  }

  /** Begins a new message. */
  begin(): this {
    this.#at = messageHeaderBytes;
    return this;
  }

  /** Number of written bytes. */
  get length(): number {
    return this.#at;
  }

  /** True if there is room for another submessage without a content. */
  get hasRoom(): boolean {
    return this.#at + largestControl <= this.#bytes.length;
  }

  /** The message so far, a part of the buffer. It is valid until the next message begins. */
  get message(): Uint8Array {
    return this.#bytes.subarray(0, this.#at);
  }

  /** A copy of the message so far. */
  copy(): Uint8Array {
    return this.#bytes.slice(0, this.#at);
  }

  /** | 0 | 12 bytes | GUID prefix of the receiver of the following submessages | */
  infoDestination(prefix: GuidPrefix): this {
    const at = this.#submessage(submessageKind.infoDestination, 0, 12);
    writePrefix(prefix, this.#bytes, at);
    return this;
  }

  /** | 0 | i32 | seconds since 1970 |, | 4 | u32 | fractions of 2^-32 s |. @param time in µs since 1970 */
  infoTimestamp(time: number): this {
    const at = this.#submessage(submessageKind.infoTimestamp, 0, 8);
    const seconds = Math.floor(time / 1_000_000);
    this.#view.setInt32(at, seconds, true);
    const fraction = Math.floor(((time - seconds * 1_000_000) / 1_000_000) * 2 ** 32);
    this.#view.setUint32(at + 4, fraction, true);
    return this;
  }

  /**
   * Writes the head of a sample, before its content:
   *
   * | offset | type | what |
   * |---|---|---|
   * | 0 | u16 | 0 |
   * | 2 | u16 | bytes from here to the parameters or the content: 16 |
   * | 4 | 4 bytes | reader |
   * | 8 | 4 bytes | writer |
   * | 12 | i32, u32 | number of the sample, upper half first |
   *
   * @param payloadBytes a multiple of 4
   */
  dataHead(sample: SampleAddress, payloadBytes: number): this {
    const at = this.#submessage(submessageKind.data, dataFlag.data, 20, payloadBytes);
    this.#sample(at, 16, sample);
    return this;
  }

  /** A sample with its content, which is copied. */
  data(sample: SampleAddress, payload: Uint8Array): this {
    const padded = (payload.length + 3) & ~3;
    this.dataHead(sample, padded);
    this.#copyOf(payload, padded);
    return this;
  }

  /**
   * Writes the end of an instance: as above, then as parameters the key (its GUID, 16 bytes) and the status (bit 0 disposed,
   * bit 1 unregistered), and the key once more as content.
   */
  dispose(sample: SampleAddress, key: Uint8Array, payload: Uint8Array): this {
    const parameters = 4 + 16 + 4 + 4 + 4;
    const padded = (payload.length + 3) & ~3;
    const flags = dataFlag.inlineQos | dataFlag.key;
    const at = this.#submessage(submessageKind.data, flags, 20 + parameters, padded);
    this.#sample(at, 16, sample);
    const list = at + 20;
    this.#view.setUint16(list, parameterId.keyHash, true);
    this.#view.setUint16(list + 2, 16, true);
    this.#bytes.set(key.subarray(0, 16), list + 4);
    this.#view.setUint16(list + 20, parameterId.statusInfo, true);
    this.#view.setUint16(list + 22, 4, true);
    this.#view.setUint32(list + 24, 3);
    this.#view.setUint32(list + 28, parameterId.sentinel, true);
    this.#copyOf(payload, padded);
    return this;
  }

  /**
   * Writes the head of a fragment:
   *
   * | offset | type | what |
   * |---|---|---|
   * | 0 | u16 | 0 |
   * | 2 | u16 | bytes from here to the content: 28 |
   * | 4 | 4 + 4 + 8 bytes | reader, writer and number of the sample, as above |
   * | 20 | u32 | number of the fragment, from 1 |
   * | 24 | u16 | fragments in this submessage: 1 |
   * | 26 | u16 | bytes of a fragment; the last one may be shorter |
   * | 28 | u32 | bytes of the complete sample |
   */
  fragmentHead(sample: SampleAddress, { first, fragmentBytes, sampleBytes, bytes }: FragmentPlace): this {
    const at = this.#submessage(submessageKind.dataFragment, 0, 32, bytes);
    this.#sample(at, 28, sample);
    this.#view.setUint32(at + 20, first, true);
    this.#view.setUint16(at + 24, 1, true);
    this.#view.setUint16(at + 26, fragmentBytes, true);
    this.#view.setUint32(at + 28, sampleBytes, true);
    return this;
  }

  /** | 0 | 4 + 4 bytes | reader, writer |, | 8 | 8 bytes | first |, | 16 | 8 bytes | last |, | 24 | u32 | count | */
  heartbeat({ reader, writer, first, last, count, isFinal }: Omit<Heartbeat, 'kind'>): this {
    const at = this.#submessage(submessageKind.heartbeat, isFinal ? heartbeatFlag.final : 0, 28);
    this.#endpoints(at, reader, writer);
    writeSequence(this.#view, at + 8, first);
    writeSequence(this.#view, at + 16, last);
    this.#view.setUint32(at + 24, count, true);
    return this;
  }

  /** | 0 | 4 + 4 bytes | reader, writer |, | 8 | 8 bytes | base |, | 16 | … | bitmap |, then | u32 | count | */
  ackNack({ reader, writer, missing, count, isFinal }: Omit<AckNack, 'kind'>): this {
    const length = 16 + bitmapBytes(missing.count) + 4;
    const at = this.#submessage(submessageKind.ackNack, isFinal ? ackNackFlag.final : 0, length);
    this.#endpoints(at, reader, writer);
    writeSequence(this.#view, at + 8, missing.base);
    const bitmap = writeBitmap(this.#view, at + 16, missing);
    this.#view.setUint32(at + 16 + bitmap, count, true);
    return this;
  }

  /** | 0 | 4 + 4 + 8 bytes | reader, writer, sample |, | 16 | u32 | base |, | 20 | … | bitmap |, then | u32 | count | */
  nackFragment({ reader, writer, sequence, missing, count }: Omit<NackFragment, 'kind'>): this {
    const at = this.#submessage(submessageKind.nackFragment, 0, 20 + bitmapBytes(missing.count) + 4);
    this.#endpoints(at, reader, writer);
    writeSequence(this.#view, at + 8, sequence);
    this.#view.setUint32(at + 16, missing.base, true);
    const bitmap = writeBitmap(this.#view, at + 20, missing);
    this.#view.setUint32(at + 20 + bitmap, count, true);
    return this;
  }

  /** | 0 | 4 + 4 bytes | reader, writer |, | 8 | 8 bytes | first |, | 16 | 8 bytes | base of the list |, | 24 | … | bitmap | */
  gap({ reader, writer, first, list }: Omit<Gap, 'kind'>): this {
    const at = this.#submessage(submessageKind.gap, 0, 24 + bitmapBytes(list.count));
    this.#endpoints(at, reader, writer);
    writeSequence(this.#view, at + 8, first);
    writeSequence(this.#view, at + 16, list.base);
    writeBitmap(this.#view, at + 24, list);
    return this;
  }

  #endpoints(at: number, reader: EntityId, writer: EntityId): void {
    this.#view.setUint32(at, reader);
    this.#view.setUint32(at + 4, writer);
  }

  #sample(at: number, octets: number, { reader, writer, sequence }: SampleAddress): void {
    this.#view.setUint16(at, 0, true);
    this.#view.setUint16(at + 2, octets, true);
    this.#endpoints(at + 4, reader, writer);
    writeSequence(this.#view, at + 12, sequence);
  }

  #copyOf(payload: Uint8Array, padded: number): void {
    this.#bytes.set(payload, this.#at);
    this.#bytes.fill(0, this.#at + payload.length, this.#at + padded);
    this.#at += padded;
  }

  /** Writes the four bytes of the head of a submessage, and makes room for `here` bytes. `later` bytes follow. */
  #submessage(kind: number, flags: number, here: number, later = 0): number {
    const at = this.#at;
    this.#view.setUint8(at, kind);
    this.#view.setUint8(at + 1, flags | littleEndianFlag);
    this.#view.setUint16(at + 2, here + later, true);
    this.#at = at + 4 + here;
    return at + 4;
  }
}
