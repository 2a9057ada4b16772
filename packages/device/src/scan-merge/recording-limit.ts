import type { ScanGeometry } from '../measuring/scan-geometry.js';

/** Beams a second above which a recording is short: the profiles from 40 Hz on, and those finer than 0.25°. */
const many = 40_000;

/** ms. */
const short = 15_000;
const long = 30_000;

/** How long a recording may be, in ms: 15 s where many beams are measured, else 30 s (reference of devices). */
export function longestRecording({ beams, frequency }: ScanGeometry): number {
  return beams * frequency > many ? short : long;
}
