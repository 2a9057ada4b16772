import { type Extent, type Orbit, screenAxes } from './orbit.js';
import type { Cloud } from './pcd.js';

/** What is drawn: points, their colours by shade, and from where. */
export interface CloudScene {
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

/** How large a metre is in a picture of this size. */
export function pixelsPerMetre({ radius }: Extent, { zoom }: Orbit, width: number, height: number): number {
  return (zoom * Math.min(width, height)) / (2 * radius);
}
