import type { Variable } from '@azimuth/model';
import type { ReceivedScans } from '../state/scanner-snapshot.js';

/** Receives the scan data of one scanner, if it is sent to this computer. */
export interface ScanSource {
  /** The variables that say where scan data goes, and how fast. Each look asks for them. */
  readonly settings: readonly Variable<unknown>[];
  /**
   * Takes the settings over: it opens the port to which scan data goes now, and closes another one.
   * @param values the last known values of the scanner
   */
  follow(values: ReadonlyMap<string, unknown>, serial: string | undefined): Promise<void>;
  /** What has come; undefined unless scan data should come to this computer. */
  received(now: number): ReceivedScans | undefined;
  close(): Promise<void>;
}
