/** Points in metres: x ahead, y to the left, z up. */
export interface Cloud {
  readonly count: number;
  /** x, y and z of each point, one after the other. */
  readonly places: Float32Array;
  /** The signal strength (RSSI) of each point; undefined if the file has none. */
  readonly strengths: Float32Array | undefined;
}

/** A file that cannot be shown. Its message is one line for a person. */
export class PcdError extends Error {
  override readonly name = 'PcdError';
}

/** Maximum length of a header in bytes. */
const longestHeader = 4096;
/** Most points that are read. */
const mostPoints = 8_000_000;
/** Most values of a point, of all fields together. */
const mostColumns = 64;

interface Column {
  readonly name: string;
  readonly type: 'F' | 'I' | 'U';
  readonly bytes: number;
  /** Offset in bytes from the beginning of its point. */
  readonly offset: number;
}

interface Header {
  readonly columns: readonly Column[];
  /** Bytes of a point in binary data. */
  readonly stride: number;
  readonly points: number;
  readonly data: string;
  /** Offset of the points, in bytes. */
  readonly length: number;
}

/**
 * Reads a point cloud in the format PCD 0.7, with ASCII or binary data and the fields x, y, z and, if it is there,
 * intensity (m, RSSI). Points without a place (NaN) are left out.
 * @throws PcdError
 */
export function parsePcd(file: Uint8Array): Cloud {
  const header = headerOf(file);
  const columnOf = (name: string) => header.columns.findIndex((column) => column.name === name);
  const [x, y, z] = [columnOf('x'), columnOf('y'), columnOf('z')];
  if (x < 0 || y < 0 || z < 0) throw new PcdError('The point cloud has no x, y and z.');
  const wanted = [x, y, z, columnOf('intensity')];
  if (header.data === 'binary') return collected(header, binaryPoints(file, header, wanted));
  if (header.data === 'ascii') return collected(header, asciiPoints(file, header, wanted));
  throw new PcdError(`The data of the point cloud is ${header.data}; only ascii and binary can be shown.`);
}

/** x, y, z and intensity of one point after the other, in the same array each time. */
type Points = Iterable<Float64Array>;

function collected({ columns, points }: Header, all: Points): Cloud {
  const places = new Float32Array(3 * points);
  const hasStrength = columns.some(({ name }) => name === 'intensity');
  const strengths = hasStrength ? new Float32Array(points) : undefined;
  let count = 0;
  for (const point of all) {
    const [x = Number.NaN, y = Number.NaN, z = Number.NaN, strength = 0] = point;
    if (!Number.isFinite(x + y + z)) continue;
    places[3 * count] = x;
    places[3 * count + 1] = y;
    places[3 * count + 2] = z;
    if (strengths !== undefined) strengths[count] = Number.isFinite(strength) ? strength : 0;
    count++;
  }
  return { count, places: places.subarray(0, 3 * count), strengths: strengths?.subarray(0, count) };
}

function* binaryPoints(file: Uint8Array, header: Header, wanted: readonly number[]): Points {
  const { columns, stride, points, length } = header;
  if (file.length < length + points * stride) throw new PcdError('The point cloud is cut off.');
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const readers = wanted.map((index) => readerOf(columns[index]));
  const point = new Float64Array(wanted.length);
  for (let at = length, left = points; left > 0; left--, at += stride) {
    for (let index = 0; index < readers.length; index++) point[index] = readers[index]?.(view, at) ?? 0;
    yield point;
  }
}

function readerOf(column: Column | undefined): (view: DataView, at: number) => number {
  if (column === undefined) return () => 0;
  const { type, bytes, offset } = column;
  switch (`${type}${bytes}`) {
    case 'F4':
      return (view, at) => view.getFloat32(at + offset, true);
    case 'F8':
      return (view, at) => view.getFloat64(at + offset, true);
    case 'U1':
      return (view, at) => view.getUint8(at + offset);
    case 'U2':
      return (view, at) => view.getUint16(at + offset, true);
    case 'U4':
      return (view, at) => view.getUint32(at + offset, true);
    case 'I1':
      return (view, at) => view.getInt8(at + offset);
    case 'I2':
      return (view, at) => view.getInt16(at + offset, true);
    case 'I4':
      return (view, at) => view.getInt32(at + offset, true);
    default:
      throw new PcdError(`The field ${column.name} has the type ${type} with ${bytes} bytes.`);
  }
}

function* asciiPoints(file: Uint8Array, header: Header, wanted: readonly number[]): Points {
  const lines = new TextDecoder().decode(file.subarray(header.length)).split('\n');
  const point = new Float64Array(wanted.length);
  let left = header.points;
  for (const line of lines) {
    if (left === 0) return;
    const words = line.trim().split(/\s+/);
    if (words[0] === '') continue;
    for (const [index, column] of wanted.entries()) point[index] = Number(words[column] ?? 0);
    yield point;
    left--;
  }
  if (left > 0) throw new PcdError('The point cloud is cut off.');
}

/** Header lines in any order; the last one is DATA. */
function headerOf(file: Uint8Array): Header {
  const text = new TextDecoder('latin1').decode(file.subarray(0, longestHeader));
  const [head = '', data] = /^[\s\S]*?^DATA[ \t]+(\w+)[ \t]*\r?\n/m.exec(text) ?? [];
  if (data === undefined) throw new PcdError('The file is not a point cloud (PCD).');
  const wordsAfter = (key: string) =>
    new RegExp(`^${key}[ \\t]+(.*?)[ \\t]*\\r?$`, 'm').exec(head)?.[1]?.split(/\s+/) ?? [];
  const [points] = wordsAfter('POINTS').map(Number);
  if (points === undefined || !Number.isInteger(points) || points < 0) {
    throw new PcdError('The point cloud does not say how many points it has.');
  }
  if (points > mostPoints) throw new PcdError(`The point cloud has more than ${mostPoints} points.`);
  const columns = columnsOf(
    wordsAfter('FIELDS'),
    wordsAfter('SIZE').map(Number),
    wordsAfter('TYPE'),
    wordsAfter('COUNT').map(Number),
  );
  const last = columns.at(-1);
  const stride = last === undefined ? 0 : last.offset + last.bytes;
  return { columns, stride, points, data: data.toLowerCase(), length: head.length };
}

function columnsOf(
  names: readonly string[],
  sizes: readonly number[],
  types: readonly string[],
  counts: readonly number[],
): readonly Column[] {
  const columns: Column[] = [];
  let offset = 0;
  for (const [index, name] of names.entries()) {
    const [bytes, type, count] = [sizes[index] ?? 4, types[index] ?? 'F', counts[index] ?? 1];
    if ((type !== 'F' && type !== 'I' && type !== 'U') || !isCount(bytes) || !isCount(count)) {
      throw new PcdError(`The point cloud does not describe the field ${name}.`);
    }
    for (let part = 0; part < count; part++, offset += bytes) {
      // Only the first value of a field goes by its name.
      columns.push({ name: part === 0 ? name : '', type, bytes, offset });
    }
    if (columns.length > mostColumns) throw new PcdError('The point cloud has too many fields.');
  }
  return columns;
}

function isCount(value: number): boolean {
  return Number.isInteger(value) && value > 0 && value <= mostColumns;
}
