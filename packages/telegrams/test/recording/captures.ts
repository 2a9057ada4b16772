import { bytesOf, joined } from '@azimuth/test-support/golden/hex';

/** Encodes a whole number of this many bytes, in either byte order. */
export function number(value: number, bytes: 2 | 4, little: boolean): Uint8Array {
  const array = new Uint8Array(bytes);
  const view = new DataView(array.buffer);
  if (bytes === 2) view.setUint16(0, value, little);
  else view.setUint32(0, value, little);
  return array;
}

const big = (value: number) => number(value, 2, false);

export function udp(payload: Uint8Array): Uint8Array {
  return joined(big(2115), big(2115), big(8 + payload.length), big(0), payload);
}

/** An IPv4 packet; `place` is flags and offset of a fragment. */
export function ipv4(payload: Uint8Array, place = 0, id = 1): Uint8Array {
  const length = big(20 + payload.length);
  return joined(bytesOf('4500'), length, big(id), big(place), bytesOf('40110000 c0a80001 c0a80064'), payload);
}

export function ipv6(payload: Uint8Array): Uint8Array {
  return joined(bytesOf('60000000'), big(payload.length), bytesOf('1140'), new Uint8Array(32), payload);
}

export function ethernet(packet: Uint8Array, type = '0800'): Uint8Array {
  return joined(bytesOf(`000677000001 000677000002 ${type}`), packet);
}

export interface Packet {
  readonly seconds: number;
  /** µs or ns, as the capture counts. */
  readonly fraction: number;
  readonly bytes: Uint8Array;
}

export function pcapOf(magic: number, little: boolean, link: number, packets: readonly Packet[]): Uint8Array {
  const u32 = (value: number) => number(value, 4, little);
  return joined(
    u32(magic),
    number(2, 2, little),
    number(4, 2, little),
    u32(0),
    u32(0),
    u32(65535),
    u32(link),
    ...packets.flatMap(({ seconds, fraction, bytes }) => [
      u32(seconds),
      u32(fraction),
      u32(bytes.length),
      u32(bytes.length),
      bytes,
    ]),
  );
}

function padded(bytes: Uint8Array): Uint8Array {
  return joined(bytes, new Uint8Array((4 - (bytes.length % 4)) % 4));
}

/** A block of a pcapng. */
export function block(type: number, body: Uint8Array, little: boolean): Uint8Array {
  const whole = padded(body);
  const length = number(12 + whole.length, 4, little);
  return joined(number(type, 4, little), length, whole, length);
}

export function section(little: boolean): Uint8Array {
  const order = number(0x1a2b3c4d, 4, little);
  return block(
    0x0a0d0d0a,
    joined(order, number(1, 2, little), number(0, 2, little), bytesOf('ffffffffffffffff')),
    little,
  );
}

export function interfaceOf(link: number, options: Uint8Array, little: boolean): Uint8Array {
  return block(
    1,
    joined(number(link, 2, little), number(0, 2, little), number(65535, 4, little), options),
    little,
  );
}

export function option(code: number, value: Uint8Array, little: boolean): Uint8Array {
  return joined(number(code, 2, little), number(value.length, 2, little), padded(value));
}

/** A packet of interface `from`. Its time is in the unit of the interface. */
export function packet(from: number, time: bigint, bytes: Uint8Array, little: boolean): Uint8Array {
  const u32 = (value: number) => number(value, 4, little);
  return block(
    6,
    joined(
      u32(from),
      u32(Number(time >> 32n)),
      u32(Number(time & 0xffffffffn)),
      u32(bytes.length),
      u32(bytes.length),
      bytes,
    ),
    little,
  );
}
