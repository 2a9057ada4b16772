import { counted } from '@azimuth/model';
import type { Placement } from '../plan/placement.js';
import type { ScanHistory, StoredScan } from './scan-history.js';

/** Echoes of a scan as they are stored. */
export type StoredEchoes = Pick<ScanHistory, 'masks' | 'distance'>;

/** A scan that stays as it was, and the position of its scanner at that time. */
export interface ScanCopy {
  readonly echoes: StoredEchoes;
  readonly scan: StoredScan;
  readonly placement: Placement;
}

/** Copies a scan out of a history, which overwrites its scans after a while. */
export function scanCopy(
  { masks, distance }: StoredEchoes,
  scan: StoredScan,
  placement: Placement,
): ScanCopy {
  const { firstBeam, beams, firstEcho, echoes } = scan;
  return {
    echoes: {
      masks: masks.slice(firstBeam, firstBeam + beams),
      distance: distance.slice(firstEcho, firstEcho + echoes),
    },
    scan: { ...scan, firstBeam: 0, firstEcho: 0 },
    placement,
  };
}

/** Differences between two scans, in points. */
export interface ScanChange {
  readonly before: number;
  readonly after: number;
  /** Points that only the scan before has. */
  readonly gone: number;
  /** Points that only the scan after has. */
  readonly come: number;
}

/** m by which a point may differ in two scans: more than the noise of a measurement. */
const samePoint = 0.1;
/** rad, for scans of a single beam. */
const leastTolerance = 1e-4;

/**
 * Compares the points of two scans beam by beam. Beams belong together if their angles differ by less than half of the
 * finer resolution: so scans of two performance profiles can be compared, too.
 */
export function scanChange(
  before: { readonly echoes: StoredEchoes; readonly scan: StoredScan },
  after: { readonly echoes: StoredEchoes; readonly scan: StoredScan },
): ScanChange {
  const tolerance = Math.max(leastTolerance, Math.min(resolution(before.scan), resolution(after.scan)) / 2);
  const [one, other] = [new BeamCursor(before), new BeamCursor(after)];
  let same = 0;
  while (one.isInside && other.isInside) {
    const gap = other.azimuth - one.azimuth;
    if (Math.abs(gap) <= tolerance) same += sharedPoints(one, other);
    if (gap >= -tolerance) one.next();
    if (gap <= tolerance) other.next();
  }
  const [points, pointsAfter] = [before.scan.echoes, after.scan.echoes];
  return { before: points, after: pointsAfter, gone: points - same, come: pointsAfter - same };
}

/** Mean angle (rad) between neighbouring beams. */
function resolution({ beams, directions: { azimuth } }: StoredScan): number {
  if (beams < 2) return 0;
  return Math.abs((azimuth[beams - 1] ?? 0) - (azimuth[0] ?? 0)) / (beams - 1);
}

/** Goes through the beams of a scan. */
class BeamCursor {
  readonly distance: Float32Array;
  readonly #masks: Uint8Array;
  readonly #scan: StoredScan;
  #beam = 0;
  /** The place of the first echo of the beam. */
  first: number;

  constructor({ echoes, scan }: { readonly echoes: StoredEchoes; readonly scan: StoredScan }) {
    this.distance = echoes.distance;
    this.#masks = echoes.masks;
    this.#scan = scan;
    this.first = scan.firstEcho;
  }

  get isInside(): boolean {
    return this.#beam < this.#scan.beams;
  }

  get azimuth(): number {
    return this.#scan.directions.azimuth[this.#beam] ?? 0;
  }

  /** The place behind the last echo of the beam. */
  get end(): number {
    let end = this.first;
    for (let mask = this.#masks[this.#scan.firstBeam + this.#beam] ?? 0; mask !== 0; mask &= mask - 1) end++;
    return end;
  }

  next(): void {
    this.first = this.end;
    this.#beam++;
  }
}

/** Number of points of two beams at about the same distance. The nearest point of a beam comes first. */
function sharedPoints(one: BeamCursor, other: BeamCursor): number {
  const [end, otherEnd] = [one.end, other.end];
  let [place, otherPlace, shared] = [one.first, other.first, 0];
  while (place < end && otherPlace < otherEnd) {
    const gap = (other.distance[otherPlace] ?? 0) - (one.distance[place] ?? 0);
    if (Math.abs(gap) <= samePoint) shared++;
    if (gap >= -samePoint) place++;
    if (gap <= samePoint) otherPlace++;
  }
  return shared;
}

/** The difference in words: `312 points fewer: 315 went, 3 came`. */
export function changeWords({ before, after, gone, come }: ScanChange): string {
  const details = `${gone} went, ${come} came`;
  if (after !== before) {
    return `${counted(Math.abs(after - before), 'point')} ${after < before ? 'fewer' : 'more'}: ${details}`;
  }
  return gone === 0 ? 'The same points as before' : `As many points as before: ${details}`;
}
