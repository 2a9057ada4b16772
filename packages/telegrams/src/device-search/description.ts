/** The description of a scanner in a response to a search. Addresses have four bytes. */
export interface DeviceDescription {
  readonly macAddress: readonly number[];
  /** 0.0.0.0 while it has no address. */
  readonly address: readonly number[];
  readonly mask: readonly number[];
  readonly gateway: readonly number[];
  /** True if it gets its address from a DHCP server. */
  readonly dhcp: boolean;
  readonly name: string;
  readonly deviceType: string;
  /** `major.minor.patch` */
  readonly release: string;
  readonly firmwareVersion: string;
  readonly serialNumber: string;
  readonly orderNumber: string;
  readonly locationName: string;
  /** DeviceStatus. */
  readonly status: number;
  /** The TCP ports of the legacy interfaces. */
  readonly legacyA: number;
  readonly legacyB: number;
  /** TCP port of the web server: 0 for none, undefined if it is not stated. An extension by Azimuth. */
  readonly http: number | undefined;
  /** Eight hex digits that differ between scanners of one serial number. An extension by Azimuth. */
  readonly instance: string | undefined;
  /** True if a tool may set its address now. */
  readonly settable: boolean;
  /** Time (ms) that a tool waits for a scanner after it has set its address. */
  readonly configurationTime: number;
}

/** The description of a scanner in a decoded response. Members are undefined if they are missing or cannot be read. */
export type DecodedDescription = Pick<DeviceDescription, 'macAddress'> & {
  readonly [K in keyof DeviceDescription]?: DeviceDescription[K] | undefined;
};

/** `00:06:77:0a:1b:2c` */
export function macText(macAddress: Iterable<number>): string {
  return Array.from(macAddress, (byte) => byte.toString(16).padStart(2, '0')).join(':');
}

/** Parses a MAC address with or without colons or hyphens into six bytes; undefined for other texts. */
export function macBytes(text: string): readonly number[] | undefined {
  const digits = text.replaceAll(/[:-]/g, '');
  return /^[0-9a-fA-F]{12}$/.test(digits) ? hexBytes(digits) : undefined;
}

/**
 * Parses an IPv4 address into four bytes; undefined for other texts. Leading zeros are refused: some programs read them as
 * octal.
 */
export function ipv4Bytes(text: string): readonly number[] | undefined {
  if (!/^(0|[1-9]\d{0,2})(\.(0|[1-9]\d{0,2})){3}$/.test(text)) return undefined;
  const bytes = text.split('.').map(Number);
  return bytes.every((byte) => byte <= 255) ? bytes : undefined;
}

/** Returns the broadcast address of the network of an address; all with four bytes. */
export function broadcastOf(address: readonly number[], mask: readonly number[]): readonly number[] {
  return address.map((byte, index) => (byte | ~(mask[index] ?? 0)) & 255);
}

export function hexBytes(digits: string): readonly number[] {
  return (digits.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16));
}
