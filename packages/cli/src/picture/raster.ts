import type { Colour } from './colours.js';

/** Pixels that shapes are painted on with soft edges: how far a pixel is covered follows from its distance to the edge. */
export class Raster {
  readonly width: number;
  readonly height: number;
  /** Four bytes a pixel: red, green, blue and 255. */
  readonly pixels: Uint8Array;

  constructor(width: number, height: number, ground: Colour) {
    this.width = width;
    this.height = height;
    this.pixels = new Uint8Array(width * height * 4);
    for (let at = 0; at < this.pixels.length; at += 4) this.pixels.set([...ground, 255], at);
  }

  /**
   * Paints a shape.
   * @param box the pixels that it may touch: left, top, right, bottom
   * @param depth how far a place lies inside the shape, in pixels; below 0 outside
   */
  paint(
    box: readonly [left: number, top: number, right: number, bottom: number],
    colour: Colour,
    opacity: number,
    depth: (x: number, y: number) => number,
  ): void {
    const [left, top, right, bottom] = box;
    const lastRow = Math.min(this.height - 1, Math.ceil(bottom));
    const lastColumn = Math.min(this.width - 1, Math.ceil(right));
    for (let row = Math.max(0, Math.floor(top)); row <= lastRow; row++) {
      for (let column = Math.max(0, Math.floor(left)); column <= lastColumn; column++) {
        const covered = Math.min(1, Math.max(0, depth(column + 0.5, row + 0.5) + 0.5));
        if (covered > 0) this.#blend((row * this.width + column) * 4, colour, covered * opacity);
      }
    }
  }

  #blend(at: number, colour: Colour, share: number): void {
    for (let channel = 0; channel < 3; channel++) {
      const below = this.pixels[at + channel] ?? 0;
      this.pixels[at + channel] = Math.round(below + ((colour[channel] ?? 0) - below) * share);
    }
  }
}
