import { TelegramError } from '../telegram-error.js';
import { ByteCursor } from './byte-cursor.js';
import { type GuidPrefix, prefixOf } from './guid.js';
import { parameterId, readParameters } from './parameter-list.js';
import {
  ackNackFlag,
  type Data,
  type DataFragment,
  dataFlag,
  dataFragmentFlag,
  heartbeatFlag,
  littleEndianFlag,
  readBitmap,
  readSequence,
  type Submessage,
  submessageKind,
  timestampFlag,
} from './submessages.js';

/** The bytes `RTPS` at the beginning of every message. */
export const rtpsMagic = 0x52545053;
export const messageHeaderBytes = 20;
export const protocolMajor = 2;

/** A datagram of RTPS. */
export interface RtpsMessage {
  readonly vendor: number;
  /** GUID prefix of the sender. */
  readonly prefix: GuidPrefix;
  readonly submessages: readonly Submessage[];
  /** The reason why the rest of the datagram was not read: a submessage is cut off or invalid (§8.3.4.1). */
  readonly error: TelegramError | undefined;
}

/**
 * Reads a message of DDSI-RTPS 2.x:
 *
 * | offset | type | what |
 * |---|---|---|
 * | 0 | 4 bytes | `RTPS` |
 * | 4 | u8, u8 | protocol version, major and minor |
 * | 6 | u16 | vendor |
 * | 8 | 12 bytes | GUID prefix of the sender |
 * | 20 | … | submessages, each at a multiple of 4 |
 *
 * A submessage begins with u8 kind, u8 flags (bit 0: little-endian) and u16 length. Length 0 means up to the end of the
 * datagram, except in kinds that may be empty. Unknown kinds are skipped.
 * @param most the largest number of submessages to read; the rest of the datagram is ignored
 * @throws TelegramError if it is not a message of RTPS 2.x
 */
export function decodeMessage(bytes: Uint8Array, most = Number.POSITIVE_INFINITY): RtpsMessage {
  if (bytes.length < messageHeaderBytes) {
    throw new TelegramError(`${messageHeaderBytes} bytes`, `${bytes.length}`, bytes.length);
  }
  const head = new ByteCursor(bytes, false);
  if (head.u32() !== rtpsMagic) throw new TelegramError('RTPS', 'other bytes', 0);
  const major = head.u8();
  if (major !== protocolMajor) throw new TelegramError('version 2', `${major}`, 4);
  head.u8();
  const vendor = head.u16();
  const prefix = prefixOf(head.part(12));
  const submessages: Submessage[] = [];
  for (let count = 0; head.remaining >= 4 && count < most; count++) {
    const start = head.at;
    try {
      const submessage = readSubmessage(head);
      if (submessage !== undefined) submessages.push(submessage);
    } catch (error) {
      if (!(error instanceof TelegramError)) throw error;
      error.message += ` of the submessage at ${start}`;
      return { vendor, prefix, submessages, error: error };
    }
  }
  return { vendor, prefix, submessages, error: undefined };
}

/** Reads a submessage; undefined for an unknown kind. @throws TelegramError if it is cut off or invalid */
function readSubmessage(message: ByteCursor): Submessage | undefined {
  const kind = message.u8();
  const flags = message.u8();
  const little = (flags & littleEndianFlag) !== 0;
  const length = new ByteCursor(message.part(2), little).u16();
  // An empty timestamp, and padding, really have the length 0.
  const isEmpty = kind === submessageKind.infoTimestamp || kind === 0x01;
  const part = message.part(length === 0 && !isEmpty ? message.remaining : length);
  return readers[kind]?.(new ByteCursor(part, little), flags);
}

type Read = (cursor: ByteCursor, flags: number) => Submessage;

/** Readers of submessages. The layouts are at the encoders, in encode-message.ts. */
const readers: Readonly<Record<number, Read>> = {
  [submessageKind.data]: readData,
  [submessageKind.dataFragment]: readDataFragment,
  [submessageKind.heartbeat]: (cursor, flags) => ({
    kind: 'heartbeat',
    ...endpoints(cursor),
    first: readSequence(cursor),
    last: readSequence(cursor),
    count: cursor.u32(),
    isFinal: (flags & heartbeatFlag.final) !== 0,
  }),
  [submessageKind.ackNack]: (cursor, flags) => ({
    kind: 'ackNack',
    ...endpoints(cursor),
    missing: readBitmap(cursor, readSequence(cursor)),
    count: cursor.u32(),
    isFinal: (flags & ackNackFlag.final) !== 0,
  }),
  [submessageKind.nackFragment]: (cursor) => ({
    kind: 'nackFragment',
    ...endpoints(cursor),
    sequence: readSequence(cursor),
    missing: readBitmap(cursor, cursor.u32()),
    count: cursor.u32(),
  }),
  [submessageKind.gap]: (cursor) => ({
    kind: 'gap',
    ...endpoints(cursor),
    first: readSequence(cursor),
    list: readBitmap(cursor, readSequence(cursor)),
  }),
  [submessageKind.infoDestination]: (cursor) => {
    const prefix = prefixOf(cursor.part(12));
    return { kind: 'infoDestination', prefix: /^0+$/.test(prefix) ? undefined : prefix };
  },
  [submessageKind.infoSource]: (cursor) => {
    cursor.part(8);
    return { kind: 'infoSource', prefix: prefixOf(cursor.part(12)) };
  },
  [submessageKind.infoTimestamp]: (cursor, flags) => ({
    kind: 'infoTimestamp',
    time: (flags & timestampFlag.invalid) !== 0 ? undefined : readTime(cursor),
  }),
};

function endpoints(cursor: ByteCursor) {
  return { reader: cursor.bigEndian32(), writer: cursor.bigEndian32() };
}

/** Reads i32 seconds and u32 fractions of 2^-32 s, in whole µs. */
function readTime(cursor: ByteCursor): number {
  const seconds = cursor.i32();
  return seconds * 1_000_000 + Math.round((cursor.u32() / 2 ** 32) * 1_000_000);
}

/**
 * Returns the offset of the parameters or the content. They are behind a fixed part whose length is stated, because later
 * versions may extend it.
 */
function endOfFixedPart(cursor: ByteCursor): number {
  cursor.u16();
  const octets = cursor.u16();
  return cursor.at + octets;
}

function inlineParameters(cursor: ByteCursor, hasParameters: boolean): ReadonlyMap<number, Uint8Array> {
  const parameters = new Map<number, Uint8Array>();
  if (!hasParameters) return parameters;
  for (const [id, [value]] of readParameters(cursor)) if (value !== undefined) parameters.set(id, value);
  return parameters;
}

function readData(cursor: ByteCursor, flags: number): Data {
  const behind = endOfFixedPart(cursor);
  const fixed = { ...endpoints(cursor), sequence: readSequence(cursor) };
  cursor.goTo(behind);
  const inlineQos = inlineParameters(cursor, (flags & dataFlag.inlineQos) !== 0);
  const hasPayload = (flags & (dataFlag.data | dataFlag.key)) !== 0;
  return {
    kind: 'data',
    ...fixed,
    inlineQos,
    isKey: (flags & dataFlag.key) !== 0,
    payload: hasPayload ? cursor.part(cursor.remaining) : new Uint8Array(0),
  };
}

function readDataFragment(cursor: ByteCursor, flags: number): DataFragment {
  const behind = endOfFixedPart(cursor);
  const fixed = {
    ...endpoints(cursor),
    sequence: readSequence(cursor),
    first: cursor.u32(),
    fragments: cursor.u16(),
    fragmentBytes: cursor.u16(),
    sampleBytes: cursor.u32(),
  };
  cursor.goTo(behind);
  inlineParameters(cursor, (flags & dataFragmentFlag.inlineQos) !== 0);
  return { kind: 'dataFragment', ...fixed, payload: cursor.part(cursor.remaining) };
}

/** Returns the status of an instance in the parameters of a sample: bit 0 disposed, bit 1 unregistered. Always big-endian. */
export function statusInfoOf({ inlineQos }: Data): number {
  const value = inlineQos.get(parameterId.statusInfo);
  return value === undefined || value.length < 4 ? 0 : (value[3] ?? 0);
}

/** Returns the GUID of an instance in the parameters of a sample, as 16 bytes; undefined if there is none. */
export function keyHashOf({ inlineQos }: Data): Uint8Array | undefined {
  const value = inlineQos.get(parameterId.keyHash);
  return value === undefined || value.length < 16 ? undefined : value.subarray(0, 16);
}
