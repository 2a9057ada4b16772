import type { Scan } from '../measuring/scan.js';

/** Something that takes echoes out of a scan or moves them, in place and without allocating anything. */
export interface ScanFilter {
  apply(scan: Scan): void;
}
