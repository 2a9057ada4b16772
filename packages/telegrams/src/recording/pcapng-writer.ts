import { linkType } from './datagrams.js';
import { pcap, type UdpPath, udpPacketOf } from './pcap.js';
import { block, byteOrder } from './pcapng.js';

/** Codes of options (u16, then the length of the value as u16). */
const option = { end: 0, comment: 1 } as const;

/** Longest comment in bytes. */
const mostCommentBytes = 65_535;

/** The beginning of a capture of the next generation: a section of unknown length, and an interface of IP packets. */
export function pcapngHeader(): Uint8Array {
  const section = new DataView(new ArrayBuffer(16));
  section.setUint32(0, byteOrder, true);
  section.setUint16(4, 1, true);
  // -1: the length of the section is not known.
  section.setBigInt64(8, -1n, true);
  const from = new DataView(new ArrayBuffer(8));
  from.setUint16(0, linkType.raw, true);
  from.setUint32(4, pcap.mostPacketBytes, true);
  return joined(blockOf(block.section, bytesOf(section)), blockOf(block.interface, bytesOf(from)));
}

/**
 * A packet of such a capture: the payload in a UDP datagram in an IPv4 packet, with a comment that Wireshark shows beside it.
 * @param time µs since 1970; a fraction is cut off
 * @param comment up to 65535 bytes in UTF-8; a longer one is cut off
 * @throws RangeError for a payload that is too long for a datagram, or an address that is not IPv4
 */
export function pcapngPacketOf(time: number, payload: Uint8Array, path: UdpPath, comment = ''): Uint8Array {
  const packet = udpPacketOf(payload, path);
  const head = new DataView(new ArrayBuffer(20));
  head.setUint32(4, Math.floor(time / 2 ** 32), true);
  head.setUint32(8, time % 2 ** 32, true);
  head.setUint32(12, packet.length, true);
  head.setUint32(16, packet.length, true);
  return blockOf(block.packet, joined(bytesOf(head), filled(packet), commentOf(comment)));
}

function commentOf(comment: string): Uint8Array {
  if (comment === '') return new Uint8Array();
  // Writes whole characters only.
  const room = new Uint8Array(Math.min(mostCommentBytes, 3 * comment.length));
  const { written } = new TextEncoder().encodeInto(comment, room);
  const head = new DataView(new ArrayBuffer(4));
  head.setUint16(0, option.comment, true);
  head.setUint16(2, written, true);
  const end = new Uint8Array(4).fill(option.end);
  return joined(bytesOf(head), filled(room.subarray(0, written)), end);
}

/** A block: type, length, body, and the length again. The body is a multiple of four bytes. */
function blockOf(type: number, body: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(body.length + 12);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, type, true);
  view.setUint32(4, bytes.length, true);
  bytes.set(body, 8);
  view.setUint32(8 + body.length, bytes.length, true);
  return bytes;
}

/** Fills bytes up to a multiple of four. */
function filled(bytes: Uint8Array): Uint8Array {
  const whole = new Uint8Array(Math.ceil(bytes.length / 4) * 4);
  whole.set(bytes);
  return whole;
}

function joined(...parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

function bytesOf({ buffer, byteOffset, byteLength }: DataView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
