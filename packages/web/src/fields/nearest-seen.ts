import type { Point } from '@azimuth/model';
import type { ScanHistory, StoredScan } from '../live/scan-history.js';
import { type Placement, pointAlong } from '../plan/placement.js';
import { asCorner, type Contour } from './contour.js';

/** Number of slices of the field of view: a slice is as narrow as a corner of a contour is useful. */
const slices = 96;

/** Minimum distance (m) of a corner of a teach-in from the scanner. */
const nearestCorner = 0.05;

/** Distance of the nearest echo in each direction since a moment, from the scans that have arrived here. */
export class NearestSeen {
  /** m, one per slice, from the right to the left; infinite if nothing was seen in it. */
  readonly #nearest = new Float32Array(slices).fill(Number.POSITIVE_INFINITY);
  /** Time of the last scan that was added. */
  #until: number;
  /** rad, the field of view. */
  #from = 0;
  #to = 0;

  /** @param since ms, by the clock of the history */
  constructor(since: number) {
    this.#until = since;
  }

  /** Adds the scans that have arrived since the last call. */
  add(history: ScanHistory): void {
    for (let place = history.placeAt(this.#until) + 1; place < history.scans.length; place++) {
      const scan = history.scans[place];
      if (scan !== undefined) this.#addScan(history, scan);
    }
  }

  #addScan({ masks, distance }: ScanHistory, scan: StoredScan): void {
    const { azimuth } = scan.directions;
    this.#until = scan.at;
    this.#from = azimuth[0] ?? 0;
    this.#to = azimuth[scan.beams - 1] ?? 0;
    let echo = scan.firstEcho;
    for (let beam = 0; beam < scan.beams; beam++) {
      let mask = masks[scan.firstBeam + beam] ?? 0;
      if (mask === 0) continue;
      const slice = Math.min(slices - 1, Math.floor((beam * slices) / scan.beams));
      this.#nearest[slice] = Math.min(this.#nearest[slice] ?? 0, distance[echo] ?? 0);
      for (; mask !== 0; mask &= mask - 1) echo++;
    }
  }

  /**
   * Returns the area in front of the nearest echoes, in mm, as a teach-in makes it; no corners without echoes. A slice
   * without an echo reaches as far as the longest.
   * @param inFront mm between the area and the echoes
   */
  contour(placement: Placement, inFront: number): Contour {
    const seen = this.#nearest.filter(Number.isFinite);
    if (seen.length === 0) return [];
    const longest = Math.max(...seen);
    const reach = Array.from(this.#nearest, (metres) => Math.min(metres, longest));
    const corners: Point[] = [];
    for (let border = 0; border <= slices; border++) {
      const shorter = Math.min(reach[border - 1] ?? longest, reach[border] ?? longest);
      const metres = Math.max(nearestCorner, shorter - inFront / 1000);
      const direction = this.#from + ((this.#to - this.#from) * border) / slices;
      corners.push(corner(pointAlong(placement, Math.cos(direction), Math.sin(direction), metres)));
    }
    return [corner(placement), ...corners];
  }
}

function corner({ x, y }: Point): Point {
  return asCorner({ x: x * 1000, y: y * 1000 });
}
