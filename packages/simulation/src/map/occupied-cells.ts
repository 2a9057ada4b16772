import type { MapFile } from './map-file.js';

/** The picture of a map. */
export interface MapImage {
  readonly width: number;
  readonly height: number;
  /** By pixel, row by row from the top: an index into `brightness`. */
  readonly pixels: Uint8Array | Uint16Array;
  /** By value of a pixel: 0 (black) to 1 (white); NaN if its cell is unknown. */
  readonly brightness: Float64Array;
}

/** The occupied cells of a map. */
export interface OccupiedCells {
  readonly width: number;
  readonly height: number;
  /** From the index of a cell to that of the cell above. */
  readonly stride: number;
  /**
   * By cell, row by row from the bottom: 1 if it is occupied. There is one more row or column at each side, which is not
   * occupied.
   */
  readonly occupied: Uint8Array;
}

/** Returns the occupied cells of a picture, by the rules of the map server of ROS. */
export function occupiedCells(
  { width, height, pixels, brightness }: MapImage,
  settings: Pick<MapFile, 'mode' | 'negate' | 'occupied_thresh'>,
): OccupiedCells {
  const isOccupied = Uint8Array.from(brightness, (value) => (occupancy(value, settings) ? 1 : 0));
  const stride = width + 2;
  const occupied = new Uint8Array(stride * (height + 2));
  for (let row = 0; row < height; row++) {
    const from = row * width;
    const to = (height - row) * stride + 1;
    for (let column = 0; column < width; column++)
      occupied[to + column] = isOccupied[pixels[from + column] ?? 0] ?? 0;
  }
  return { width, height, stride, occupied };
}

/** Values of a cell in mode `raw`: 0 to 100 percent; others mean unknown. */
const percent = 100;

function occupancy(
  brightness: number,
  { mode, negate, occupied_thresh }: Pick<MapFile, 'mode' | 'negate' | 'occupied_thresh'>,
): boolean {
  if (mode === 'raw') {
    // Brightness is the value of the cell itself. So nothing is negated, as in Nav2.
    const value = Math.round(brightness * 255);
    return value <= percent && value > percent * occupied_thresh;
  }
  return (negate ? brightness : 1 - brightness) > occupied_thresh;
}
