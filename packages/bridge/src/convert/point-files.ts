import type { PointScan } from './point-scans.js';
import type { WrittenFile } from './written-file.js';

/** Writes points as comma-separated values, a line for each. Returns their number. */
export function writeCsv(scans: Iterable<PointScan>, file: WrittenFile): number {
  const encoder = new TextEncoder();
  let count = 0;
  file.write(encoder.encode('scan,time_us,x_m,y_m,z_m,intensity\n'));
  for (const { number, time, points } of scans) {
    let lines = '';
    for (const { x, y, z, intensity } of points()) {
      lines += `${number},${time},${x.toFixed(4)},${y.toFixed(4)},${z.toFixed(4)},${Number(intensity.toFixed(5))}\n`;
      count += 1;
      if (lines.length < mostText) continue;
      file.write(encoder.encode(lines));
      lines = '';
    }
    file.write(encoder.encode(lines));
  }
  return count;
}

/** Characters that are collected before they are written. */
const mostText = 65_536;

/** Fields of a point: f32 each. */
const fields = ['x', 'y', 'z', 'intensity'] as const;
const pointBytes = 4 * fields.length;
/** Points that are collected before they are written. */
const pointsAtOnce = 4096;

/** Writes points as a binary point cloud (PCD 0.7). Returns their number. */
export function writePcd(scans: Iterable<PointScan>, file: WrittenFile): number {
  let count = 0;
  // Its number of points is known at the end: the header is written again, with the same length.
  file.write(pcdHeader(0));
  let view = new DataView(new ArrayBuffer(pointBytes * pointsAtOnce));
  let at = 0;
  const flush = () => {
    file.write(new Uint8Array(view.buffer, 0, at));
    view = new DataView(new ArrayBuffer(pointBytes * pointsAtOnce));
    at = 0;
  };
  for (const { points } of scans) {
    for (const point of points()) {
      for (const field of fields) {
        view.setFloat32(at, point[field], true);
        at += 4;
      }
      count += 1;
      if (at === view.byteLength) flush();
    }
  }
  flush();
  file.writeAgain(pcdHeader(count));
  return count;
}

function pcdHeader(points: number): Uint8Array {
  const each = (value: string | number) => fields.map(() => value).join(' ');
  const lines = [
    // A comment fills what the number of points does not need.
    `# .PCD v0.7 - Point Cloud Data file format ${'.'.repeat(2 * (longestNumber - String(points).length))}`,
    'VERSION 0.7',
    `FIELDS ${fields.join(' ')}`,
    `SIZE ${each(4)}`,
    `TYPE ${each('F')}`,
    `COUNT ${each(1)}`,
    `WIDTH ${points}`,
    'HEIGHT 1',
    'VIEWPOINT 0 0 0 1 0 0 0',
    `POINTS ${points}`,
    'DATA binary',
  ];
  return new TextEncoder().encode(`${lines.join('\n')}\n`);
}

/** Digits of the largest whole number. */
const longestNumber = 16;
