import type { Cloud } from './pcd.js';

/** From where a cloud is looked at: about its middle, from far away, so that nothing is distorted. */
export interface Orbit {
  /** Radians counter-clockwise about z; at 0, one looks along x. */
  readonly yaw: number;
  /** Radians above the horizon: at π/2 one looks straight down. */
  readonly pitch: number;
  /** 1 shows the whole cloud. */
  readonly zoom: number;
}

/** From behind the scanner, at its left, and from above. */
export const firstOrbit: Orbit = { yaw: -0.6, pitch: 0.6, zoom: 1 };

const leastZoom = 0.2;
const largestZoom = 50;

export function turned({ yaw, pitch, zoom }: Orbit, by: { yaw: number; pitch: number }): Orbit {
  const whole = 2 * Math.PI;
  return {
    yaw: (((yaw + by.yaw) % whole) + whole) % whole,
    pitch: Math.min(Math.PI / 2, Math.max(-Math.PI / 2, pitch + by.pitch)),
    zoom,
  };
}

export function zoomed(orbit: Orbit, factor: number): Orbit {
  return { ...orbit, zoom: Math.min(largestZoom, Math.max(leastZoom, orbit.zoom * factor)) };
}

/** The directions of the screen in the coordinates of the cloud, each as x, y, z. `near` points to the eye. */
export interface ScreenAxes {
  readonly right: readonly [number, number, number];
  readonly up: readonly [number, number, number];
  readonly near: readonly [number, number, number];
}

export function screenAxes({ yaw, pitch }: Orbit): ScreenAxes {
  const [cosYaw, sinYaw] = [Math.cos(yaw), Math.sin(yaw)];
  const [cosPitch, sinPitch] = [Math.cos(pitch), Math.sin(pitch)];
  return {
    right: [sinYaw, -cosYaw, 0],
    up: [cosYaw * sinPitch, sinYaw * sinPitch, cosPitch],
    near: [-cosYaw * cosPitch, -sinYaw * cosPitch, sinPitch],
  };
}

/** The middle of a cloud (m), and the radius (m) about it that has nearly all points. */
export interface Extent {
  readonly middle: readonly [number, number, number];
  readonly radius: number;
}

/** Points that are looked at to find the extent. */
const sampled = 20_000;
/** The part of the points at either end that may lie outside of it: single far echoes would make the rest tiny. */
const outside = 0.005;

export function extentOf({ count, places }: Cloud): Extent {
  if (count === 0) return { middle: [0, 0, 0], radius: 1 };
  const ranges = ([0, 1, 2] as const).map((axis) => rangeOf((index) => places[3 * index + axis] ?? 0, count));
  const [x = [0, 0], y = [0, 0], z = [0, 0]] = ranges;
  const half = Math.hypot(x[1] - x[0], y[1] - y[0], z[1] - z[0]) / 2;
  return {
    middle: [(x[0] + x[1]) / 2, (y[0] + y[1]) / 2, (z[0] + z[1]) / 2],
    radius: Math.max(0.1, half),
  };
}

/** The least and the largest of `count` values, without the few at the ends. */
export function rangeOf(value: (index: number) => number, count: number): readonly [number, number] {
  if (count === 0) return [0, 0];
  const step = Math.max(1, Math.floor(count / sampled));
  const values = Float64Array.from({ length: Math.ceil(count / step) }, (_, index) =>
    value(index * step),
  ).sort();
  const left = Math.floor(values.length * outside);
  return [values[left] ?? 0, values[values.length - 1 - left] ?? 0];
}
