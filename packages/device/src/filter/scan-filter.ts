import { echoesPerBeam, type Scan } from '../scan/scan.js';

/** A step that removes or changes the echoes of a scan in place, without allocating memory. */
export interface ScanFilter {
  apply(scan: Scan): void;
}

/**
 * Removes echoes of a beam. Echoes behind them move up with their strength and flags; freed places are zero in all arrays.
 * @param removed bits 0 to 2: the echoes to remove
 */
export function removeEchoes({ distance, rssi, flags }: Scan, beam: number, removed: number): void {
  const first = beam * echoesPerBeam;
  let to = first;
  for (let echo = 0; echo < echoesPerBeam; echo++) {
    if ((removed & (1 << echo)) !== 0) continue;
    const from = first + echo;
    if (to !== from) {
      distance[to] = distance[from] ?? 0;
      rssi[to] = rssi[from] ?? 0;
      flags[to] = flags[from] ?? 0;
    }
    to++;
  }
  for (; to < first + echoesPerBeam; to++) {
    distance[to] = 0;
    rssi[to] = 0;
    flags[to] = 0;
  }
}
