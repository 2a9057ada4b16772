import { SceneError } from '../file-problems.js';

/** Largest picture of a map, in bytes. A PGM file of text has up to 4 bytes for each cell of the largest map. */
export const largestMapImage = 128 * 1024 * 1024;

/** Largest number of cells of a map. */
export const mostMapCells = 32_000_000;

/** Checks the size of a picture before memory is taken for it. @throws SceneError */
export function checkSize(width: number, height: number): void {
  if (width >= 1 && height >= 1 && width * height <= mostMapCells) return;
  throw new SceneError(`expected a picture of 1 to ${mostMapCells} pixels, got one of ${width} × ${height}`);
}
