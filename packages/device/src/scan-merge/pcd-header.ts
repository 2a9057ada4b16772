import { pointBytes } from './point-cloud.js';

/** How the header of a file begins that is one of ours, and how it ends. */
const begin = '# .PCD v0.7 - Point Cloud Data file format\n';
const end = 'DATA binary\n';

/** More bytes than any header of ours has. */
export const longestHeader = 512;

/**
 * The header of a file in the format PCD 0.7, for this many points with x, y, z and intensity as float32. The cloud is
 * unordered (one row), and its coordinates need no turning: the viewpoint is their zero.
 */
export function pcdHeader(points: number): Uint8Array {
  return Buffer.from(
    `${begin}VERSION 0.7
FIELDS x y z intensity
SIZE 4 4 4 4
TYPE F F F F
COUNT 1 1 1 1
WIDTH ${points}
HEIGHT 1
VIEWPOINT 0 0 0 1 0 0 0
POINTS ${points}
${end}`,
  );
}

/** The length in bytes of the file that begins so; undefined where it is none of ours. */
export function fileLength(beginning: Uint8Array): number | undefined {
  const text = Buffer.from(beginning.subarray(0, longestHeader)).toString('latin1');
  const [, points] = /^POINTS (\d{1,10})$/m.exec(text) ?? [];
  if (points === undefined) return undefined;
  const header = pcdHeader(Number(points));
  if (!text.startsWith(Buffer.from(header).toString('latin1'))) return undefined;
  return header.length + Number(points) * pointBytes;
}
