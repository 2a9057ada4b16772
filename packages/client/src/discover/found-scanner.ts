import { isIPv6 } from 'node:net';
import {
  type DecodedDescription,
  decodeTaggedAnswer,
  decodeXmlAnswer,
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
  /** Does it take its address from a DHCP server? */
  readonly dhcp: boolean;
}

/** A scanner that has answered, and what is known of it. */
export interface FoundScanner {
  /** `00:06:77:0a:1b:2c` */
  readonly mac: string;
  /** The address that its answer came from; that of its web server if only DNS-SD knows the scanner. */
  readonly address: string;
  /** The configuration in its answer; undefined if the scanner was found by DNS-SD only. */
  readonly configuration?:
    | { readonly [K in keyof NetworkConfiguration]?: NetworkConfiguration[K] | undefined }
    | undefined;
  /** May its address be set by a search tool now? Undefined if it does not say. */
  readonly settable?: boolean | undefined;
  readonly type?: string | undefined;
  readonly serialNumber?: string | undefined;
  readonly orderNumber?: string | undefined;
  readonly firmware?: string | undefined;
  readonly location?: string | undefined;
  /** 0 if it has no web server at `address`. */
  readonly httpPort?: number | undefined;
  readonly httpsPort?: number | undefined;
  /** Tells virtual scanners of the same serial number apart, if they send it. */
  readonly instance?: string | undefined;
  /**
   * For `--device` and for browsers: the web server that DNS-SD knows, else the address of the answer, at port 80 if it
   * does not say which. Undefined if it has none there.
   */
  readonly url?: string | undefined;
  /** The form to set its address in; undefined if only DNS-SD knows of it. */
  readonly form?: SearchForm | undefined;
}

/** The facts about a scanner in one answer. */
export type ScannerAnswer = Omit<FoundScanner, 'url'>;

/** The facts about a scanner from DNS-SD: the port of its web server, and its addresses, the most likely first. */
export interface DnsSdAnswer extends ScannerAnswer {
  readonly httpPort: number;
  readonly addresses: readonly string[];
}

/** Several answers of one scanner together: the first answer holds, later ones add to it. */
export function merged(before: ScannerAnswer | undefined, now: ScannerAnswer): ScannerAnswer {
  const known = Object.entries(before ?? {}).filter(([, fact]) => fact !== undefined);
  return { ...now, ...Object.fromEntries(known) };
}

/** Answers with the same key come from one scanner. The MAC address is not enough: virtual scanners may share it. */
export function keyOf({ mac, instance, address, httpPort }: ScannerAnswer): string {
  return instance === undefined ? `${mac} ${address}:${httpPort ?? 80}` : `${mac} ${instance}`;
}

/**
 * One scanner out of its answers; undefined without any.
 * @param web the answer of DNS-SD, which knows where the web server is
 */
export function scannerOf(
  found: ScannerAnswer | undefined,
  web: DnsSdAnswer | undefined,
): FoundScanner | undefined {
  if (web === undefined)
    return found === undefined ? undefined : withUrl(found, found.address, found.httpPort);
  const { addresses, ...answer } = web;
  const { httpPort } = answer;
  // The sender of an answer can certainly be reached.
  const address = addresses.find((known) => known === found?.address) ?? answer.address;
  const both = merged(found, answer);
  return withUrl({ ...both, httpPort, httpsPort: answer.httpsPort ?? both.httpsPort }, address, httpPort);
}

function withUrl(answer: ScannerAnswer, address: string, port = 80): FoundScanner {
  if (port === 0) return answer;
  const host = isIPv6(address) ? `[${address}]` : address;
  return { ...answer, url: `http://${host}${port === 80 ? '' : `:${port}`}` };
}

/** A MAC address in lower case with colons; undefined if the text is not a MAC address. */
export function macOf(text: string): string | undefined {
  const bytes = macBytes(text);
  return bytes === undefined ? undefined : macText(bytes);
}

/** Bytes of an answer: no scanner sends a quarter of it. */
const longestAnswer = 8 * 1024;

/** What an answer of the device search from `address` says; undefined if it cannot be read. */
export function decodeAnswer(telegram: number, body: Uint8Array, address: string): ScannerAnswer | undefined {
  if (body.length > longestAnswer) return undefined;
  if (telegram === SearchTelegram.foundTagged) return answerOf(decodeTaggedAnswer(body), 'tagged', address);
  return telegram === SearchTelegram.foundXml ? answerOf(decodeXmlAnswer(body), 'xml', address) : undefined;
}

function answerOf(
  description: DecodedDescription | undefined,
  form: SearchForm,
  address: string,
): ScannerAnswer | undefined {
  if (description === undefined) return undefined;
  const { macAddress, mask, gateway, dhcp, http, settable } = description;
  return {
    mac: macText(macAddress),
    address,
    form,
    configuration: {
      address: textOf(description.address?.join('.')),
      mask: textOf(mask?.join('.')),
      gateway: textOf(gateway?.join('.')),
      dhcp,
    },
    type: textOf(description.deviceType || description.name),
    serialNumber: textOf(description.serialNumber),
    orderNumber: textOf(description.orderNumber),
    firmware: textOf(description.firmwareVersion),
    location: textOf(description.locationName),
    instance: textOf(description.instance),
    httpPort: http,
    settable,
  };
}

/** Characters of a text in an answer: no scanner has more, and anybody may answer. */
const longestText = 255;

/** Undefined if the text is missing or empty. */
function textOf(value: string | undefined): string | undefined {
  return value?.slice(0, longestText) || undefined;
}
