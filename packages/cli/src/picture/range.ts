import type { Frame } from '@azimuth/client';

/** mm. */
const smallest = 1000;
const largest = 1_000_000;

/** Ranges that look well, in mm: 1, 2, 5, 10, 20, 50 m … and some between. */
const steps = [1, 1.5, 2, 3, 4, 5, 6, 8, 10];

/**
 * How far a picture of this frame should reach (mm): all but a few outliers are in it.
 * @returns at least 1 m, at most 1 km; 10 m where there is no echo
 */
export function rangeOf(frame: Frame): number {
  const distances = frame.distance.filter((distance) => distance > 0).sort();
  const far = distances[Math.floor((distances.length - 1) * 0.98)];
  return far === undefined ? 10_000 : roundRange(far * 1.05);
}

/** The next larger range that looks well (mm). */
export function roundRange(distance: number): number {
  const wanted = Math.min(largest, Math.max(smallest, distance));
  const decade = 10 ** Math.floor(Math.log10(wanted));
  const step = steps.find((step) => step * decade >= wanted * (1 - 1e-9)) ?? 10;
  return Math.min(largest, step * decade);
}

/** The distances of range rings (mm), four to nine of them, the last one not beyond the range. */
export function ringsOf(range: number): readonly number[] {
  const decade = 10 ** Math.floor(Math.log10(range / 4));
  const apart = ([1, 2, 5, 10].findLast((step) => range / (step * decade) >= 4) ?? 1) * decade;
  return Array.from({ length: Math.floor(range / apart + 1e-9) }, (_, i) => (i + 1) * apart);
}

/** `5 m`, `0.5 m`. */
export function metres(distance: number): string {
  return `${Number((distance / 1000).toFixed(2))} m`;
}
