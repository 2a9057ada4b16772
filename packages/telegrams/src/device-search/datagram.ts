import { offsetsOf } from '../layout.js';

/** The first byte of a datagram: its kind. A response has the number of its request, with the highest bit set. */
export const SearchTelegram = {
  search: 0x10,
  change: 0x11,
  xmlResponse: 0x90,
  changeResponse: 0x91,
  taggedResponse: 0x95,
} as const;

/** The MAC address in requests to all scanners. */
export const everyScanner: readonly number[] = [255, 255, 255, 255, 255, 255];

/** The UDP port of the device search. */
export const searchPort = 30718;

/** The beginning of a datagram. Numbers have their high byte first. The body follows. */
export const searchHeaderLayout = {
  telegram: { type: 'u8', values: SearchTelegram, text: 'kind of the datagram' },
  reserved: { type: 'u8', text: 'reserved, 0' },
  bodyBytes: { type: 'u16', unit: 'bytes', text: 'size of the body' },
  macAddress: {
    type: 'u8',
    of: ['1', '2', '3', '4', '5', '6'],
    form: 'mac',
    text: 'MAC address of the scanner; FF for all',
  },
  id: {
    type: 'u8',
    of: ['1', '2', '3', '4'],
    form: 'bytes',
    text: 'number that a tool chooses and every response repeats',
  },
  mark: { type: 'u8', values: { response: 0, request: 1 }, text: 'direction' },
  kind: { type: 'u8', values: { any: 0, xmlOnly: 2 }, text: 'form of the response that a tool reads' },
} as const;

const at = offsetsOf(searchHeaderLayout);
const headerBytes = at.bytes;

/** Marks a request of the device search. In responses the byte is 0. */
const requestMark = searchHeaderLayout.mark.values.request;

/** Bytes of the body of a search: address and mask of the tool. */
const searchBytes = 8;

/** The kind of a request from a tool that reads only XML. All others send 0. */
const xmlOnly = searchHeaderLayout.kind.values.xmlOnly;

/** The members that requests and responses share. */
export interface SearchDatagram {
  readonly telegram: number;
  /** Six bytes: of the scanner to which a request goes, or that responds. */
  readonly macAddress: Uint8Array;
  /** Four bytes that a tool chooses and every response repeats. */
  readonly id: Uint8Array;
  readonly body: Uint8Array;
}

export interface SearchRequest extends SearchDatagram {
  /** True if the tool reads only XML. */
  readonly wantsXmlOnly: boolean;
  /** The length of the body as stated by its sender, in bytes. */
  readonly statedLength: number;
}

/**
 * Decodes a request of the device search (UDP). Undefined for other datagrams, and for a search whose body has the wrong
 * length. A request is a search or changes the configuration. `searchHeaderLayout` is in front of its body.
 */
export function decodeSearchRequest(datagram: Uint8Array): SearchRequest | undefined {
  if (datagram.length < headerBytes || datagram[at.mark] !== requestMark) return undefined;
  const request = decoded(datagram);
  const { telegram, body } = request;
  const statedLength = (datagram[at.bodyBytes] ?? 0) * 256 + (datagram[at.bodyBytes + 1] ?? 0);
  const isSearch =
    telegram === SearchTelegram.search && body.length === searchBytes && statedLength === searchBytes;
  if (!isSearch && telegram !== SearchTelegram.change) return undefined;
  return { ...request, wantsXmlOnly: datagram[at.kind] === xmlOnly, statedLength };
}

/** Decodes a response; undefined for other datagrams and without a body. */
export function decodeSearchResponse(datagram: Uint8Array): SearchDatagram | undefined {
  return datagram.length > headerBytes ? decoded(datagram) : undefined;
}

/** Encodes a request. @param id four bytes */
export function encodeSearchRequest(
  telegram: number,
  macAddress: readonly number[],
  id: Uint8Array,
  body: Uint8Array,
): Uint8Array {
  return encoded(telegram, macAddress, id, requestMark, body);
}

/** Encodes a response. @param macAddress of the scanner that responds */
export function encodeSearchResponse(
  { id }: SearchRequest,
  telegram: number,
  macAddress: readonly number[],
  body: Uint8Array,
): Uint8Array {
  return encoded(telegram, macAddress, id, 0, body);
}

function decoded(datagram: Uint8Array): SearchDatagram {
  return {
    telegram: datagram[at.telegram] ?? 0,
    macAddress: datagram.subarray(at.macAddress, at.id),
    id: datagram.subarray(at.id, at.mark),
    body: datagram.subarray(headerBytes),
  };
}

function encoded(
  telegram: number,
  macAddress: readonly number[],
  id: Uint8Array,
  mark: number,
  body: Uint8Array,
): Uint8Array {
  const length = [body.length >> 8, body.length & 255];
  return Uint8Array.of(telegram, 0, ...length, ...macAddress, ...id, mark, 0, ...body);
}

/** The DNS-SD name of web servers (RFC 6763). Scanners are announced under it, and clients query it. */
export const httpService = '_http._tcp.local';

/** The UDP port of multicast DNS (RFC 6762). */
export const multicastDnsPort = 5353;
