import { PcdError, readPcd } from '@azimuth/client';
import { columnNamed } from './point-lines.js';
import type { PointColumn, Points } from './points.js';
import type { PointUnits } from './units.js';

/** Largest file in bytes. */
export const mostPcdBytes = 256 * 1024 * 1024;

/** Adds the points of a file in the format PCD. Its fields have the names of the columns of tables. @throws PcdError */
export function addPointCloud(file: Uint8Array, points: Points): void {
  const pcd = readPcd(file);
  const known = pcd.fields.map((field) => ({ field, ...columnNamed(field) }));
  const fieldOf = (column: PointColumn) => known.find((each) => each.column === column)?.field;
  const [x, y] = [fieldOf('x'), fieldOf('y')];
  if (x === undefined || y === undefined) throw new PcdError('The point cloud has no x and y.');
  if (points.count > 0 && points.isPolar)
    throw new PcdError('Other points have ranges and angles, not x and y.');
  const units: PointUnits = Object.assign(
    {},
    ...known.map((each) => (each.column === undefined ? {} : each.units)),
  );
  points.units = { ...points.units, ...units };
  const names = [x, y, ...(['time', 'frame', 'echo'] as const).map((column) => fieldOf(column) ?? '')];
  const [, , hasTime, hasFrame, hasEcho] = names.map((name) => name !== '');
  const value = (has: boolean | undefined, given: number | undefined) =>
    has === true ? (given ?? Number.NaN) : Number.NaN;
  for (const [first = Number.NaN, second = Number.NaN, time, frame, echo] of pcd.points(names)) {
    points.add({
      first,
      second,
      time: value(hasTime, time),
      frame: value(hasFrame, frame),
      echo: value(hasEcho, echo),
    });
  }
}
