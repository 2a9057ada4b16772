import type { Scan } from '../scan/scan.js';

/** Something that takes echoes out of a scan or moves them, in place and without allocating anything. */
export interface ScanFilter {
  apply(scan: Scan): void;
}
