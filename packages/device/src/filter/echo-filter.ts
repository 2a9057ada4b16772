import { EchoFilter, type ValueOf } from '@azimuth/model';
import { echoesPerBeam, type Scan } from '../scan/scan.js';
import type { ScanFilter } from './scan-filter.js';
import { removeEchoes } from './scan-filter.js';

/** FREchoFilter: keeps one echo of each beam, the nearest or the furthest. */
class SingleEchoFilter implements ScanFilter {
  /** The echoes to remove from a beam with two echoes, and from one with three; bits as for removeEchoes. */
  readonly #ofTwo: number;
  readonly #ofThree: number;

  constructor(kept: 'nearest' | 'furthest') {
    this.#ofTwo = kept === 'nearest' ? 0b010 : 0b001;
    this.#ofThree = kept === 'nearest' ? 0b110 : 0b011;
  }

  apply(scan: Scan): void {
    const { distance } = scan;
    for (let first = 0; first < distance.length; first += echoesPerBeam) {
      if (distance[first + 1] === 0) continue;
      removeEchoes(scan, first / echoesPerBeam, distance[first + 2] === 0 ? this.#ofTwo : this.#ofThree);
    }
  }
}

/** The filter for a value of FREchoFilter; undefined if all echoes stay. */
export function echoFilterOf(choice: ValueOf<'FREchoFilter'>): SingleEchoFilter | undefined {
  if (choice === EchoFilter.ALL_ECHOS) return undefined;
  return new SingleEchoFilter(choice === EchoFilter.FIRST_ECHO ? 'nearest' : 'furthest');
}

/** Places for echoes of each beam that is put out. */
export function echoesPutOut(choice: ValueOf<'FREchoFilter'>): number {
  return choice === EchoFilter.ALL_ECHOS ? echoesPerBeam : 1;
}
