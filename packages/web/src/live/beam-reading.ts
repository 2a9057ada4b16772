import { reflectorEchoes } from '@azimuth/client';
import { type Placement, pointAlong } from '../plan/placement.js';
import type { PlanPoint } from '../plan/plan.js';
import type { ScanHistory, StoredScan } from './scan-history.js';

/** One echo of a beam. */
export interface EchoReading {
  /** Counts from 1, the nearest first. */
  readonly echo: number;
  /** m */
  readonly distance: number;
  /** undefined if the scanner does not send it. */
  readonly rssi: number | undefined;
  readonly isReflector: boolean;
  readonly isBlooming: boolean;
  readonly point: PlanPoint;
}

/** One beam of a scan, as it was measured. */
export interface BeamReading {
  /** Counts from 0. */
  readonly beam: number;
  /** rad, counter-clockwise from the axis ahead of the scanner. */
  readonly azimuth: number;
  readonly echoes: readonly EchoReading[];
}

/** Bits of the properties of a beam: that of its first echo for blooming. */
const firstBlooming = 5;

export function beamReading(
  { masks, properties, distance, rssi }: ScanHistory,
  scan: StoredScan,
  placement: Placement,
  beam: number,
): BeamReading {
  const { directions, firstBeam, hasRssi } = scan;
  const [cos, sin] = [directions.cos[beam] ?? 0, directions.sin[beam] ?? 0];
  const mask = masks[firstBeam + beam] ?? 0;
  const marks = properties[firstBeam + beam] ?? 0;
  const echoes: EchoReading[] = [];
  const first = scan.firstEcho + echoesBefore(masks, firstBeam, beam);
  const strengths = hasRssi ? rssi : undefined;
  const reflectors = reflectorEchoes(marks, distance, strengths, first, countOf(mask));
  let place = first;
  for (let echo = 0; mask >> echo !== 0; echo++) {
    if (((mask >> echo) & 1) === 0) continue;
    const range = distance[place] ?? 0;
    echoes.push({
      echo: echo + 1,
      distance: range,
      rssi: strengths?.[place],
      isReflector: ((reflectors >> (place - first)) & 1) === 1,
      isBlooming: echo < 3 && ((marks >> (firstBlooming + echo)) & 1) === 1,
      point: pointAlong(placement, cos, sin, range),
    });
    place++;
  }
  return { beam, azimuth: directions.azimuth[beam] ?? 0, echoes };
}

/** The beam that is nearest to an azimuth (rad). */
export function beamAt({ directions: { azimuth }, beams }: StoredScan, wanted: number): number {
  let nearest = 0;
  for (let beam = 1; beam < beams; beam++) {
    const gap = Math.abs((azimuth[beam] ?? 0) - wanted);
    if (gap < Math.abs((azimuth[nearest] ?? 0) - wanted)) nearest = beam;
  }
  return nearest;
}

/** An echo that was found on the plan. */
interface NearbyEcho {
  readonly beam: number;
  /** Counts from 1. */
  readonly echo: number;
  /** m from the given point. */
  readonly gap: number;
}

/** The echo that is nearest to a point, if one is within `reach` (m). */
export function echoNear(
  { masks, distance }: ScanHistory,
  { beams, firstBeam, firstEcho, directions: { cos, sin } }: StoredScan,
  { x, y, xu, xv, yu, yv }: Placement,
  point: PlanPoint,
  reach: number,
): NearbyEcho | undefined {
  let least = reach;
  let nearest: { beam: number; echo: number } | undefined;
  let place = firstEcho;
  for (let beam = 0; beam < beams; beam++) {
    const mask = masks[firstBeam + beam] ?? 0;
    const [u, v] = [cos[beam] ?? 0, sin[beam] ?? 0];
    for (let echo = 0; mask >> echo !== 0; echo++) {
      if (((mask >> echo) & 1) === 0) continue;
      const range = distance[place++] ?? 0;
      const gap = Math.hypot(
        x + range * (xu * u + xv * v) - point.x,
        y + range * (yu * u + yv * v) - point.y,
      );
      if (gap > least) continue;
      least = gap;
      nearest = { beam, echo: echo + 1 };
    }
  }
  return nearest === undefined ? undefined : { ...nearest, gap: least };
}

function echoesBefore(masks: Uint8Array, firstBeam: number, beam: number): number {
  let count = 0;
  for (let before = firstBeam; before < firstBeam + beam; before++) {
    count += countOf(masks[before] ?? 0);
  }
  return count;
}

/** Number of echoes of a beam. @param mask bit n for echo n */
export function countOf(mask: number): number {
  let count = 0;
  for (let left = mask; left !== 0; left &= left - 1) count++;
  return count;
}

/** An angle as people read it, with a true minus sign. @param azimuth rad */
export function angleText(azimuth: number): string {
  return degrees(azimuth).replace('-', '−');
}

/** Degrees with two digits, for programs: the finest resolution is 0.05°. */
export function degrees(azimuth: number): string {
  const text = ((azimuth * 180) / Math.PI).toFixed(2);
  return Number(text) === 0 ? '0.00' : text;
}

/** A distance in m, to the millimetre. */
export function distanceText(metres: number): string {
  return `${metres.toFixed(3)} m`;
}

/** Metres that may be negative, without their unit, with a true minus sign. @param digits behind the point */
export function signedMetres(metres: number, digits = 3): string {
  const text = metres.toFixed(digits);
  return Number(text) === 0 ? text.replace('-', '') : text.replace('-', '−');
}
