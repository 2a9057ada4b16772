import { startMarker } from '../telegram-header.js';
import { LeftOut, reason } from './recorded.js';

/** Supported link types of captures. */
export const linkType = {
  loopback: 0,
  ethernet: 1,
  rawBsd: 12,
  rawOpenBsd: 14,
  raw: 101,
  loopbackOpenBsd: 108,
  linuxCooked: 113,
  rawIpv4: 228,
  rawIpv6: 229,
  linuxCooked2: 276,
} as const;

const etherType = { ipv4: 0x0800, ipv6: 0x86dd, vlan: 0x8100, serviceVlan: 0x88a8 } as const;
const udpProtocol = 17;
const ipv6HeaderBytes = 40;
const udpHeaderBytes = 8;

/** Returns the offset of the IP packet, by link type; -1 if there is none. */
const ipOffsets: Readonly<Record<number, (packet: DataView) => number>> = {
  [linkType.raw]: () => 0,
  [linkType.rawBsd]: () => 0,
  [linkType.rawOpenBsd]: () => 0,
  [linkType.rawIpv4]: () => 0,
  [linkType.rawIpv6]: () => 0,
  [linkType.loopback]: () => 4,
  [linkType.loopbackOpenBsd]: () => 4,
  [linkType.ethernet]: (packet) => offsetBehindEtherType(packet, 12),
  [linkType.linuxCooked]: (packet) => offsetBehindEtherType(packet, 14),
  [linkType.linuxCooked2]: (packet) => (isIp(packet, 0) ? 20 : -1),
};

/** A telegram in a packet, with the addresses of its datagram: `192.168.0.1:2115`, `fe80:0:…:1:2115`. */
export interface FoundTelegram {
  readonly telegram: Uint8Array;
  readonly from: string;
  readonly to: string;
}

/** Finds telegrams in the packets of a capture: UDP in IPv4, with reassembled fragments, or in IPv6. */
export class Datagrams {
  readonly #fragments = new Fragments();
  readonly #leftOut: LeftOut;

  /** @param leftOut counts packets without a telegram */
  constructor(leftOut = new LeftOut()) {
    this.#leftOut = leftOut;
  }

  /** True for a supported link type. */
  static supports(link: number): boolean {
    return ipOffsets[link] !== undefined;
  }

  /**
   * Returns the payload of the datagram that a packet contains or completes; undefined if it does not begin like a telegram.
   */
  telegramIn(packet: Uint8Array, link: number): FoundTelegram | undefined {
    const start = ipOffsets[link]?.(viewOf(packet)) ?? -1;
    if (start < 0 || start >= packet.length) return this.#countUnused(reason.noIp);
    const ip = packet.subarray(start);
    const isIpv6 = (ip[0] ?? 0) >> 4 === 6;
    const udp = isIpv6 ? this.#inIpv6(ip) : this.#inIpv4(ip);
    const telegram = udp === undefined ? undefined : this.#telegramOf(udp);
    if (udp === undefined || telegram === undefined) return undefined;
    const ports = viewOf(udp);
    const [from, to] = isIpv6 ? ipv6Addresses(ip) : ipv4Addresses(ip);
    return { telegram, from: `${from}:${ports.getUint16(0)}`, to: `${to}:${ports.getUint16(2)}` };
  }

  #countUnused(why: string): undefined {
    this.#leftOut.count(why);
    return undefined;
  }

  #inIpv4(ip: Uint8Array): Uint8Array | undefined {
    if (ip.length < 20 || (ip[0] ?? 0) >> 4 !== 4) return this.#countUnused(reason.noIp);
    const view = viewOf(ip);
    const header = 4 * (view.getUint8(0) & 0x0f);
    // If the network card of a computer cuts packets, the computer captures a length of 0 for the packets that it sends.
    const total = view.getUint16(2) || ip.length;
    if (view.getUint8(9) !== udpProtocol) return this.#countUnused(reason.noUdp);
    if (header < 20 || total < header) return this.#countUnused(reason.noIp);
    if (total > ip.length) return this.#countUnused(reason.cut);
    const payload = ip.subarray(header, total);
    const fragment = view.getUint16(6);
    const offset = 8 * (fragment & 0x1fff);
    const more = (fragment & 0x2000) !== 0;
    if (offset === 0 && !more) return payload;
    const name = `${view.getUint32(12)} ${view.getUint32(16)} ${view.getUint16(4)}`;
    const reassembled = this.#fragments.add(name, offset, more, payload);
    // The fragment that completes a datagram removes the other fragments from the count.
    if (reassembled === undefined) return this.#countUnused(reason.fragment);
    this.#leftOut.count(reason.fragment, -reassembled.otherFragments);
    return reassembled.bytes;
  }

  #inIpv6(ip: Uint8Array): Uint8Array | undefined {
    if (ip.length < ipv6HeaderBytes) return this.#countUnused(reason.noIp);
    const view = viewOf(ip);
    // As in IPv4, a length of 0 belongs to a packet that the network card cuts.
    const end = view.getUint16(4) === 0 ? ip.length : ipv6HeaderBytes + view.getUint16(4);
    if (view.getUint8(6) !== udpProtocol) return this.#countUnused(reason.noUdp);
    return end <= ip.length ? ip.subarray(ipv6HeaderBytes, end) : this.#countUnused(reason.cut);
  }

  #telegramOf(udp: Uint8Array): Uint8Array | undefined {
    if (udp.length < udpHeaderBytes + 4) return this.#countUnused(reason.foreign);
    const view = viewOf(udp);
    const length = view.getUint16(4) || udp.length;
    if (length < udpHeaderBytes + 4) return this.#countUnused(reason.foreign);
    if (length > udp.length) return this.#countUnused(reason.cut);
    if (view.getUint32(udpHeaderBytes) !== startMarker) return this.#countUnused(reason.foreign);
    return udp.subarray(udpHeaderBytes, length);
  }
}

type Addresses = readonly [from: string, to: string];

function ipv4Addresses(ip: Uint8Array): Addresses {
  return [ip.subarray(12, 16).join('.'), ip.subarray(16, 20).join('.')];
}

function ipv6Addresses(ip: Uint8Array): Addresses {
  const view = viewOf(ip);
  const groups = (at: number) =>
    Array.from({ length: 8 }, (_, index) => view.getUint16(at + 2 * index).toString(16)).join(':');
  return [groups(8), groups(24)];
}

/** Returns the offset behind the type of the content of an Ethernet frame, and behind the VLANs in front of it. */
function offsetBehindEtherType(packet: DataView, typeAt: number): number {
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

/** Largest number of incomplete datagrams at the same time. After it, the oldest is given up. */
const mostDatagrams = 64;
/** Largest number of fragments of a datagram: more than 64 KiB in the shortest fragments of networks. */
const mostFragments = 1024;
const mostBytes = 65_535;

interface Fragment {
  readonly offset: number;
  readonly bytes: Uint8Array;
}

interface Incomplete {
  readonly fragments: Fragment[];
  /** Bytes of all fragments. */
  bytes: number;
  /** Bytes of the complete datagram; Infinity as long as the last fragment is missing. */
  totalBytes: number;
}

interface Reassembled {
  readonly bytes: Uint8Array;
  readonly otherFragments: number;
}

/** Reassembles fragmented datagrams. The fragments may be in any order. */
class Fragments {
  readonly #incomplete = new Map<string, Incomplete>();

  /**
   * Adds a fragment of the datagram of this name.
   * @param more true if other fragments follow it.
   * @returns the datagram, if it is complete now, and how many fragments came before.
   */
  add(name: string, offset: number, more: boolean, bytes: Uint8Array): Reassembled | undefined {
    const incomplete = this.#incomplete.get(name) ?? this.#begin(name);
    if (!more) incomplete.totalBytes = offset + bytes.length;
    if (incomplete.fragments.some((other) => other.offset === offset)) return undefined;
    incomplete.fragments.push({ offset, bytes });
    incomplete.bytes += bytes.length;
    if (incomplete.fragments.length > mostFragments || offset + bytes.length > mostBytes) {
      this.#incomplete.delete(name);
      return undefined;
    }
    if (incomplete.bytes < incomplete.totalBytes) return undefined;
    this.#incomplete.delete(name);
    const datagram = joined(incomplete);
    return datagram === undefined
      ? undefined
      : { bytes: datagram, otherFragments: incomplete.fragments.length - 1 };
  }

  #begin(name: string): Incomplete {
    const oldest = this.#incomplete.keys().next();
    if (this.#incomplete.size >= mostDatagrams && !oldest.done) this.#incomplete.delete(oldest.value);
    const incomplete: Incomplete = { fragments: [], bytes: 0, totalBytes: Number.POSITIVE_INFINITY };
    this.#incomplete.set(name, incomplete);
    return incomplete;
  }
}

/** Joins the fragments; undefined if they leave gaps or overlap. */
function joined({ fragments, totalBytes }: Incomplete): Uint8Array | undefined {
  const bytes = new Uint8Array(totalBytes);
  let at = 0;
  for (const fragment of fragments.sort((one, other) => one.offset - other.offset)) {
    if (fragment.offset !== at || at + fragment.bytes.length > totalBytes) return undefined;
    bytes.set(fragment.bytes, at);
    at += fragment.bytes.length;
  }
  return at === totalBytes ? bytes : undefined;
}
