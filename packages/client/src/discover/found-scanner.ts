/** The network configuration that is in force at a scanner. Addresses as text: `192.168.0.1`. */
export interface NetworkConfiguration {
  readonly address: string;
  readonly mask: string;
  readonly gateway: string;
  /** Does it take its address from a DHCP server? */
  readonly dhcp: boolean;
}

/** How a scanner speaks to search tools. Older ones know only XML. */
export type SearchForm = 'tagged' | 'xml';

/** A scanner that has answered, and what is known of it. */
export interface FoundScanner {
  /** `00:06:77:0a:1b:2c` */
  readonly mac: string;
  /** Where its answer came from: where it can be reached. */
  readonly address: string;
  /** What it says of its own configuration; undefined where only DNS-SD knows of it. */
  readonly configuration?: NetworkConfiguration;
  /** May its address be set by a search tool now? Undefined where it does not say. */
  readonly settable?: boolean;
  readonly type?: string;
  readonly serialNumber?: string;
  readonly orderNumber?: string;
  readonly firmware?: string;
  readonly location?: string;
  readonly httpPort?: number;
  readonly httpsPort?: number;
  /** For `--device` and for browsers; port 80 where it does not say which. */
  readonly url: string;
  /** The form to set its address in; undefined where only DNS-SD knows of it. */
  readonly form?: SearchForm;
}

/** What one answer tells. */
export type Tidings = Omit<FoundScanner, 'url'>;

/** What several answers of one scanner tell together: what is told first holds, later ones add to it. */
export function merged(before: Tidings | undefined, now: Tidings): Tidings {
  return { ...now, ...before };
}

export function scannerOf(tidings: Tidings): FoundScanner {
  const { address, httpPort = 80 } = tidings;
  return { ...tidings, url: `http://${address}${httpPort === 80 ? '' : `:${httpPort}`}` };
}

/** A MAC address as it is written here; undefined for what is none. */
export function macOf(text: string): string | undefined {
  const digits = text.replaceAll(/[:-]/g, '').toLowerCase();
  if (!/^[0-9a-f]{12}$/.test(digits)) return undefined;
  return (digits.match(/../g) ?? []).join(':');
}
