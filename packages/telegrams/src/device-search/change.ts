import { charactersOf } from '../legacy/framing.js';
import type { SearchRequest } from './datagram.js';
import { type DeviceDescription, ipv4Bytes, macBytes } from './description.js';
import { xmlDocument, xmlItem, xmlTruth } from './xml.js';

/** The form of a request or response: tagged, or the older XML. */
export type SearchForm = 'tagged' | 'xml';

/** The network configuration that a tool sets at a scanner. Missing members stay as they are. */
export interface NetworkChange {
  readonly form: SearchForm;
  /** The MAC address of the scanner; undefined in the tagged form, which has it in the header only. */
  readonly macAddress?: readonly number[] | undefined;
  readonly address?: readonly number[] | undefined;
  readonly mask?: readonly number[] | undefined;
  readonly gateway?: readonly number[] | undefined;
  readonly dhcp?: boolean | undefined;
}

/** Address, mask and gateway with four bytes each, and DHCP with one. */
const taggedBytes = 13;

/** Bytes of the largest document that is parsed. Tools send shorter ones. */
const longestXml = 2048;
const mostItems = 64;

// These patterns read each character once, so that no document takes long.
const xmlRoot = /^(?:<\?xml[^<>]*\?>\s*)?<IPconfig\s([^<>]*)>(.*)<\/IPconfig\s*>$/s;
const element = /<Item\s([^<>]*)>/y;
const endTag = /\s*<\/Item\s*>/y;
const blank = /\s*/y;
const attribute = /\s*([A-Za-z]{1,32})\s*=\s*(?:"([^"]{0,64})"|'([^']{0,64})')/y;

/** Encodes the body of a request to change the whole configuration. */
export function encodeChange(
  form: SearchForm,
  macAddress: readonly number[],
  { address, mask, gateway, dhcp }: Pick<DeviceDescription, 'address' | 'mask' | 'gateway' | 'dhcp'>,
): Uint8Array {
  if (form === 'tagged') return Uint8Array.of(...address, ...mask, ...gateway, dhcp ? 1 : 0);
  return xmlDocument('IPconfig', macAddress, [
    xmlItem('IPAddress', address.join('.')),
    xmlItem('IPMask', mask.join('.')),
    xmlItem('IPGateway', gateway.join('.')),
    xmlItem('DHCPClientEnabled', xmlTruth(dhcp)),
  ]);
}

/**
 * Decodes the body of a request to change the configuration; undefined for other bodies. Tools that send XML state the length
 * of their longest text, so the body ends with the datagram.
 */
export function decodeChange({ body, statedLength }: SearchRequest): NetworkChange | undefined {
  if (body.length === taggedBytes && statedLength === taggedBytes) return decodeTagged(body);
  return body.length > longestXml ? undefined : decodeXml(body);
}

function decodeTagged(body: Uint8Array): NetworkChange | undefined {
  const dhcp = body[12] ?? 0;
  if (dhcp > 1) return undefined;
  return {
    form: 'tagged',
    address: [...body.subarray(0, 4)],
    mask: [...body.subarray(4, 8)],
    gateway: [...body.subarray(8, 12)],
    dhcp: dhcp === 1,
  };
}

/**
 * Decodes an `IPconfig` of `Item`s with a key and a value. Nothing is expanded: a document with entities, comments, other
 * elements, or a repeated key is refused.
 */
function decodeXml(body: Uint8Array): NetworkChange | undefined {
  const [, head, inside] = xmlRoot.exec(charactersOf(body).replaceAll('\0', ' ').trim()) ?? [];
  if (head === undefined || inside === undefined) return undefined;
  const macAddress = macBytes(attributesIn(head)?.get('MACAddr') ?? '');
  const items = itemsIn(inside);
  if (macAddress === undefined || items === undefined) return undefined;
  const address = valueIn(items, 'IPAddress', ipv4Bytes);
  const mask = valueIn(items, 'IPMask', ipv4Bytes);
  const gateway = valueIn(items, 'IPGateway', ipv4Bytes);
  const dhcp = valueIn(items, 'DHCPClientEnabled', booleanOf);
  if (address === null || mask === null || gateway === null || dhcp === null) return undefined;
  return { form: 'xml', macAddress, address, mask, gateway, dhcp };
}

/** Reads a value; undefined if the key is missing, null if the value cannot be read. */
function valueIn<T>(
  items: ReadonlyMap<string, string>,
  key: string,
  read: (text: string) => T | undefined,
): T | null | undefined {
  const text = items.get(key);
  return text === undefined ? undefined : (read(text) ?? null);
}

function booleanOf(text: string): boolean | undefined {
  const word = text.toUpperCase();
  return word === 'TRUE' ? true : word === 'FALSE' ? false : undefined;
}

function itemsIn(text: string): ReadonlyMap<string, string> | undefined {
  const items = new Map<string, string>();
  let at = endOfMatch(blank, text, 0) ?? 0;
  while (at < text.length) {
    element.lastIndex = at;
    const [, inside] = element.exec(text) ?? [];
    if (inside === undefined || items.size === mostItems) return undefined;
    const closed = inside.endsWith('/');
    const attributes = attributesIn(closed ? inside.slice(0, -1) : inside);
    const key = attributes?.get('key');
    const value = attributes?.get('value');
    if (key === undefined || value === undefined || items.has(key)) return undefined;
    items.set(key, value);
    const next = closed ? element.lastIndex : endOfMatch(endTag, text, element.lastIndex);
    if (next === undefined) return undefined;
    at = endOfMatch(blank, text, next) ?? next;
  }
  return items;
}

/** Returns the position behind a pattern; undefined if the pattern does not match. */
function endOfMatch(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

function attributesIn(text: string): ReadonlyMap<string, string> | undefined {
  const attributes = new Map<string, string>();
  const trimmed = text.trim();
  let at = 0;
  while (at < trimmed.length) {
    attribute.lastIndex = at;
    const [, name, quoted, single] = attribute.exec(trimmed) ?? [];
    if (name === undefined || attributes.has(name)) return undefined;
    attributes.set(name, quoted ?? single ?? '');
    at = attribute.lastIndex;
  }
  return attributes;
}
