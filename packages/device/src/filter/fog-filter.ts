import { echoesPerBeam, type Scan } from '../scan/scan.js';
import type { ScanFilter } from './scan-filter.js';
import { removeEchoes } from './scan-filter.js';

/** mm: fog gives echoes only up to this distance. */
const range = 20_000;
/** mm: at this distance the signal is half as strong as close to the scanner. */
const halfDistance = 10_000;
/** Smallest apparent remission of a surface. */
const leastRemission = 0.02;
const fullStrength = 65_535;

/**
 * MCSenseLevel 1: removes the echoes nearer than 20 m whose apparent remission,
 * rssi × (1 + (d / 10 m)²) / 65535, is below 0.02.
 */
export class FogFilter implements ScanFilter {
  apply(scan: Scan): void {
    const { distance, rssi } = scan;
    for (let first = 0; first < distance.length; first += echoesPerBeam) {
      let removed = 0;
      for (let echo = 0; echo < echoesPerBeam; echo++) {
        const d = distance[first + echo] ?? 0;
        if (d === 0 || d >= range) break;
        const light = (rssi[first + echo] ?? 0) * (1 + (d * d) / (halfDistance * halfDistance));
        if (light < leastRemission * fullStrength) removed |= 1 << echo;
      }
      if (removed !== 0) removeEchoes(scan, first / echoesPerBeam, removed);
    }
  }
}
