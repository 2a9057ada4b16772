import { isIPv6 } from 'node:net';
import {
  type DecodedDescription,
  decodeTaggedResponse,
  decodeXmlResponse,
  macBytes,
  macText,
  type SearchForm,
  SearchTelegram,
} from '@azimuth/telegrams/device-search';

/** The network configuration that is in force at a scanner. Addresses as text: `192.168.0.1`. */
export interface NetworkConfiguration {
  readonly address: string;
  readonly mask: string;
  readonly gateway: string;
  /** True if the scanner gets its address from a DHCP server. */
  readonly dhcp: boolean;
}

/** A scanner that has responded, and the known facts about it. */
export interface FoundScanner {
  /** `00:06:77:0a:1b:2c` */
  readonly mac: string;
  /** The sender address of its response. If only DNS-SD knows the scanner, the address of its web server. */
  readonly address: string;
  /** The configuration in its response; undefined if only DNS-SD knows the scanner. */
  readonly configuration?:
    | { readonly [K in keyof NetworkConfiguration]?: NetworkConfiguration[K] | undefined }
    | undefined;
  /** True if a search tool may set its address now. Undefined if the response does not state it. */
  readonly settable?: boolean | undefined;
  readonly type?: string | undefined;
  readonly serialNumber?: string | undefined;
  readonly orderNumber?: string | undefined;
  readonly firmware?: string | undefined;
  readonly location?: string | undefined;
  /** TCP port of the web server; 0 if there is none at `address`. */
  readonly httpPort?: number | undefined;
  readonly httpsPort?: number | undefined;
  /** The identifier of a virtual scanner, if it sends one: it distinguishes scanners of the same serial number. */
  readonly instance?: string | undefined;
  /**
   * The URL for `--device` and for browsers: the web server that DNS-SD knows, else the sender address of the response,
   * with port 80 if the response states none. Undefined if the scanner has no web server there.
   */
  readonly url?: string | undefined;
  /** The format of the request that sets its address; undefined if only DNS-SD knows the scanner. */
  readonly form?: SearchForm | undefined;
}

/** The facts about a scanner in one response. */
export type ScannerFacts = Omit<FoundScanner, 'url'>;

/**
 * The facts about a scanner from DNS-SD: the port of its web server, and its addresses. The address that most likely
 * works is the first.
 */
export interface AnnouncedScanner extends ScannerFacts {
  readonly httpPort: number;
  readonly addresses: readonly string[];
}

/** Merges several responses of one scanner: the first response wins, later ones add to it. */
export function merged(before: ScannerFacts | undefined, now: ScannerFacts): ScannerFacts {
  const known = Object.entries(before ?? {}).filter(([, fact]) => fact !== undefined);
  return { ...now, ...Object.fromEntries(known) };
}

/**
 * Returns the key of a scanner: responses with the same key come from one scanner. The MAC address is not enough,
 * because virtual scanners may share it.
 */
export function scannerKey({ mac, instance, address, httpPort }: ScannerFacts): string {
  return instance === undefined ? `${mac} ${address}:${httpPort ?? 80}` : `${mac} ${instance}`;
}

/**
 * Combines the responses of one scanner; undefined if there are none.
 * @param web the response by DNS-SD, which states where the web server is
 */
export function foundScanner(
  bySearch: ScannerFacts | undefined,
  web: AnnouncedScanner | undefined,
): FoundScanner | undefined {
  if (web === undefined)
    return bySearch === undefined ? undefined : withUrl(bySearch, bySearch.address, bySearch.httpPort);
  const { addresses, ...facts } = web;
  const { httpPort } = facts;
  // The sender of a response can certainly be reached.
  const address = addresses.find((known) => known === bySearch?.address) ?? facts.address;
  const both = merged(bySearch, facts);
  return withUrl({ ...both, httpPort, httpsPort: facts.httpsPort ?? both.httpsPort }, address, httpPort);
}

function withUrl(facts: ScannerFacts, address: string, port = 80): FoundScanner {
  if (port === 0) return facts;
  const host = isIPv6(address) ? `[${address}]` : address;
  return { ...facts, url: `http://${host}${port === 80 ? '' : `:${port}`}` };
}

/** Returns a MAC address in lower case with colons; undefined if the text is not a MAC address. */
export function macAddressIn(text: string): string | undefined {
  const bytes = macBytes(text);
  return bytes === undefined ? undefined : macText(bytes);
}

/** Limit for the bytes of a response: more than four times as many as any scanner sends. */
const maxResponseBytes = 8 * 1024;

/** Decodes a response of the device search from `address`; undefined if it cannot be read. */
export function decodeResponse(
  telegram: number,
  body: Uint8Array,
  address: string,
): ScannerFacts | undefined {
  if (body.length > maxResponseBytes) return undefined;
  if (telegram === SearchTelegram.taggedResponse)
    return scannerFacts(decodeTaggedResponse(body), 'tagged', address);
  return telegram === SearchTelegram.xmlResponse
    ? scannerFacts(decodeXmlResponse(body), 'xml', address)
    : undefined;
}

function scannerFacts(
  description: DecodedDescription | undefined,
  form: SearchForm,
  address: string,
): ScannerFacts | undefined {
  if (description === undefined) return undefined;
  const { macAddress, mask, gateway, dhcp, http, settable } = description;
  return {
    mac: macText(macAddress),
    address,
    form,
    configuration: {
      address: boundedText(description.address?.join('.')),
      mask: boundedText(mask?.join('.')),
      gateway: boundedText(gateway?.join('.')),
      dhcp,
    },
    type: boundedText(description.deviceType || description.name),
    serialNumber: boundedText(description.serialNumber),
    orderNumber: boundedText(description.orderNumber),
    firmware: boundedText(description.firmwareVersion),
    location: boundedText(description.locationName),
    instance: boundedText(description.instance),
    httpPort: http,
    settable,
  };
}

/** Limit for the characters of a text in a response: no scanner sends more, but any program may respond. */
const maxTextLength = 255;

/** Returns the text, shortened to the limit; undefined if it is missing or empty. */
function boundedText(value: string | undefined): string | undefined {
  return value?.slice(0, maxTextLength) || undefined;
}
