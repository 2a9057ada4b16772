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
  /** Where its answer came from; where its web server is, where only DNS-SD knows of it. */
  readonly address: string;
  /** What it says of its own configuration, and no more; undefined where only DNS-SD knows of it. */
  readonly configuration?: Partial<NetworkConfiguration>;
  /** May its address be set by a search tool now? Undefined where it does not say. */
  readonly settable?: boolean;
  readonly type?: string;
  readonly serialNumber?: string;
  readonly orderNumber?: string;
  readonly firmware?: string;
  readonly location?: string;
  /** 0 where it has no web server at `address`. */
  readonly httpPort?: number;
  readonly httpsPort?: number;
  /** Tells scanners of one serial number apart, where they say so: that of a virtual one is anybody's choice. */
  readonly instance?: string;
  /**
   * For `--device` and for browsers: where DNS-SD knows the web server, or where its answer came from, at port 80 if it
   * does not say which. Undefined where it has none there.
   */
  readonly url?: string;
  /** The form to set its address in; undefined where only DNS-SD knows of it. */
  readonly form?: SearchForm;
}

/** What one answer tells. */
export type Tidings = Omit<FoundScanner, 'url'>;

/** What DNS-SD tells: its port is that of the web server at these addresses, the likeliest first. */
export interface WebTidings extends Tidings {
  readonly httpPort: number;
  readonly addresses: readonly string[];
}

/** What several answers of one scanner tell together: what is told first holds, later ones add to it. */
export function merged(before: Tidings | undefined, now: Tidings): Tidings {
  return { ...now, ...before };
}

/** Answers with the same key are of one scanner. A MAC address is not enough: virtual ones may share it. */
export function keyOf({ mac, instance, address, httpPort }: Tidings): string {
  return instance === undefined ? `${mac} ${address}:${httpPort ?? 80}` : `${mac} ${instance}`;
}

/** @param web what DNS-SD knows of it, which is where the web server is; the device search only knows itself. */
export function scannerOf(told: Tidings | undefined, web: WebTidings | undefined): FoundScanner | undefined {
  if (web === undefined) return told === undefined ? undefined : withUrl(told, told.address, told.httpPort);
  const { addresses, ...tidings } = web;
  const { httpPort } = tidings;
  // Where an answer came from is known to be reached from here.
  const address = addresses.find((known) => known === told?.address) ?? tidings.address;
  const https = tidings.httpsPort === undefined ? {} : { httpsPort: tidings.httpsPort };
  return withUrl({ ...merged(told, tidings), httpPort, ...https }, address, httpPort);
}

function withUrl(tidings: Tidings, address: string, port = 80): FoundScanner {
  if (port === 0) return tidings;
  const host = isIPv6(address) ? `[${address}]` : address;
  return { ...tidings, url: `http://${host}${port === 80 ? '' : `:${port}`}` };
}

/** A MAC address as it is written here; undefined if it is none. */
export function macOf(text: string): string | undefined {
  const bytes = macBytes(text);
  return bytes === undefined ? undefined : macText(bytes);
}

/** What an answer of the device search from `address` says; undefined if it is none. */
export function tidingsIn(telegram: number, body: Uint8Array, address: string): Tidings | undefined {
  if (telegram === SearchTelegram.foundTagged) return tidingsOf(decodeTaggedAnswer(body), 'tagged', address);
  return telegram === SearchTelegram.foundXml ? tidingsOf(decodeXmlAnswer(body), 'xml', address) : undefined;
}

function tidingsOf(
  description: DecodedDescription | undefined,
  form: SearchForm,
  address: string,
): Tidings | undefined {
  if (description === undefined) return undefined;
  const { macAddress, mask, gateway, dhcp, http, settable } = description;
  return {
    mac: macText(macAddress),
    address,
    form,
    configuration: {
      ...named('address', description.address?.join('.')),
      ...named('mask', mask?.join('.')),
      ...named('gateway', gateway?.join('.')),
      ...(dhcp === undefined ? {} : { dhcp }),
    },
    ...named('type', description.deviceType || description.name),
    ...named('serialNumber', description.serialNumber),
    ...named('orderNumber', description.orderNumber),
    ...named('firmware', description.firmwareVersion),
    ...named('location', description.locationName),
    ...named('instance', description.instance),
    ...(http === undefined ? {} : { httpPort: http }),
    ...(settable === undefined ? {} : { settable }),
  };
}

/** A member with a value that was told; none where it was not, or is empty. */
export function named<K extends string>(name: K, value: string | undefined): Partial<Record<K, string>> {
  const told: Partial<Record<K, string>> = {};
  if (value !== undefined && value !== '') told[name] = value;
  return told;
}
