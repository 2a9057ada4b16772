import { Scan, type ScanGeometry } from '@azimuth/device';
import type { SegmentMessage } from './core-connection.js';
import { copyEchoes } from './protocol/decode.js';

/** Where the next segment belongs. */
interface Begun {
  /** Number of the scan, as the core counts. */
  readonly scan: number;
  /** First beam of the next segment. */
  next: number;
}

/** Puts the segments of scans together. A scan from which a segment is missing is dropped. */
export class ScanAssembly {
  readonly scan: Scan;
  /** Number of scans that were begun and not completed. */
  incomplete = 0;
  #begun: Begun | undefined;

  constructor(geometry: ScanGeometry) {
    this.scan = new Scan(geometry);
  }

  /**
   * Copies a segment into the scan.
   * @param begins called for the first segment of a scan. False: the scan cannot be used
   * @returns number of beams that the scan has now; 0 if the segment belongs to no scan
   */
  add(segment: SegmentMessage, begins: (segment: SegmentMessage) => boolean): number {
    const { scan, first, count } = segment;
    if (first === 0) {
      this.drop();
      if (begins(segment)) this.#begun = { scan, next: 0 };
    }
    const begun = this.#begun;
    if (begun === undefined) return 0;
    if (scan !== begun.scan || first !== begun.next) {
      this.drop();
      return 0;
    }
    copyEchoes(segment, this.scan);
    begun.next += count;
    if (begun.next === this.scan.geometry.beams) this.#begun = undefined;
    return begun.next;
  }

  /** Drops a scan that has begun. */
  drop(): void {
    if (this.#begun !== undefined) this.incomplete += 1;
    this.#begun = undefined;
  }
}
