/** A file that is no point cloud, or a damaged one. Its message is one line for a person. */
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

/** A point cloud in the format PCD 0.7. */
export interface Pcd {
  /** Names of its fields. */
  readonly fields: readonly string[];
  /** Number of points that its header says. */
  readonly count: number;
  /**
   * Yields the values of fields for one point after the other, in the same array each time; 0 for a field that is not there.
   * @throws PcdError if the file is cut off
   */
  points(fields: readonly string[]): Iterable<Float64Array>;
}

/** Whether a file begins as a point cloud does. @param begin its first bytes */
export function isPcd(begin: Uint8Array): boolean {
  const text = new TextDecoder('latin1').decode(begin);
  return /^(\s*#[^\n]*\n)*\s*VERSION[ \t]/.test(text) || /^FIELDS[ \t][\s\S]*^SIZE[ \t]/m.test(text);
}

/** Reads a point cloud in the format PCD 0.7, with ASCII, binary or compressed data. @throws PcdError */
export function readPcd(file: Uint8Array): Pcd {
  const header = headerOf(file);
  const { columns, points, data } = header;
  const reader = readers[data];
  if (reader === undefined)
    throw new PcdError(
      `The data of the point cloud is ${data}; ascii, binary and binary_compressed can be read.`,
    );
  const read = reader(file, header);
  return {
    fields: columns.map(({ name }) => name).filter((name) => name !== ''),
    count: points,
    points: (fields) => read(fields.map((field) => columns.findIndex(({ name }) => name === field))),
  };
}

/** x, y, … of one point after the other, in the same array each time. */
type Points = Iterable<Float64Array>;

type Reader = (file: Uint8Array, header: Header) => (wanted: readonly number[]) => Points;

const readers: Readonly<Record<string, Reader>> = {
  ascii: (file, header) => (wanted) => asciiPoints(file, header, wanted),
  binary: (file, header) => (wanted) => binaryPoints(file, header, wanted),
  binary_compressed: (file, header) => {
    const plain = decompressed(file, header);
    return (wanted) => binaryPoints(plain, { ...header, length: 0 }, wanted);
  },
};

/** Most bytes of a point that compressed data may have: of all points together, 256 MB. */
const mostPlainBytes = 256 * 1024 * 1024;

/** Decompresses the points, and puts their fields side by side: compressed data has one field of all points after the other. */
function decompressed(file: Uint8Array, { columns, stride, points, length }: Header): Uint8Array {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  if (file.length < length + 8) throw new PcdError('The point cloud is cut off.');
  const packed = view.getUint32(length, true);
  const size = view.getUint32(length + 4, true);
  if (size !== points * stride || size > mostPlainBytes)
    throw new PcdError(`The compressed point cloud has ${size} bytes instead of ${points * stride}.`);
  if (file.length < length + 8 + packed) throw new PcdError('The point cloud is cut off.');
  const plain = lzf(file.subarray(length + 8, length + 8 + packed), size);
  const sorted = new Uint8Array(size);
  let from = 0;
  for (const field of fieldsOf(columns)) {
    for (let point = 0; point < points; point++, from += field.bytes)
      sorted.set(plain.subarray(from, from + field.bytes), point * stride + field.offset);
  }
  return sorted;
}

/** The fields with all their values: only the first column of a field has its name. */
function fieldsOf(
  columns: readonly Column[],
): readonly { readonly offset: number; readonly bytes: number }[] {
  const fields: { offset: number; bytes: number }[] = [];
  for (const { name, offset, bytes } of columns) {
    const last = fields.at(-1);
    if (name === '' && last !== undefined) last.bytes += bytes;
    else fields.push({ offset, bytes });
  }
  return fields;
}

/** Decompresses LZF. @throws PcdError if the bytes are damaged */
function lzf(packed: Uint8Array, size: number): Uint8Array {
  const plain = new Uint8Array(size);
  let to = 0;
  for (let at = 0; at < packed.length; ) {
    const control = packed[at++] ?? 0;
    if (control < 32) {
      const run = packed.subarray(at, at + control + 1);
      if (to + run.length > size) throw new PcdError('The compressed point cloud is damaged.');
      plain.set(run, to);
      at += run.length;
      to += run.length;
      continue;
    }
    let run = control >> 5;
    if (run === 7) run += packed[at++] ?? 0;
    let from = to - ((control & 31) << 8) - (packed[at++] ?? 0) - 1;
    if (from < 0 || to + run + 2 > size) throw new PcdError('The compressed point cloud is damaged.');
    for (let left = run + 2; left > 0; left--) plain[to++] = plain[from++] ?? 0;
  }
  if (to !== size) throw new PcdError('The compressed point cloud is damaged.');
  return plain;
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
