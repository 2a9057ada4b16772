import type { PointUnits } from './units.js';

/** Columns of points that are read. */
const pointColumns = ['x', 'y', 'range', 'angle', 'time', 'frame', 'echo'] as const;

export type PointColumn = (typeof pointColumns)[number];

/** A point as a driver gives it, in its own units. NaN for what it does not say. */
export interface GivenPoint {
  /** x and y, or range and angle. */
  readonly first: number;
  readonly second: number;
  readonly time: number;
  readonly frame: number;
  readonly echo: number;
}

/** Most points that are looked at: older ones are dropped. */
const mostPoints = 500_000;

const columns = ['first', 'second', 'time', 'frame', 'echo'] as const;

/** The newest points of a driver, with a limited number of them. */
export class Points {
  /** Whether points are ranges and angles, and not x and y. */
  isPolar = false;
  /** What the names of the columns say. */
  units: PointUnits = {};
  #columns = columns.map(() => new Float64Array(4096));
  #count = 0;
  #dropped = 0;

  /** Points that are there. */
  get count(): number {
    return this.#count;
  }

  /** Older points that were dropped. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Adds a point. A point without a place is the echo that a beam does not have. */
  add(point: GivenPoint): void {
    if (!Number.isFinite(point.first) || !Number.isFinite(point.second)) return;
    if (this.isPolar && point.first <= 0) return;
    if (this.#count === mostPoints) this.#dropHalf();
    if (this.#count === this.#columns[0]?.length) this.#grow();
    for (const [at, name] of columns.entries()) {
      const column = this.#columns[at];
      if (column !== undefined) column[this.#count] = point[name];
    }
    this.#count++;
  }

  /** The values of a column, of all points. */
  column(name: (typeof columns)[number]): Float64Array {
    return (this.#columns[columns.indexOf(name)] ?? new Float64Array()).subarray(0, this.#count);
  }

  #grow(): void {
    this.#columns = this.#columns.map((column) => {
      const larger = new Float64Array(Math.min(mostPoints, 2 * column.length));
      larger.set(column);
      return larger;
    });
  }

  #dropHalf(): void {
    const half = mostPoints / 2;
    for (const column of this.#columns) column.copyWithin(0, half);
    this.#count -= half;
    this.#dropped += half;
  }
}
