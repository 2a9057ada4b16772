import type { ScanFilter } from '../../src/filter/scan-filter.js';
import type { ScanGeometry } from '../../src/scan/scan.js';
import { echoesPerBeam, Scan } from '../../src/scan/scan.js';

/** Distance, strength and flags; strength 30000 and no flag where they are left out. */
export type Echo = readonly [distance: number, rssi?: number, flags?: number];

export const strength = 30_000;

/** Beams 1° apart from 0° on in one segment, unless stated otherwise. */
export function fan(beams: number, others: Partial<ScanGeometry> = {}): ScanGeometry {
  return { frequency: 10, firstAngle: 0, step: 1, beams, beamsPerSegment: beams, ...others };
}

/** A scan with these echoes of each beam. */
export function scanOf(
  beams: readonly (readonly Echo[])[],
  { number = 1, geometry = fan(beams.length) }: { number?: number; geometry?: ScanGeometry } = {},
): Scan {
  const scan = new Scan(geometry);
  scan.number = number;
  for (const [beam, echoes] of beams.entries()) {
    for (const [echo, [distance, rssi = strength, flags = 0]] of echoes.entries()) {
      const place = beam * echoesPerBeam + echo;
      scan.distance[place] = distance;
      scan.rssi[place] = rssi;
      scan.flags[place] = flags;
    }
  }
  return scan;
}

/** Filters a whole scan. Returns false if there is no result yet. */
export function filterWhole(filter: ScanFilter | undefined, scan: Scan): boolean {
  const hasResult = filter?.begin?.(scan) ?? true;
  filter?.apply(scan, 0, scan.geometry.beams);
  return hasResult;
}

/** The distances of each beam's echoes, up to the first place without one. */
export function distancesOf(scan: Scan): number[][] {
  return echoesOf(scan).map((echoes) => echoes.map(([distance]) => distance));
}

/** Distance, strength and flags of each beam's echoes, up to the first place without one. */
export function echoesOf({ geometry, distance, rssi, flags }: Scan): [number, number, number][][] {
  return Array.from({ length: geometry.beams }, (_, beam) => {
    const echoes: [number, number, number][] = [];
    for (let place = beam * echoesPerBeam; place < (beam + 1) * echoesPerBeam; place++) {
      if (distance[place] === 0) break;
      echoes.push([distance[place] ?? 0, rssi[place] ?? 0, flags[place] ?? 0]);
    }
    return echoes;
  });
}
