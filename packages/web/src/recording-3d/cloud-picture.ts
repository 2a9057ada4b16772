import { shades } from '../plan/colours.js';
import type { Cloud } from './cloud.js';

/**
 * Direction from which a cloud is seen. The eye turns about the middle of the cloud and is far away, so that nothing is
 * distorted.
 */
export interface Orbit {
  /** Radians counter-clockwise about z; at 0, the eye looks along x. */
  readonly yaw: number;
  /** Radians above the horizon; at π/2, the eye looks straight down. */
  readonly pitch: number;
  /** 1 shows the whole cloud. */
  readonly zoom: number;
}

/** From behind the scanner, at its left, and from above. */
export const firstOrbit: Orbit = { yaw: -0.6, pitch: 0.6, zoom: 1 };

const leastZoom = 0.2;
const largestZoom = 50;

export function turned({ yaw, pitch, zoom }: Orbit, by: { yaw: number; pitch: number }): Orbit {
  const fullTurn = 2 * Math.PI;
  return {
    yaw: (((yaw + by.yaw) % fullTurn) + fullTurn) % fullTurn,
    pitch: Math.min(Math.PI / 2, Math.max(-Math.PI / 2, pitch + by.pitch)),
    zoom,
  };
}

export function zoomed(orbit: Orbit, factor: number): Orbit {
  return { ...orbit, zoom: Math.min(largestZoom, Math.max(leastZoom, orbit.zoom * factor)) };
}

/** The directions of the screen in the coordinates of the cloud, each as x, y, z. `near` points to the eye. */
interface ScreenAxes {
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
interface Extent {
  readonly middle: readonly [number, number, number];
  readonly radius: number;
}

/** Number of points from which the extent is computed. */
const sampled = 20_000;
/** The part of the points at either end that may lie outside of it: single far echoes would make the rest tiny. */
const outlierShare = 0.005;

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
function rangeOf(value: (index: number) => number, count: number): readonly [number, number] {
  if (count === 0) return [0, 0];
  const step = Math.max(1, Math.floor(count / sampled));
  const values = Float64Array.from({ length: Math.ceil(count / step) }, (_, index) =>
    value(index * step),
  ).sort();
  const left = Math.floor(values.length * outlierShare);
  return [values[left] ?? 0, values[values.length - 1 - left] ?? 0];
}

interface CloudScene {
  readonly cloud: Cloud;
  readonly extent: Extent;
  /** A shade for each point. */
  readonly shades: Uint8Array;
  /** A pixel for each shade. */
  readonly pixels: Uint32Array;
  readonly orbit: Orbit;
  /** Pixels of the side of a point. */
  readonly dot: number;
}

/** Draws clouds into pixels; the nearer point hides the farther one. Nothing is allocated unless the size changes. */
export class CloudPicture {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint32Array<ArrayBuffer>;
  readonly #depths: Float32Array;

  constructor(width: number, height: number) {
    this.width = width;
    this.height = height;
    this.pixels = new Uint32Array(width * height);
    this.#depths = new Float32Array(width * height);
  }

  /** @param step draws each point whose number is a multiple of it */
  draw({ cloud, extent, shades, pixels, orbit, dot }: CloudScene, step = 1): void {
    const { width, height } = this;
    const depths = this.#depths;
    this.pixels.fill(0);
    depths.fill(Number.NEGATIVE_INFINITY);
    const { right, up, near } = screenAxes(orbit);
    const [mx, my, mz] = extent.middle;
    const scale = pixelsPerMetre(extent, orbit, width, height);
    const reach = dot >> 1;
    const { count, places } = cloud;
    for (let index = 0; index < count; index += step) {
      const x = (places[3 * index] ?? 0) - mx;
      const y = (places[3 * index + 1] ?? 0) - my;
      const z = (places[3 * index + 2] ?? 0) - mz;
      const left = Math.round(width / 2 + scale * (x * right[0] + y * right[1])) - reach;
      const top = Math.round(height / 2 - scale * (x * up[0] + y * up[1] + z * up[2])) - reach;
      if (left < 0 || top < 0 || left + dot > width || top + dot > height) continue;
      const depth = x * near[0] + y * near[1] + z * near[2];
      const pixel = pixels[shades[index] ?? 0] ?? 0;
      for (let row = top; row < top + dot; row++) {
        for (let at = row * width + left; at < row * width + left + dot; at++) {
          if (depth <= (depths[at] ?? 0)) continue;
          depths[at] = depth;
          this.pixels[at] = pixel;
        }
      }
    }
  }
}

/** Returns the pixels of a metre in a picture of this size. */
function pixelsPerMetre({ radius }: Extent, { zoom }: Orbit, width: number, height: number): number {
  return (zoom * Math.min(width, height)) / (2 * radius);
}

export type Colouring = 'height' | 'strength';

/** The colour of each point on the scale, and the meaning of its ends (m or RSSI). */
interface ShadedPoints {
  readonly shades: Uint8Array;
  readonly from: number;
  readonly to: number;
}

export function shadedBy(colouring: Colouring, { count, places, strengths }: Cloud): ShadedPoints {
  const value =
    colouring === 'strength' && strengths !== undefined
      ? (index: number) => strengths[index] ?? 0
      : (index: number) => places[3 * index + 2] ?? 0;
  const [from, to] = rangeOf(value, count);
  const perShade = to > from ? (shades - 1) / (to - from) : 0;
  const shaded = new Uint8Array(count);
  for (let index = 0; index < count; index++) {
    const shade = (value(index) - from) * perShade;
    shaded[index] = Math.min(shades - 1, Math.max(0, Math.round(shade)));
  }
  return { shades: shaded, from, to };
}
