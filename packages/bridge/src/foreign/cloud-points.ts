import { McapError } from '../mcap/index.js';
import type { MessageFields } from './message-fields.js';

/** A point in m. */
export interface Point {
  readonly x: number;
  readonly y: number;
  readonly z: number;
  /** In the unit of its program; 0 if there is none. */
  readonly intensity: number;
}

/** Points of a PointCloud2. */
export interface CloudPoints {
  readonly kind: 'points';
  /** Number of points, those that are not finite included. */
  readonly count: number;
  /** Yields the points whose coordinates are finite, in an object that changes with each. */
  points(): Iterable<Point>;
}

type Read = (view: DataView, at: number, little: boolean) => number;

/** Types of fields (sensor_msgs/PointField), by their number. */
const readers: Readonly<Record<number, { readonly bytes: number; readonly read: Read }>> = {
  1: { bytes: 1, read: (view, at) => view.getInt8(at) },
  2: { bytes: 1, read: (view, at) => view.getUint8(at) },
  3: { bytes: 2, read: (view, at, little) => view.getInt16(at, little) },
  4: { bytes: 2, read: (view, at, little) => view.getUint16(at, little) },
  5: { bytes: 4, read: (view, at, little) => view.getInt32(at, little) },
  6: { bytes: 4, read: (view, at, little) => view.getUint32(at, little) },
  7: { bytes: 4, read: (view, at, little) => view.getFloat32(at, little) },
  8: { bytes: 8, read: (view, at, little) => view.getFloat64(at, little) },
};

/** Names of the signal strength in clouds of several makers. */
const strengthNames = ['intensity', 'i', 'intensities', 'reflectivity', 'rssi'] as const;

/** Reads the points of a PointCloud2. @throws McapError if its lengths do not fit, or it has no coordinates */
export function cloudPointsOf(fields: MessageFields, where: string): CloudPoints {
  return pointsOf(
    {
      ...{ width: fields.number('width'), height: fields.number('height') },
      ...{ pointStep: fields.number('point_step'), rowStep: fields.number('row_step') },
      ...{ data: fields.bytes('data'), isBigEndian: fields.is('is_bigendian') },
      fields: fields.list('fields').map((field) => ({
        ...{ name: field.text('name'), offset: field.number('offset'), type: field.number('datatype') },
      })),
    },
    where,
  );
}

/** What a PointCloud2 says of its points. Steps and offsets in bytes. */
export interface CloudLayout {
  readonly width: number;
  readonly height: number;
  readonly pointStep: number;
  readonly rowStep: number;
  readonly data: Uint8Array;
  readonly isBigEndian: boolean;
  readonly fields: readonly { readonly name: string; readonly offset: number; readonly type: number }[];
}

/** Reads the points of a layout. @throws McapError if its lengths do not fit, or it has no coordinates */
export function pointsOf(layout: CloudLayout, where: string): CloudPoints {
  const { width, height, data, pointStep: step } = layout;
  if (width * height === 0) return { kind: 'points', count: 0, points: () => [] };
  // Clouds of one row often state no step of rows.
  const row = height > 1 ? layout.rowStep : width * step;
  const needed = (height - 1) * row + width * step;
  if (needed > data.length || row < width * step) {
    throw new McapError(
      `${where}: expected ${width} × ${height} points of ${step} bytes in rows of ${row} bytes, got ${data.length} bytes`,
    );
  }
  const little = !layout.isBigEndian;
  const declared = layout.fields.map(({ name, offset, type }) => ({ name, offset, type: readers[type] }));
  const view = new DataView(data.buffer, data.byteOffset, data.length);
  const readerOf = (name: string): ((at: number) => number) | undefined => {
    const field = declared.find((one) => one.name === name);
    if (field?.type === undefined) return undefined;
    const { offset, type } = field;
    if (offset + type.bytes > step) {
      throw new McapError(
        `${where}: expected the field ${name} within ${step} bytes, got it at byte ${offset}`,
      );
    }
    return (at) => type.read(view, at + offset, little);
  };
  const [x, y] = [readerOf('x'), readerOf('y')];
  if (x === undefined || y === undefined)
    throw new McapError(`${where}: expected fields x and y of its points`);
  const z = readerOf('z');
  const strength = strengthNames.map(readerOf).find((reader) => reader !== undefined);
  return {
    kind: 'points',
    count: width * height,
    *points() {
      const point = { x: 0, y: 0, z: 0, intensity: 0 };
      for (let line = 0; line < height; line++) {
        for (let index = 0; index < width; index++) {
          const at = line * row + index * step;
          point.x = x(at);
          point.y = y(at);
          point.z = z?.(at) ?? 0;
          point.intensity = strength?.(at) ?? 0;
          if (Number.isFinite(point.x) && Number.isFinite(point.y) && Number.isFinite(point.z)) yield point;
        }
      }
    },
  };
}
