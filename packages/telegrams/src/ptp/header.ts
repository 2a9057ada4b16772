import { assertBytes, assertVersion, TelegramError } from '../telegram-error.js';

/** The messages of the Precision Time Protocol that a slave with end-to-end delays uses, with their numbers on the wire. */
export const PtpType = {
  sync: 0x0,
  delayRequest: 0x1,
  followUp: 0x8,
  delayResponse: 0x9,
  announce: 0xb,
} as const;

/** Bits of the flag field; the first byte on the wire is the high one. */
export const PtpFlag = {
  alternateMaster: 0x0100,
  twoStep: 0x0200,
  unicast: 0x0400,
  leap61: 0x0001,
  leap59: 0x0002,
  utcOffsetValid: 0x0004,
  ptpTimescale: 0x0008,
  timeTraceable: 0x0010,
  frequencyTraceable: 0x0020,
} as const;

/** A port of a clock. */
export interface PortIdentity {
  /** The clock: 16 lower-case hex digits. */
  readonly clock: string;
  readonly port: number;
}

/** The beginning of every message, except type and length. */
export interface PtpHeader {
  readonly domain: number;
  /** Identifies the profile or project: 12 bits; 0 in the default profile. */
  readonly sdoId: number;
  /** 16 bits, see `PtpFlag`. */
  readonly flags: number;
  /** Time that the message has spent in network devices, in 2^-16 ns. */
  readonly correction: bigint;
  readonly source: PortIdentity;
  readonly sequence: number;
  /** The interval of messages of this kind: a power of two, in s; 127 if there is none. */
  readonly logInterval: number;
}

const version = 2;
const minorVersion = 1;

/** Values of the control field, for receivers of version 1; all other types have 5. */
const controls: Readonly<Record<number, number>> = {
  [PtpType.sync]: 0,
  [PtpType.delayRequest]: 1,
  [PtpType.followUp]: 2,
  [PtpType.delayResponse]: 3,
};
const otherControl = 5;

/**
 * The header of a message (IEEE 1588-2019, 13.3); all numbers are big-endian:
 *
 * | offset | type | what |
 * |---|---|---|
 * | 0 | u4, u4 | high 4 bits of the sdoId; type of the message |
 * | 1 | u4, u4 | minor version 1; version 2 |
 * | 2 | u16 | bytes of the message |
 * | 4 | u8 | domain |
 * | 5 | u8 | low 8 bits of the sdoId |
 * | 6 | u16 | flags |
 * | 8 | i64 | correction, in 2^-16 ns |
 * | 16 | u32 | depends on the type; 0 here |
 * | 20 | u8 × 8 | clock that sends |
 * | 28 | u16 | its port |
 * | 30 | u16 | sequence number |
 * | 32 | u8 | control field of version 1 |
 * | 33 | i8 | interval of such messages: a power of two, in s |
 */
export const headerLayout = {
  version: 1,
  length: 2,
  domain: 4,
  sdoIdLow: 5,
  flags: 6,
  correction: 8,
  source: 20,
  sequence: 30,
  control: 32,
  logInterval: 33,
  bytes: 34,
} as const;

/** Bytes of a port identity: 8 of the clock, 2 of the port. */
export const identityBytes = 10;

export function writeHeader(view: DataView, type: number, header: PtpHeader): void {
  const at = headerLayout;
  view.setUint8(0, ((header.sdoId >> 8) << 4) | type);
  view.setUint8(at.version, (minorVersion << 4) | version);
  view.setUint16(at.length, view.byteLength);
  view.setUint8(at.domain, header.domain);
  view.setUint8(at.sdoIdLow, header.sdoId & 0xff);
  view.setUint16(at.flags, header.flags);
  view.setBigInt64(at.correction, header.correction);
  writeIdentity(view, at.source, header.source);
  view.setUint16(at.sequence, header.sequence);
  view.setUint8(at.control, controls[type] ?? otherControl);
  view.setInt8(at.logInterval, header.logInterval);
}

/**
 * Reads the type of a message, its header, and its bytes up to the stated length: a datagram may be longer.
 * @throws TelegramError if it is shorter than the stated length, or of another version
 */
export function readHeader(bytes: Uint8Array): { type: number; header: PtpHeader; view: DataView } {
  const at = headerLayout;
  assertBytes(bytes, at.bytes);
  const all = viewOf(bytes);
  assertVersion(all.getUint8(at.version) & 0x0f, [version], at.version);
  const length = all.getUint16(at.length);
  if (length < at.bytes || length > bytes.length) {
    throw new TelegramError(`a length of ${at.bytes} to ${bytes.length}`, `${length}`, at.length);
  }
  const first = all.getUint8(0);
  const header = {
    domain: all.getUint8(at.domain),
    sdoId: ((first >> 4) << 8) | all.getUint8(at.sdoIdLow),
    flags: all.getUint16(at.flags),
    correction: all.getBigInt64(at.correction),
    source: readIdentity(all, at.source),
    sequence: all.getUint16(at.sequence),
    logInterval: all.getInt8(at.logInterval),
  };
  return { type: first & 0x0f, header, view: viewOf(bytes.subarray(0, length)) };
}

export function writeIdentity(view: DataView, offset: number, { clock, port }: PortIdentity): void {
  writeClock(view, offset, clock);
  view.setUint16(offset + 8, port);
}

export function readIdentity(view: DataView, offset: number): PortIdentity {
  return { clock: readClock(view, offset), port: view.getUint16(offset + 8) };
}

/** @param clock 16 hex digits */
export function writeClock(view: DataView, offset: number, clock: string): void {
  view.setBigUint64(offset, BigInt(`0x${clock}`));
}

export function readClock(view: DataView, offset: number): string {
  return view.getBigUint64(offset).toString(16).padStart(16, '0');
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
}
