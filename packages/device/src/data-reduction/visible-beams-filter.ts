import type { ScanFilter } from '../filter/scan-filter.js';
import { echoesPerBeam, type Scan } from '../scan/scan.js';
import type { BeamRange } from './visible-beams.js';

/** Makes the beams outside a range blind. They stay in the scan, without any echo. */
export class VisibleBeamsFilter implements ScanFilter {
  readonly #first: number;
  readonly #end: number;

  constructor({ first, end }: BeamRange) {
    this.#first = first * echoesPerBeam;
    this.#end = end * echoesPerBeam;
  }

  apply({ distance, rssi, flags }: Scan): void {
    distance.fill(0, 0, this.#first).fill(0, this.#end);
    rssi.fill(0, 0, this.#first).fill(0, this.#end);
    flags.fill(0, 0, this.#first).fill(0, this.#end);
  }
}
