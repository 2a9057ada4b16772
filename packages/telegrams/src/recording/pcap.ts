import { type ByteSource, viewOf } from './byte-source.js';
import { Datagrams, linkType } from './datagrams.js';
import { LeftOut, type Recorded, RecordingError } from './recorded.js';

/**
 * The beginning of a capture file (pcap); all of it is little-endian here:
 *
 * | offset | type | what |
 * |---|---|---|
 * | 0 | u32 | 0xA1B2C3D4: times in s and µs (0xA1B23C4D: s and ns) |
 * | 4 | u16 × 2 | version 2.4 |
 * | 8 | u32 × 2 | 0 |
 * | 16 | u32 | most bytes a packet, 262144 |
 * | 20 | u32 | link type: 101 raw IP |
 *
 * A packet: seconds and µs since 1970, bytes that follow, bytes that there were (u32 each), the bytes.
 */
export const pcap = {
  micro: 0xa1b2c3d4,
  nano: 0xa1b23c4d,
  headerBytes: 24,
  linkTypeAt: 20,
  packetHeadBytes: 16,
  mostPacketBytes: 262_144,
} as const;

const ipBytes = 20;
const udpBytes = 8;
const udpProtocol = 17;
const mostPayloadBytes = 65_535 - ipBytes - udpBytes;

/** Source and destination of a datagram. The default addresses are the factory addresses of scanners. */
export interface UdpPath {
  readonly sourceAddress?: string | undefined;
  readonly sourcePort: number;
  readonly destinationAddress?: string | undefined;
  readonly destinationPort: number;
}

/** The header of a capture file, for packets of pcapPacketOf. */
export function pcapHeader(): Uint8Array {
  const bytes = new Uint8Array(pcap.headerBytes);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, pcap.micro, true);
  view.setUint16(4, 2, true);
  view.setUint16(6, 4, true);
  view.setUint32(16, pcap.mostPacketBytes, true);
  view.setUint32(pcap.linkTypeAt, linkType.raw, true);
  return bytes;
}

/**
 * A packet of a capture file: the payload in a UDP datagram in an IPv4 packet, with the checksums of both.
 * @param time µs since 1970; a fraction is cut off.
 * @throws RangeError for a payload that is too long for a datagram, or an address that is not IPv4.
 */
export function pcapPacketOf(time: number, payload: Uint8Array, path: UdpPath): Uint8Array {
  const packet = udpPacketOf(payload, path);
  const bytes = new Uint8Array(pcap.packetHeadBytes + packet.length);
  const head = new DataView(bytes.buffer);
  head.setUint32(0, Math.floor(time / 1_000_000), true);
  head.setUint32(4, time % 1_000_000, true);
  head.setUint32(8, packet.length, true);
  head.setUint32(12, packet.length, true);
  bytes.set(packet, pcap.packetHeadBytes);
  return bytes;
}

/**
 * The payload in a UDP datagram in an IPv4 packet, with the checksums of both.
 * @throws RangeError for a payload that is too long for a datagram, or an address that is not IPv4.
 */
export function udpPacketOf(payload: Uint8Array, path: UdpPath): Uint8Array {
  if (payload.length > mostPayloadBytes) {
    throw new RangeError(
      `a payload of ${payload.length} bytes, a datagram holds ${mostPayloadBytes} at most`,
    );
  }
  const packetBytes = ipBytes + udpBytes + payload.length;
  const bytes = new Uint8Array(packetBytes);
  const packet = new DataView(bytes.buffer);
  packet.setUint8(0, 0x45);
  packet.setUint16(2, packetBytes);
  packet.setUint8(8, 64);
  packet.setUint8(9, udpProtocol);
  setAddress(packet, 12, path.sourceAddress ?? '192.168.0.1');
  setAddress(packet, 16, path.destinationAddress ?? '192.168.0.100');
  packet.setUint16(10, complement(sumOf(packet, 0, ipBytes)));
  packet.setUint16(ipBytes, path.sourcePort);
  packet.setUint16(ipBytes + 2, path.destinationPort);
  packet.setUint16(ipBytes + 4, udpBytes + payload.length);
  bytes.set(payload, ipBytes + udpBytes);
  // The checksum of UDP includes the addresses and the protocol, and the length twice. 0 would mean that there is no
  // checksum.
  const pseudo = sumOf(packet, 12, ipBytes) + udpProtocol + udpBytes + payload.length;
  packet.setUint16(ipBytes + 6, complement(pseudo + sumOf(packet, ipBytes, packetBytes)) || 0xffff);
  return bytes;
}

function setAddress(view: DataView, at: number, address: string): void {
  const parts = address.split('.');
  if (parts.length !== 4 || !parts.every((part) => /^\d{1,3}$/.test(part) && Number(part) < 256)) {
    throw new RangeError(`expected an IPv4 address, got ${JSON.stringify(address)}`);
  }
  parts.forEach((part, index) => {
    view.setUint8(at + index, Number(part));
  });
}

/** Adds the 16-bit numbers from `start` up to `end`. A last odd byte counts as if a zero followed it. */
function sumOf(view: DataView, start: number, end: number): number {
  let sum = 0;
  for (let at = start; at + 1 < end; at += 2) sum += view.getUint16(at);
  return (end - start) % 2 === 0 ? sum : sum + (view.getUint8(end - 1) << 8);
}

/** Computes the checksum of the internet: the ones' complement of a ones' complement sum. */
function complement(sum: number): number {
  let folded = sum;
  while (folded > 0xffff) folded = (folded & 0xffff) + Math.floor(folded / 0x10000);
  return ~folded & 0xffff;
}

/** True for a capture (pcap), in either byte order. */
export function isPcap(source: ByteSource): boolean {
  return formOf(source) !== undefined;
}

/**
 * Reads the telegrams of a capture. A packet that is cut off at the end is ignored.
 * @param leftOut counts packets without a telegram
 * @throws RecordingError if its link type is unknown, or a packet declares an impossible length.
 */
export function* readPcap(source: ByteSource, leftOut = new LeftOut()): Generator<Recorded> {
  const form = formOf(source);
  if (form === undefined || source.length < pcap.headerBytes) {
    throw new RecordingError(`expected a capture header of ${pcap.headerBytes} bytes, got ${source.length}`);
  }
  const { little, perMicrosecond } = form;
  // The upper bits describe check sequences behind the packets. The lengths in the IP headers exclude these.
  const link = viewOf(source, pcap.linkTypeAt, 4).getUint32(0, little) & 0xffff;
  if (!Datagrams.supports(link)) {
    throw new RecordingError(`expected a capture of Ethernet, IP or Linux, got link type ${link}`);
  }
  const datagrams = new Datagrams(leftOut);
  for (let at: number = pcap.headerBytes; at + pcap.packetHeadBytes <= source.length; ) {
    const head = viewOf(source, at, pcap.packetHeadBytes);
    const length = head.getUint32(8, little);
    if (length > pcap.mostPacketBytes) {
      throw new RecordingError(
        `expected a packet of up to ${pcap.mostPacketBytes} bytes at byte ${at}, got ${length}`,
      );
    }
    const start = at + pcap.packetHeadBytes;
    const end = start + length;
    if (end > source.length) return;
    const fraction = Math.floor(head.getUint32(4, little) / perMicrosecond);
    const time = head.getUint32(0, little) * 1_000_000 + fraction;
    const found = datagrams.telegramIn(source.part(start, end), link);
    if (found !== undefined) yield { time, ...found };
    at = end;
  }
}

function formOf(source: ByteSource): { little: boolean; perMicrosecond: number } | undefined {
  if (source.length < 4) return undefined;
  const view = viewOf(source, 0, 4);
  for (const little of [true, false]) {
    const magic = view.getUint32(0, little);
    if (magic === pcap.micro) return { little, perMicrosecond: 1 };
    if (magic === pcap.nano) return { little, perMicrosecond: 1000 };
  }
  return undefined;
}
