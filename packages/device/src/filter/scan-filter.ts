import { EchoFilter, type ValueOf } from '@azimuth/model';
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

/**
 * LFPparticle: removes isolated echoes. An echo is isolated if neither neighbouring beam has any echo whose distance differs
 * by at most the threshold. An echo beside an invalid beam is not isolated. The first and the last beam have one neighbour. Two near echoes keep each other, so the order
 * of the beams does not matter.
 */
export class ParticleFilter implements ScanFilter {
  readonly #threshold: number;

  /** @param threshold mm. */
  constructor(threshold: number) {
    this.#threshold = threshold;
  }

  apply(scan: Scan): void {
    const threshold = this.#threshold;
    const { distance } = scan;
    const { beams } = scan.geometry;
    // The echoes of three beams move through variables, so that each place is read once. A missing echo is near to none.
    let before0 = none;
    let before1 = none;
    let before2 = none;
    let d0 = distance[0] || none;
    let d1 = distance[1] || none;
    let d2 = distance[2] || none;
    for (let beam = 0; beam < beams; beam++) {
      const next = (beam + 1) * echoesPerBeam;
      const isLast = beam === beams - 1;
      const after0 = isLast ? none : distance[next] || none;
      const after1 = isLast ? none : distance[next + 1] || none;
      const after2 = isLast ? none : distance[next + 2] || none;
      let removed = 0;
      for (let echo = 0; echo < echoesPerBeam; echo++) {
        const d = echo === 0 ? d0 : echo === 1 ? d1 : d2;
        if (d === none) break;
        const isBeside =
          Math.abs(d - before0) <= threshold ||
          Math.abs(d - after0) <= threshold ||
          Math.abs(d - before1) <= threshold ||
          Math.abs(d - after1) <= threshold ||
          Math.abs(d - before2) <= threshold ||
          Math.abs(d - after2) <= threshold;
        if (!isBeside) removed |= 1 << echo;
      }
      if (removed !== 0 && !isBesideInvalid(scan, beam)) removeEchoes(scan, beam, removed);
      before0 = d0;
      before1 = d1;
      before2 = d2;
      d0 = after0;
      d1 = after1;
      d2 = after2;
    }
  }
}

/** Whether a neighbouring beam is invalid: what it has measured is not known, so no echo beside it is isolated for sure. */
function isBesideInvalid({ invalid, invalidBeams }: Scan, beam: number): boolean {
  return invalidBeams > 0 && (invalid[beam - 1] === 1 || invalid[beam + 1] === 1);
}

/** The distance of a missing echo. */
const none = Number.POSITIVE_INFINITY;
