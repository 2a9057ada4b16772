import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@azimuth/test-support/files';

/** Cells of a map that a test draws: 1 is occupied. Row 0 is at the bottom. */
export class DrawnMap {
  readonly width: number;
  readonly height: number;
  readonly #occupied: Uint8Array;

  constructor(width: number, height: number) {
    this.width = width;
    this.height = height;
    this.#occupied = new Uint8Array(width * height);
  }

  /** Makes cells occupied, those outside of the map left out. */
  fill(column: number, row: number, columns = 1, rows = 1): this {
    for (let y = Math.max(0, row); y < Math.min(this.height, row + rows); y++)
      for (let x = Math.max(0, column); x < Math.min(this.width, column + columns); x++)
        this.#occupied[y * this.width + x] = 1;
    return this;
  }

  /** True if a cell is occupied. Cells outside of the map are not. */
  isOccupied(column: number, row: number): boolean {
    if (column < 0 || row < 0 || column >= this.width || row >= this.height) return false;
    return this.#occupied[row * this.width + column] === 1;
  }

  /** Returns a PGM file (P5): occupied cells are black, others as bright as `free`. */
  pgm(free = 254): Buffer {
    const pixels = Buffer.alloc(this.width * this.height);
    for (let row = 0; row < this.height; row++)
      for (let column = 0; column < this.width; column++)
        pixels[(this.height - 1 - row) * this.width + column] = this.isOccupied(column, row) ? 0 : free;
    return Buffer.concat([Buffer.from(`P5\n# drawn\n${this.width} ${this.height}\n255\n`), pixels]);
  }
}

/** Returns the path of a map in a new folder. @param lines of its description that are not as usual */
export function mapFile(
  picture: Uint8Array,
  lines: Readonly<Record<string, string>> = {},
  image = 'hall.pgm',
): string {
  const folder = temporaryFolder();
  writeFileSync(join(folder, image), picture);
  const members = {
    image,
    resolution: '0.05',
    origin: '[0, 0, 0]',
    negate: '0',
    occupied_thresh: '0.65',
    free_thresh: '0.196',
    ...lines,
  };
  const path = join(folder, 'hall.yaml');
  writeFileSync(
    path,
    Object.entries(members)
      .map(([name, value]) => `${name}: ${value}\n`)
      .join(''),
  );
  return path;
}
