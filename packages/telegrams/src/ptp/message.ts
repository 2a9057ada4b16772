import { TelegramError } from '../telegram-error.js';
import {
  headerLayout,
  identityBytes,
  type PortIdentity,
  type PtpHeader,
  PtpType,
  readClock,
  readHeader,
  readIdentity,
  writeClock,
  writeHeader,
  writeIdentity,
} from './header.js';

/** A point of time: whole seconds (48 bits) and nanoseconds below a second, since the epoch of the time scale. */
export interface PtpTime {
  readonly seconds: number;
  readonly nanoseconds: number;
}

/** Content of an Announce: the clock that its sender follows, and UTC. */
export interface Announced {
  /** Lead of TAI over UTC, in s. */
  readonly utcOffset: number;
  readonly priority1: number;
  readonly clockClass: number;
  readonly clockAccuracy: number;
  /** A measure of its stability: 16 bits, the smaller the better. */
  readonly variance: number;
  readonly priority2: number;
  /** The grandmaster: 16 lower-case hex digits. */
  readonly grandmaster: string;
  /** Hops from the grandmaster to the sender: 0 if the sender is the grandmaster. */
  readonly stepsRemoved: number;
  readonly timeSource: number;
}

interface Timed extends PtpHeader {
  /**
   * Time at which it was sent. In a Delay_Resp, the time at which the request came; in a Follow_Up, the time at which its
   * Sync was sent.
   */
  readonly time: PtpTime;
  /** Additions to a message: type, length, value. */
  readonly tlvs: readonly Tlv[];
}

export type PtpAnnounce = Timed & { readonly kind: 'announce' } & Announced;
export type PtpSync = Timed & { readonly kind: 'sync' };
export type PtpFollowUp = Timed & { readonly kind: 'followUp' };
export type PtpDelayRequest = Timed & { readonly kind: 'delayRequest' };
export type PtpDelayResponse = Timed & {
  readonly kind: 'delayResponse';
  /** The port that sent the request. */
  readonly requester: PortIdentity;
};

/** A message that has an encoder. */
export type PtpMessage = PtpAnnounce | PtpSync | PtpFollowUp | PtpDelayRequest | PtpDelayResponse;

/** A message of another type: only its header is read. */
export type OtherPtpMessage = PtpHeader & { readonly kind: 'other'; readonly type: number };

/**
 * The fields behind the header (IEEE 1588-2019, 13.5 to 13.8); all numbers are big-endian. TLVs may follow.
 *
 * | offset | type | what |
 * |---|---|---|
 * | 34 | u48, u32 | all: a time, seconds and nanoseconds |
 * | 44 | u8 × 8, u16 | Delay_Resp: the port that sent the request. All other messages except Announce end before this field |
 * | 44 | i16 | Announce: s that TAI is ahead of UTC |
 * | 46 | u8 | reserved |
 * | 47 | u8 | priority 1 of the grandmaster |
 * | 48 | u8, u8, u16 | its class, accuracy and variance |
 * | 52 | u8 | its priority 2 |
 * | 53 | u8 × 8 | its identity |
 * | 61 | u16 | steps removed |
 * | 63 | u8 | source of its time |
 */
const messageLayout = {
  seconds: 34,
  nanoseconds: 40,
  afterTime: 44,
  utcOffset: 44,
  priority1: 47,
  clockClass: 48,
  clockAccuracy: 49,
  variance: 50,
  priority2: 52,
  grandmaster: 53,
  stepsRemoved: 61,
  timeSource: 63,
  announceBytes: 64,
} as const;

const nanosecondsOfSecond = 1_000_000_000;
const two32 = 2 ** 32;

/**
 * Encodes a message (layout: above and in header.ts). Numbers are taken modulo the width of their field.
 * @throws SyntaxError if a clock identity is not hex
 */
export function encodePtp(message: PtpMessage): Uint8Array {
  const body = bodyBytes[PtpType[message.kind]];
  const bytes = new Uint8Array(body + tlvBytes(message.tlvs));
  const view = new DataView(bytes.buffer);
  writeHeader(view, PtpType[message.kind], message);
  const at = messageLayout;
  view.setUint16(at.seconds, Math.floor(message.time.seconds / two32));
  view.setUint32(at.seconds + 2, message.time.seconds % two32);
  view.setUint32(at.nanoseconds, message.time.nanoseconds);
  if (message.kind === 'delayResponse') writeIdentity(view, at.afterTime, message.requester);
  if (message.kind === 'announce') writeAnnounced(view, message);
  writeTlvs(bytes, body, message.tlvs);
  return bytes;
}

/**
 * Decodes a datagram (layout: above and in header.ts). Bytes after the length that the message states are ignored.
 * @throws TelegramError if it is not a complete message of version 2
 */
export function decodePtp(bytes: Uint8Array): PtpMessage | OtherPtpMessage {
  const { type, header, view } = readHeader(bytes);
  const kind = kindOf(type);
  if (kind === undefined) return { ...header, kind: 'other', type };
  const body = bodyBytes[PtpType[kind]];
  if (view.byteLength < body) {
    throw new TelegramError(`a length of at least ${body}`, `${view.byteLength}`, headerLayout.length);
  }
  const common = { ...header, time: readTime(view), tlvs: readTlvs(view, body) };
  if (kind === 'announce') return { ...common, kind, ...readAnnounced(view) };
  if (kind === 'delayResponse') {
    return { ...common, kind, requester: readIdentity(view, messageLayout.afterTime) };
  }
  return { ...common, kind };
}

/** Bytes of each type without TLVs. */
const bodyBytes = {
  [PtpType.sync]: messageLayout.afterTime,
  [PtpType.delayRequest]: messageLayout.afterTime,
  [PtpType.followUp]: messageLayout.afterTime,
  [PtpType.delayResponse]: messageLayout.afterTime + identityBytes,
  [PtpType.announce]: messageLayout.announceBytes,
} as const;

const kinds = ['sync', 'delayRequest', 'followUp', 'delayResponse', 'announce'] as const;

function kindOf(type: number): (typeof kinds)[number] | undefined {
  return kinds.find((kind) => PtpType[kind] === type);
}

function readTime(view: DataView): PtpTime {
  const at = messageLayout;
  const nanoseconds = view.getUint32(at.nanoseconds);
  if (nanoseconds >= nanosecondsOfSecond) {
    throw new TelegramError('less than 1000000000 ns', `${nanoseconds}`, at.nanoseconds);
  }
  return { seconds: view.getUint16(at.seconds) * two32 + view.getUint32(at.seconds + 2), nanoseconds };
}

function writeAnnounced(view: DataView, announced: Announced): void {
  const at = messageLayout;
  view.setInt16(at.utcOffset, announced.utcOffset);
  view.setUint8(at.priority1, announced.priority1);
  view.setUint8(at.clockClass, announced.clockClass);
  view.setUint8(at.clockAccuracy, announced.clockAccuracy);
  view.setUint16(at.variance, announced.variance);
  view.setUint8(at.priority2, announced.priority2);
  writeClock(view, at.grandmaster, announced.grandmaster);
  view.setUint16(at.stepsRemoved, announced.stepsRemoved);
  view.setUint8(at.timeSource, announced.timeSource);
}

function readAnnounced(view: DataView): Announced {
  const at = messageLayout;
  return {
    utcOffset: view.getInt16(at.utcOffset),
    priority1: view.getUint8(at.priority1),
    clockClass: view.getUint8(at.clockClass),
    clockAccuracy: view.getUint8(at.clockAccuracy),
    variance: view.getUint16(at.variance),
    priority2: view.getUint8(at.priority2),
    grandmaster: readClock(view, at.grandmaster),
    stepsRemoved: view.getUint16(at.stepsRemoved),
    timeSource: view.getUint8(at.timeSource),
  };
}

/** An addition to a message. A receiver skips the types that it does not know. */
export interface Tlv {
  /** 16 bits. */
  readonly type: number;
  /** Up to 65535 bytes. */
  readonly value: Uint8Array;
}

/** Bytes of type and length. */
const prefix = 4;

/** Bytes of TLVs on the wire. */
function tlvBytes(tlvs: readonly Tlv[]): number {
  return tlvs.reduce((sum, { value }) => sum + prefix + value.length, 0);
}

/**
 * Writes TLVs (IEEE 1588-2019, 14.1), one behind the other:
 *
 * | offset | type | what |
 * |---|---|---|
 * | 0 | u16 | type |
 * | 2 | u16 | bytes of the value |
 * | 4 … | | value |
 */
function writeTlvs(bytes: Uint8Array, offset: number, tlvs: readonly Tlv[]): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let at = offset;
  for (const { type, value } of tlvs) {
    view.setUint16(at, type);
    view.setUint16(at + 2, value.length);
    bytes.set(value, at + prefix);
    at += prefix + value.length;
  }
}

/**
 * Reads the TLVs from an offset up to the end of a message. The values are parts of the message, not copies.
 * @throws TelegramError if the last one is cut off
 */
function readTlvs(view: DataView, offset: number): readonly Tlv[] {
  const tlvs: Tlv[] = [];
  for (let at = offset; at < view.byteLength; ) {
    const left = view.byteLength - at;
    if (left < prefix) throw new TelegramError('type and length of a TLV', `${left} bytes`, at);
    const length = view.getUint16(at + 2);
    if (length > left - prefix) {
      throw new TelegramError(`at most ${left - prefix} bytes of a TLV`, `${length}`, at + 2);
    }
    const value = new Uint8Array(view.buffer, view.byteOffset + at + prefix, length);
    tlvs.push({ type: view.getUint16(at), value });
    at += prefix + length;
  }
  return tlvs;
}
