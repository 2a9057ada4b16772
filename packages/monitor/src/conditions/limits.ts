/** From which dirt on a sector of the front screen is reported: from a warning, or only if distances may be missing. */
export const dirtLimits = ['warning', 'error', 'never'] as const;

export type DirtLimit = (typeof dirtLimits)[number];

/** Thresholds of conditions. Each scanner may have its own. */
export interface Limits {
  /** °C above which the scanner is too warm. */
  readonly temperature: number;
  /** Seconds by which its clock may be wrong. */
  readonly clockOffset: number;
  /** Days before the end of the certificate at which it has to be renewed. */
  readonly certificateDays: number;
  /** Releases that are expected, `2.4.4`; empty if any is right. */
  readonly releases: readonly string[];
  /** Seconds that changed parameters may stay unsaved. */
  readonly unsavedSeconds: number;
  /** Days after which a backup is missing. */
  readonly backupDays: number;
  /** For all sectors that `sectors` does not name. */
  readonly dirt: DirtLimit;
  /** For single sectors of the front screen, by their numbers from 1. */
  readonly sectors: Readonly<Record<number, DirtLimit>>;
  /** Seconds without a scan after which scan data is missing. */
  readonly scanSilence: number;
  /** Least share of the expected scan rate, 0 to 1. */
  readonly scanRate: number;
  /** Largest share of telegrams that may be lost, 0 to 1. */
  readonly scanLoss: number;
}

export const defaultLimits: Limits = {
  temperature: 60,
  clockOffset: 5,
  certificateDays: 30,
  releases: [],
  unsavedSeconds: 3600,
  backupDays: 3,
  dirt: 'warning',
  sectors: {},
  scanSilence: 10,
  scanRate: 0.9,
  scanLoss: 0.01,
};
