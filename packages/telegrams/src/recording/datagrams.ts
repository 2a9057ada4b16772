import { startMarker } from '../compact/header.js';
import { Fragments } from './fragments.js';
import { linkType } from './pcap.js';

const etherType = { ipv4: 0x0800, ipv6: 0x86dd, vlan: 0x8100, serviceVlan: 0x88a8 } as const;
const udpProtocol = 17;
const ipv6HeaderBytes = 40;
const udpHeaderBytes = 8;

/** Where the IP packet begins, in a packet of each link type; -1 where there is none. */
const beginnings: Readonly<Record<number, (packet: DataView) => number>> = {
  [linkType.raw]: () => 0,
  [linkType.rawBsd]: () => 0,
  [linkType.rawOpenBsd]: () => 0,
  [linkType.rawIpv4]: () => 0,
  [linkType.rawIpv6]: () => 0,
  [linkType.loopback]: () => 4,
  [linkType.loopbackOpenBsd]: () => 4,
  [linkType.ethernet]: (packet) => behindEtherType(packet, 12),
  [linkType.linuxCooked]: (packet) => behindEtherType(packet, 14),
  [linkType.linuxCooked2]: (packet) => (isIp(packet, 0) ? 20 : -1),
};

/** Finds telegrams in the packets of a capture: UDP in IPv4, fragments put together, or in IPv6. */
export class Datagrams {
  readonly #fragments = new Fragments();

  /** Is a link type among those that are read? */
  static knows(link: number): boolean {
    return beginnings[link] !== undefined;
  }

  /** The payload of the datagram that a packet holds or completes, where it begins like a telegram. */
  telegramIn(packet: Uint8Array, link: number): Uint8Array | undefined {
    const start = beginnings[link]?.(viewOf(packet)) ?? -1;
    if (start < 0 || start >= packet.length) return undefined;
    const ip = packet.subarray(start);
    const udp = (ip[0] ?? 0) >> 4 === 6 ? inIpv6(ip) : this.#inIpv4(ip);
    return udp === undefined ? undefined : telegramOf(udp);
  }

  #inIpv4(ip: Uint8Array): Uint8Array | undefined {
    if (ip.length < 20 || (ip[0] ?? 0) >> 4 !== 4) return undefined;
    const view = viewOf(ip);
    const header = 4 * (view.getUint8(0) & 0x0f);
    // Hosts that leave cutting to the network card capture what they send with a length of 0.
    const total = view.getUint16(2) || ip.length;
    if (view.getUint8(9) !== udpProtocol || header < 20 || total < header || total > ip.length)
      return undefined;
    const payload = ip.subarray(header, total);
    const place = view.getUint16(6);
    const offset = 8 * (place & 0x1fff);
    const more = (place & 0x2000) !== 0;
    if (offset === 0 && !more) return payload;
    const name = `${view.getUint32(12)} ${view.getUint32(16)} ${view.getUint16(4)}`;
    return this.#fragments.add(name, offset, more, payload);
  }
}

function inIpv6(ip: Uint8Array): Uint8Array | undefined {
  if (ip.length < ipv6HeaderBytes) return undefined;
  const view = viewOf(ip);
  const end = ipv6HeaderBytes + view.getUint16(4);
  return view.getUint8(6) === udpProtocol && end <= ip.length ? ip.subarray(ipv6HeaderBytes, end) : undefined;
}

function telegramOf(udp: Uint8Array): Uint8Array | undefined {
  if (udp.length < udpHeaderBytes + 4) return undefined;
  const view = viewOf(udp);
  const length = view.getUint16(4) || udp.length;
  if (length < udpHeaderBytes + 4 || length > udp.length) return undefined;
  return view.getUint32(udpHeaderBytes) === startMarker ? udp.subarray(udpHeaderBytes, length) : undefined;
}

/** Behind the type of what an Ethernet frame holds, and behind the VLANs in front of it. */
function behindEtherType(packet: DataView, typeAt: number): number {
  for (let at = typeAt; at + 2 <= packet.byteLength; at += 4) {
    const type = packet.getUint16(at);
    if (type !== etherType.vlan && type !== etherType.serviceVlan) return isIp(packet, at) ? at + 2 : -1;
  }
  return -1;
}

function isIp(packet: DataView, typeAt: number): boolean {
  if (typeAt + 2 > packet.byteLength) return false;
  const type = packet.getUint16(typeAt);
  return type === etherType.ipv4 || type === etherType.ipv6;
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
}
