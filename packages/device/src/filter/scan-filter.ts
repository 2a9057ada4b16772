import { EchoFilter, type ValueOf } from '@azimuth/model';
import { echoesPerBeam, type Scan } from '../scan/scan.js';

/**
 * A step that removes or changes the echoes of a scan in place, without allocating memory. It works on the beams in their
 * order, so that a scan can be filtered while it is measured.
 */
export interface ScanFilter {
  /**
   * Begins a scan: its number and time are known, but no beam yet. A filter that has nothing to do here lacks it.
   * @returns false if the scan will have no result; its beams count nevertheless
   */
  begin?(scan: Scan): boolean;
  /**
   * Filters the beams from `first` up to, but not including, `end`. Every beam comes once, and again while it is not done.
   * @returns up to which beam it is done: `end`, or less if a beam depends on later ones. All beams of a scan are done at
   * its end
   */
  apply(scan: Scan, first: number, end: number): number;
}

/**
 * Copies the values of the beams from `first` up to, but not including, `end`.
 * @param at place for those of the first beam of a scan
 */
export function copyBeams<Values extends Float32Array | Uint16Array | Uint8Array>(
  from: Values,
  to: Values,
  first: number,
  end: number,
  at = 0,
): void {
  const isWhole = first === 0 && end * echoesPerBeam === from.length;
  const values = isWhole ? from : from.subarray(first * echoesPerBeam, end * echoesPerBeam);
  to.set(values, at + first * echoesPerBeam);
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

/** FREchoFilter: leaves one echo of each beam, the nearest or the furthest. */
class SingleEchoFilter implements ScanFilter {
  /** The echoes to remove from a beam with two echoes, and from one with three; bits as for removeEchoes. */
  readonly #ofTwo: number;
  readonly #ofThree: number;

  constructor(remaining: 'nearest' | 'furthest') {
    this.#ofTwo = remaining === 'nearest' ? 0b010 : 0b001;
    this.#ofThree = remaining === 'nearest' ? 0b110 : 0b011;
  }

  apply(scan: Scan, first: number, end: number): number {
    const { distance } = scan;
    const behind = end * echoesPerBeam;
    for (let place = first * echoesPerBeam; place < behind; place += echoesPerBeam) {
      if (distance[place + 1] === 0) continue;
      const removed = distance[place + 2] === 0 ? this.#ofTwo : this.#ofThree;
      removeEchoes(scan, place / echoesPerBeam, removed);
    }
    return end;
  }
}

/** The filter for a value of FREchoFilter. Undefined if all echoes stay. */
export function echoFilterOf(choice: ValueOf<'FREchoFilter'>): SingleEchoFilter | undefined {
  if (choice === EchoFilter.ALL_ECHOS) return undefined;
  return new SingleEchoFilter(choice === EchoFilter.FIRST_ECHO ? 'nearest' : 'furthest');
}

/** Number of places for echoes of each output beam. */
export function outputEchoes(choice: ValueOf<'FREchoFilter'>): number {
  return choice === EchoFilter.ALL_ECHOS ? echoesPerBeam : 1;
}

/** Range of the filter in mm: only at close range, where droplets are measured at all. */
const range = 3000;
/** Distance (mm) at which the signal is half as strong as close to the scanner. */
const halfDistance = 10_000;
/** Smallest apparent remission of a surface. */
const leastRemission = 0.02;
const fullStrength = 65_535;

/**
 * MCSenseLevel 1: removes the echoes nearer than 3 m whose apparent remission,
 * rssi × (1 + (d / 10 m)²) / 65535, is below 0.02.
 */
export class FogFilter implements ScanFilter {
  apply(scan: Scan, first: number, end: number): number {
    const { distance, rssi } = scan;
    const behind = end * echoesPerBeam;
    for (let place = first * echoesPerBeam; place < behind; place += echoesPerBeam) {
      let removed = 0;
      for (let echo = 0; echo < echoesPerBeam; echo++) {
        const d = distance[place + echo] ?? 0;
        if (d === 0 || d >= range) break;
        const light = (rssi[place + echo] ?? 0) * (1 + (d * d) / (halfDistance * halfDistance));
        if (light < leastRemission * fullStrength) removed |= 1 << echo;
      }
      if (removed !== 0) removeEchoes(scan, place / echoesPerBeam, removed);
    }
    return end;
  }
}
