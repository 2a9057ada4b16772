import { echoesPerBeam, type Scan } from '../scan/scan.js';
import { removeEchoes } from './remove-echoes.js';
import type { ScanFilter } from './scan-filter.js';

/** Fog gives echoes from nearby only: mm. */
const reach = 20_000;
/** A strength falls with the square of the distance; this is where it has fallen to a half: mm. */
const halfway = 10_000;
/** What sends back less of the light than this is no surface. */
const faintest = 0.02;
const fullStrength = 65_535;

/**
 * MCSenseLevel 1: takes out the echoes nearer than 20 m whose apparent remission,
 * rssi × (1 + (d / 10 m)²) / 65535, is below 0.02.
 */
export class FogFilter implements ScanFilter {
  apply(scan: Scan): void {
    const { distance, rssi } = scan;
    for (let first = 0; first < distance.length; first += echoesPerBeam) {
      let removed = 0;
      for (let echo = 0; echo < echoesPerBeam; echo++) {
        const d = distance[first + echo] ?? 0;
        if (d === 0 || d >= reach) break;
        const light = (rssi[first + echo] ?? 0) * (1 + (d * d) / (halfway * halfway));
        if (light < faintest * fullStrength) removed |= 1 << echo;
      }
      if (removed !== 0) removeEchoes(scan, first / echoesPerBeam, removed);
    }
  }
}
