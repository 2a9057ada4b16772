import { type ByteSource, viewOf } from './byte-source.js';
import { Datagrams } from './datagrams.js';
import { LeftOut, type Recorded, RecordingError } from './recorded.js';

/**
 * A capture of the next generation (pcapng) is made of blocks: type (u32), bytes of the complete block (u32), body, the bytes
 * once more. These are read:
 *
 * | type | body |
 * |---|---|
 * | 0x0A0D0D0A section | 0x1A2B3C4D (u32, tells the order of bytes), version, length |
 * | 1 interface | link type (u16), 0 (u16), most bytes a packet (u32), options |
 * | 6 packet | interface (u32), time (u32 high, u32 low), bytes that follow (u32), bytes that there were (u32), the bytes |
 *
 * An option: code (u16), length (u16), value, filled up to four bytes. Code 9 is the resolution of times (u8): 10^-n s, or
 * 2^-n s if bit 7 is set; 6 by default. Code 14 is an offset to add to them, in s (i64).
 */
export const block = { section: 0x0a0d0d0a, interface: 1, packet: 6 } as const;
/** Blocks of older kinds, which have no times or no interfaces: obsolete and simple packets. */
const unreadPackets: ReadonlySet<number> = new Set([2, 3]);
export const byteOrder = 0x1a2b3c4d;
const option = { end: 0, resolution: 9, offset: 14 } as const;
const leastBlockBytes = 12;
const mostBlockBytes = 16 * 2 ** 20;

interface Interface {
  readonly link: number;
  /** Resolution of its times: counts per second. */
  readonly perSecond: bigint;
  /** s. */
  readonly offset: bigint;
}

/** True for a capture of the next generation. */
export function isPcapng(source: ByteSource): boolean {
  return source.length >= 4 && viewOf(source, 0, 4).getUint32(0) === block.section;
}

/**
 * Reads the telegrams of a capture of the next generation. Interfaces of unknown link types are ignored. A block that is cut
 * off at the end is ignored, too.
 * @param leftOut counts packets without a telegram
 * @throws RecordingError if a block declares an impossible length, or if no packet is of a supported kind
 */
export function* readPcapng(source: ByteSource, leftOut = new LeftOut()): Generator<Recorded> {
  let little = true;
  let interfaces: Interface[] = [];
  let datagrams = new Datagrams(leftOut);
  let read = 0;
  let unread = 0;
  for (let at = 0; at + leastBlockBytes <= source.length; ) {
    const head = viewOf(source, at, leastBlockBytes);
    if (head.getUint32(0) === block.section) {
      little = isLittle(head, at + 8);
      interfaces = [];
      datagrams = new Datagrams(leftOut);
    }
    const type = head.getUint32(0, little);
    const length = head.getUint32(4, little);
    if (length < leastBlockBytes || length % 4 !== 0 || length > mostBlockBytes) {
      throw new RecordingError(
        `expected a block of ${leastBlockBytes} to ${mostBlockBytes} bytes at byte ${at}, got ${length}`,
      );
    }
    if (at + length > source.length) break;
    const body = viewOf(source, at + 8, length - leastBlockBytes);
    if (type === block.interface) interfaces.push(interfaceOf(body, little, at));
    if (unreadPackets.has(type)) unread++;
    if (type === block.packet) {
      read++;
      const recorded = recordedIn(body, little, at, interfaces, datagrams);
      if (recorded !== undefined) yield recorded;
    }
    at += length;
  }
  if (read === 0 && unread > 0) {
    const packets = unread === 1 ? '1 packet' : `${unread} packets`;
    throw new RecordingError(
      `expected enhanced packet blocks, got ${packets} in simple or obsolete packet blocks, which are not read: convert the file (editcap -F pcap IN OUT)`,
    );
  }
}

/** @param head of a section, which begins 8 bytes before `at` */
function isLittle(head: DataView, at: number): boolean {
  if (head.getUint32(8, true) === byteOrder) return true;
  if (head.getUint32(8) === byteOrder) return false;
  throw new RecordingError(`expected byte order 1a2b3c4d at byte ${at}`);
}

function interfaceOf(body: DataView, little: boolean, at: number): Interface {
  if (body.byteLength < 8) throw new RecordingError(`the interface is cut off at byte ${at}`);
  let perSecond = 1_000_000n;
  let offset = 0n;
  for (let optionAt = 8; optionAt + 4 <= body.byteLength; ) {
    const code = body.getUint16(optionAt, little);
    const length = body.getUint16(optionAt + 2, little);
    const value = optionAt + 4;
    if (code === option.end || value + length > body.byteLength) break;
    if (code === option.resolution && length === 1) perSecond = countsASecond(body.getUint8(value));
    if (code === option.offset && length === 8) offset = body.getBigInt64(value, little);
    optionAt = value + Math.ceil(length / 4) * 4;
  }
  return { link: body.getUint16(0, little), perSecond, offset };
}

function countsASecond(resolution: number): bigint {
  return (resolution & 0x80 ? 2n : 10n) ** BigInt(resolution & 0x7f);
}

function recordedIn(
  body: DataView,
  little: boolean,
  at: number,
  interfaces: readonly Interface[],
  datagrams: Datagrams,
): Recorded | undefined {
  if (body.byteLength < 20) throw new RecordingError(`the packet is cut off at byte ${at}`);
  const from = interfaces[body.getUint32(0, little)];
  if (from === undefined) {
    throw new RecordingError(`expected an interface from 0 to ${interfaces.length - 1} at byte ${at + 8}`);
  }
  const length = body.getUint32(12, little);
  if (20 + length > body.byteLength) {
    throw new RecordingError(`expected a packet of up to ${body.byteLength - 20} bytes at byte ${at + 20}`);
  }
  if (!Datagrams.supports(from.link)) return undefined;
  const packet = new Uint8Array(body.buffer, body.byteOffset + 20, length);
  const found = datagrams.telegramIn(packet, from.link);
  if (found === undefined) return undefined;
  const counts = (BigInt(body.getUint32(4, little)) << 32n) | BigInt(body.getUint32(8, little));
  const micros = (counts * 1_000_000n) / from.perSecond + from.offset * 1_000_000n;
  return { time: Number(micros), ...found };
}
