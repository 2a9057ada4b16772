/** How urgently a scanner needs somebody, the most urgent first. `idle`: nothing is known yet, or it is switched off on purpose. */
export const siteSeverities = ['bad', 'warn', 'idle', 'good'] as const;

export type SiteSeverity = (typeof siteSeverities)[number];

/** Scan data of a scanner that arrives where the list is made. */
export interface SiteScans {
  /** Scans per second. */
  readonly rate: number;
  /** Scans per second that its settings promise; undefined if they are not known. */
  readonly expectedRate?: number | undefined;
  /** Share of lost telegrams, 0 to 1. */
  readonly lossShare: number;
}

/** One scanner in the list of a site. What is undefined is not known, or the scanner does not have it. */
export interface SiteScanner {
  /** Below the address of the page: `/s/0`. Requests to it go to the scanner. */
  readonly path: string;
  /** Its address for people. */
  readonly url: string;
  /** In the devices file or in the fleet; otherwise its LocationName, or its address. */
  readonly name: string;
  /** Empty if it is in none. */
  readonly group: string;
  readonly serialNumber?: string | undefined;
  /** LocationName. */
  readonly location?: string | undefined;
  /** Version of its firmware: `2.4.4.0R`. */
  readonly firmware?: string | undefined;
  /** DeviceStatus in a word, or `Gone`. */
  readonly state: string;
  readonly severity: SiteSeverity;
  /** What is wrong, the worst first; empty if nothing is. Each is a line for people. */
  readonly trouble: readonly string[];
  /** Since when something is wrong: ms since 1970-01-01 UTC. */
  readonly troubleSince?: number | undefined;
  /** Parameters that a power cut would lose. */
  readonly unsaved?: number | undefined;
  /** Parameters that differ from its site file. */
  readonly drift?: number | undefined;
  /** Seconds by which its clock is ahead. */
  readonly clockOffset?: number | undefined;
  /** Until when its certificate is valid: ms since 1970-01-01 UTC. */
  readonly certificateUntil?: number | undefined;
  /** °C. */
  readonly temperature?: number | undefined;
  readonly scans?: SiteScans | undefined;
}
