import { PNG } from 'pngjs';
import type { Drawing } from './drawing.js';
import { rasterOf } from './paint.js';

/** A drawing as a file of PNG. */
export function pngOf(drawing: Drawing): Uint8Array {
  const { width, height, pixels } = rasterOf(drawing);
  const png = new PNG({ width, height });
  png.data = Buffer.from(pixels.buffer, pixels.byteOffset, pixels.byteLength);
  return PNG.sync.write(png, { colorType: 2 });
}
