/** What the first byte of a datagram says that it is. An answer has the number of its request, and the highest bit. */
export const Telegram = {
  search: 0x10,
  change: 0x11,
  foundXml: 0x90,
  changed: 0x91,
  foundTagged: 0x95,
} as const;

/** Bytes before the body. */
export const headerBytes = 16;

/** Marks a request of the device search; in answers the byte is 0. */
const requestMark = 0x01;

/** A request as far as all of them are alike. */
export interface Request {
  readonly telegram: number;
  /** Six bytes: whom it is for. */
  readonly macAddress: Uint8Array;
  /** Four bytes that every answer repeats. */
  readonly id: Uint8Array;
  /** What stands behind the mark: tools of the older form ask with 2, all others with 0. */
  readonly kind: number;
  /** How long the sender says the body is, in bytes. */
  readonly stated: number;
  readonly body: Uint8Array;
}

/**
 * Reads the header of a request; undefined for what is none.
 *
 * | bytes | what |
 * |---|---|
 * | 0 | telegram |
 * | 1 | nothing |
 * | 2, 3 | bytes of the body, the high one first |
 * | 4 … 9 | MAC address of the scanner; six times FF for all |
 * | 10 … 13 | request id |
 * | 14 | 1 |
 * | 15 | kind |
 * | 16 … | body |
 */
export function requestIn(datagram: Uint8Array): Request | undefined {
  if (datagram.length < headerBytes || datagram[14] !== requestMark) return undefined;
  return {
    telegram: datagram[0] ?? 0,
    macAddress: datagram.subarray(4, 10),
    id: datagram.subarray(10, 14),
    kind: datagram[15] ?? 0,
    stated: (datagram[2] ?? 0) * 256 + (datagram[3] ?? 0),
    body: datagram.subarray(headerBytes),
  };
}

/** An answer to a request: the same header, with the scanner's own MAC address. */
export function answerTo(
  { id }: Request,
  telegram: number,
  macAddress: readonly number[],
  body: Uint8Array,
): Uint8Array {
  const head = [telegram, 0, body.length >> 8, body.length & 0xff, ...macAddress, ...id, 0, 0];
  return Uint8Array.from([...head, ...body]);
}
