import { echoesPerBeam, type Scan } from '../scan/scan.js';

/**
 * Takes echoes out of a beam. Those behind them move up with their strength and flags; the places that get free are
 * zero in all arrays.
 * @param removed bit 0 to 2: the echoes to take out.
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
