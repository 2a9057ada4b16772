/** A point of a cloud: m, and the strength of its echo. */
export interface Point {
  readonly x: number;
  readonly y: number;
  readonly z: number;
  readonly intensity: number;
}

/** A PCD file, read by what the description of the format says (version 0.7): header lines, then the data. */
export interface Pcd {
  readonly header: ReadonlyMap<string, readonly string[]>;
  readonly points: readonly Point[];
}

/** The entries of a header in the order in which the format demands them. */
const entries = [
  ...['VERSION', 'FIELDS', 'SIZE', 'TYPE', 'COUNT', 'WIDTH', 'HEIGHT', 'VIEWPOINT', 'POINTS', 'DATA'],
];

interface Field {
  readonly name: string;
  readonly offset: number;
  readonly read: (view: DataView, at: number) => number;
}

/** Reads a binary file. Throws where it is not as the format demands, or longer or shorter than it says. */
export function readPcd(file: Uint8Array): Pcd {
  const { header, length } = readHeader(file);
  if (header.get('VERSION')?.join() !== '0.7') throw new Error('version 0.7 expected');
  if (header.get('DATA')?.join() !== 'binary') throw new Error('binary data expected');
  if (header.get('VIEWPOINT')?.length !== 7) throw new Error('a viewpoint has seven numbers');
  const points = wholeNumber(header, 'POINTS');
  if (wholeNumber(header, 'WIDTH') * wholeNumber(header, 'HEIGHT') !== points)
    throw new Error('WIDTH × HEIGHT ≠ POINTS');
  const { fields, stride } = fieldsOf(header);
  const data = file.subarray(length);
  if (data.length !== points * stride) {
    throw new Error(`expected ${points} points of ${stride} bytes, got ${data.length} bytes`);
  }
  const view = new DataView(data.buffer, data.byteOffset, data.length);
  const value = (name: string, point: number): number => {
    const field = fields.find((one) => one.name === name);
    if (field === undefined) throw new Error(`no field ${name}`);
    return field.read(view, point * stride + field.offset);
  };
  return {
    header,
    points: Array.from({ length: points }, (_, point) => ({
      x: value('x', point),
      y: value('y', point),
      z: value('z', point),
      intensity: value('intensity', point),
    })),
  };
}

function readHeader(file: Uint8Array): { header: Map<string, readonly string[]>; length: number } {
  const header = new Map<string, readonly string[]>();
  let at = 0;
  while (!header.has('DATA')) {
    const end = file.indexOf(10, at);
    if (end < 0) throw new Error('the header has no end');
    const line = Buffer.from(file.subarray(at, end)).toString('latin1');
    at = end + 1;
    if (line.startsWith('#')) continue;
    const [name = '', ...values] = line.trim().split(/\s+/);
    if (name !== entries[header.size]) throw new Error(`${entries[header.size]} expected, got "${line}"`);
    header.set(name, values);
  }
  return { header, length: at };
}

function wholeNumber(header: ReadonlyMap<string, readonly string[]>, name: string): number {
  const [text = '', ...more] = header.get(name) ?? [];
  if (!/^\d+$/.test(text) || more.length > 0) throw new Error(`${name}: one whole number expected`);
  return Number(text);
}

function fieldsOf(header: ReadonlyMap<string, readonly string[]>): { fields: Field[]; stride: number } {
  const fields: Field[] = [];
  let stride = 0;
  for (const [index, name] of (header.get('FIELDS') ?? []).entries()) {
    const [type, size, count] = ['TYPE', 'SIZE', 'COUNT'].map((entry) => header.get(entry)?.[index]);
    if (type !== 'F' || size !== '4' || count !== '1') throw new Error(`${name}: one float32 expected`);
    fields.push({ name, offset: stride, read: (view, at) => view.getFloat32(at, true) });
    stride += 4;
  }
  return { fields, stride };
}
