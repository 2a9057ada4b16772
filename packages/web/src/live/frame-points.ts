import { beamReading, type EchoReading } from './beam-reading.js';
import type { LiveState } from './live-state.js';
import type { KeptScan } from './scan-history.js';
import type { ScanSource } from './scan-source.js';

/** An echo of a scan that is in sight. */
export interface PointInSight extends EchoReading {
  readonly beam: number;
  /** rad */
  readonly azimuth: number;
}

/** A scan that is in sight, with all its echoes. */
export interface ScanInSight {
  readonly source: ScanSource;
  readonly scan: KeptScan;
  readonly points: readonly PointInSight[];
}

/** The scans in sight, one of each scanner that has one. */
export function scansInSight(state: LiveState): readonly ScanInSight[] {
  return state.sources.flatMap((source) => {
    const scan = source.scanAt(state.shownAt.peek());
    if (scan === undefined) return [];
    const placement = source.placement.peek();
    const points: PointInSight[] = [];
    for (let beam = 0; beam < scan.beams; beam++) {
      const { azimuth, echoes } = beamReading(source.history, scan, placement, beam);
      for (const echo of echoes) points.push({ ...echo, beam, azimuth });
    }
    return [{ source, scan, points }];
  });
}
