import { Decoder } from '@msgpack/msgpack';
import { crcBytes } from '../crc32.js';
import { beamProperty, echoProperty, type ScanModule, type ScanTelegram } from '../scan-telegram.js';
import { assertBytes, TelegramError } from '../telegram-error.js';
import { assertCrc } from '../telegram-header.js';
import {
  elementBytes,
  elementType,
  key,
  littleEndian,
  objectClass,
  payloadAt,
  payloadBytesAt,
} from './layout.js';

/**
 * Reads a scan in MSGPACK (layout.ts) whose marker has been checked. Theta, phi, distances, signal strength and properties
 * may be missing, and so may the time of transmission and the availability: phi, times and distances are 0 then. Successive
 * layers with equal numbers of beams and echoes become one module, whose scale is 1. There may be 64 layers, and 64 echoes of
 * each beam.
 * @throws TelegramError if it is not a complete telegram, or if bytes follow the CRC.
 */
export function decodeMsgpackScan(bytes: Uint8Array): ScanTelegram {
  assertBytes(bytes, payloadAt);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const end = payloadAt + view.getUint32(payloadBytesAt, true);
  assertCrc(bytes, end, payloadAt);
  if (bytes.length !== end + crcBytes) {
    throw new TelegramError(
      'nothing behind the CRC',
      `${bytes.length - end - crcBytes} bytes`,
      end + crcBytes,
    );
  }
  return readSegment(unpack(bytes.subarray(payloadAt, end)));
}

const segment = 'a segment';

function readSegment(value: unknown): ScanTelegram {
  const object = membersOf(value, segment);
  if (object.class !== objectClass.segment) {
    throw unexpected(`class ${objectClass.segment}`, object.class, segment);
  }
  const data = membersOf(object.data, `data (key ${key.data}) of a segment`);
  const common = {
    segmentIndex: wholeNumberIn(data, 'segmentIndex', segment),
    frameNumber: wholeNumberIn(data, 'frameNumber', segment),
    sender: wholeNumberIn(data, 'sender', segment),
    availability: availabilityIn(data),
  };
  const layers = data.layers === undefined ? [] : arrayIn(data, 'layers', segment).map(readLayer);
  return {
    sequence: wholeNumberIn(data, 'sequence', segment),
    transmitTime: data.transmitTime === undefined ? 0 : wholeNumberIn(data, 'transmitTime', segment),
    modules: groupsOfAlike(layers).map((rows) => ({ ...common, ...moduleOf(rows) })),
  };
}

/** Reads the availability: a boolean or a whole number. Scanners send the one, their description has the other. */
function availabilityIn(data: Members): number {
  const { availability } = data;
  if (availability === undefined) return 0;
  if (typeof availability === 'number') return wholeNumberIn(data, 'availability', segment);
  return booleanIn(data, 'availability', segment) ? 1 : 0;
}

/** Groups successive layers with the same beams, echoes and content. */
function groupsOfAlike(layers: readonly Layer[]): Layer[][] {
  const groups: Layer[][] = [];
  let before: Layer | undefined;
  for (const layer of layers) {
    const group = groups.at(-1);
    if (group !== undefined && before !== undefined && isAlike(before, layer)) group.push(layer);
    else groups.push([layer]);
    before = layer;
  }
  return groups;
}

function isAlike(one: Layer, other: Layer): boolean {
  return (
    one.beams === other.beams &&
    one.echoes === other.echoes &&
    one.rssi.length === other.rssi.length &&
    one.properties.length === other.properties.length &&
    (one.theta === undefined) === (other.theta === undefined)
  );
}

type Segment = Pick<ScanModule, 'segmentIndex' | 'frameNumber' | 'sender' | 'availability'>;

function moduleOf(layers: readonly Layer[]): Omit<ScanModule, keyof Segment> {
  const rows = layers.length;
  const { beams: columns = 0, echoes = 0, theta, rssi = [], properties = [] } = layers[0] ?? {};
  const beams = rows * columns;
  const into = {
    distance: new Float32Array(beams * echoes),
    rssi: rssi.length > 0 ? new Uint16Array(beams * echoes) : undefined,
    properties: properties.length > 0 ? new Uint8Array(beams) : undefined,
    azimuth: theta === undefined ? undefined : new Float32Array(beams),
  };
  for (const [row, layer] of layers.entries()) fill(into, layer, row, rows);
  return {
    rows,
    columns,
    echoes,
    firstBeamTime: layers.map((layer) => layer.firstBeamTime),
    lastBeamTime: layers.map((layer) => layer.lastBeamTime),
    elevation: layers.map((layer) => layer.elevation),
    firstAzimuth: layers.map((layer) => layer.firstAzimuth),
    lastAzimuth: layers.map((layer) => layer.lastAzimuth),
    scale: 1,
    ...into,
  };
}

type Arrays = Pick<ScanModule, 'distance' | 'rssi' | 'properties' | 'azimuth'>;

function fill(into: Arrays, layer: Layer, row: number, rows: number): void {
  const { beams, echoes } = layer;
  for (let column = 0; column < beams; column++) {
    const beam = column * rows + row;
    for (let echo = 0; echo < echoes; echo++) {
      const index = beam * echoes + echo;
      into.distance[index] = layer.distance[echo]?.value(column) ?? 0;
      if (into.rssi !== undefined) into.rssi[index] = layer.rssi[echo]?.value(column) ?? 0;
    }
    if (into.properties !== undefined) into.properties[beam] = propertiesOf(layer, column);
    if (into.azimuth !== undefined) into.azimuth[beam] = layer.theta?.value(column) ?? 0;
  }
}

/** Returns the properties of a beam, combined from those of its echoes. */
function propertiesOf({ properties }: Layer, column: number): number {
  let bits = 0;
  for (let echo = 0; echo < properties.length; echo++) {
    const byte = properties[echo]?.value(column) ?? 0;
    if (byte & echoProperty.reflector) bits |= beamProperty.reflector;
    if (byte & echoProperty.blooming && echo < beamProperty.bloomingEchoes) {
      bits |= 1 << (beamProperty.firstBlooming + echo);
    }
  }
  return bits;
}

/** One layer of a segment as in the telegram. Every array has the length that follows from beams and echoes. */
interface Layer {
  readonly beams: number;
  readonly echoes: number;
  readonly firstBeamTime: number;
  readonly lastBeamTime: number;
  readonly firstAzimuth: number;
  readonly lastAzimuth: number;
  readonly elevation: number;
  readonly theta: NumberArray | undefined;
  /** Values by echo; empty if the telegram does not contain them. */
  readonly distance: readonly NumberArray[];
  /** Values by echo; empty if the telegram does not contain them. */
  readonly rssi: readonly NumberArray[];
  /** Values by echo, or one array for the beam; empty if the telegram does not contain them. */
  readonly properties: readonly NumberArray[];
}

const layer = 'a layer';

/** Largest number of echoes of a layer: a hundred times that of the finest scan. */
const mostPlaces = 2 ** 20;

/**
 * Reads a layer.
 * @throws TelegramError if it is not a layer, or its arrays have wrong lengths.
 */
function readLayer(value: unknown): Layer {
  const data = membersOf(membersOf(value, layer).data, `data (key ${key.data}) of a layer`);
  const beams = wholeNumberIn(data, 'beams', layer);
  const echoes = wholeNumberIn(data, 'echoes', layer);
  if (echoes < 1) throw unexpected('one echo or more', echoes, layer);
  // Without arrays of this length, these numbers alone would allocate memory.
  if (beams * echoes > mostPlaces)
    throw unexpected(`at most ${mostPlaces} places for echoes`, beams * echoes, layer);
  const perEcho = (name: 'distance' | 'rssi' | 'properties', ...counts: readonly number[]) => {
    const values = data[name] === undefined ? [] : arrayIn(data, name, layer);
    if (!counts.includes(values.length)) {
      throw wrongCount(`${counts.join(' or ')} arrays`, name, values.length);
    }
    return values.map((array) => arrayOf(array, name, beams));
  };
  return {
    beams,
    echoes,
    firstBeamTime: wholeNumberIn(data, 'firstBeamTime', layer),
    lastBeamTime: wholeNumberIn(data, 'lastBeamTime', layer),
    firstAzimuth: numberIn(data, 'firstAzimuth', layer),
    lastAzimuth: numberIn(data, 'lastAzimuth', layer),
    elevation: data.phi === undefined ? 0 : arrayOf(data.phi, 'phi', 1).value(0),
    theta: data.theta === undefined ? undefined : arrayOf(data.theta, 'theta', beams),
    distance: perEcho('distance', 0, echoes),
    rssi: perEcho('rssi', 0, echoes),
    properties: perEcho('properties', 0, 1, echoes),
  };
}

function arrayOf(value: unknown, name: keyof typeof key, length: number): NumberArray {
  const array = readArray(value, `key ${key[name]} in ${layer}`);
  if (array.count !== length) throw wrongCount(`${length} numbers`, name, array.count);
  return array;
}

function wrongCount(expected: string, name: keyof typeof key, came: number): TelegramError {
  return new TelegramError(`${expected} of key ${key[name]}`, `${came}`, payloadAt);
}

/**
 * Largest number of items of an array: layers, or echoes. The library allocates memory for them in advance, in each of nested
 * arrays. With this limit long arrays cost no more per byte than short ones.
 */
const mostItems = 64;

const names: ReadonlyMap<unknown, string> = new Map(
  Object.entries(key).map(([name, number]) => [number, name]),
);

/**
 * The key of all members that layout.ts does not name, together. A number must not become a key: an object would allocate
 * room for all the numbers below it, too.
 */
const unnamed = 'unnamed';

/**
 * Reads a payload of MessagePack: maps become objects with the names of layout.ts, bytes are not copied. No matter what the
 * payload declares, reading it needs less than 300 bytes of memory for each of its bytes.
 * @throws TelegramError if it is not exactly one value.
 */
export function unpack(payload: Uint8Array): unknown {
  const decoder = new Decoder({
    maxArrayLength: mostItems,
    maxMapLength: payload.length,
    maxBinLength: payload.length,
    maxStrLength: payload.length,
    maxExtLength: payload.length,
    mapKeyConverter: (number) => names.get(number) ?? unnamed,
  });
  try {
    return decoder.decode(payload);
  } catch (error) {
    throw new TelegramError('one whole value of MessagePack', reasonOf(error), payloadAt);
  }
}

/** Returns the reason of an error. If a payload is cut off, the library only reports a read beyond the end. */
function reasonOf(error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error);
  const isCutOff = error instanceof RangeError && !reason.startsWith('Extra');
  return isCutOff ? 'one that is cut off' : `something else (${reason})`;
}

type Name = keyof typeof key;

/** A map of a telegram, with the names of layout.ts. The values are not checked yet. */
export type Members = Readonly<Partial<Record<Name, unknown>>>;

/**
 * Returns the members of a map.
 * @param what names it in errors, as does `of` below.
 * @throws TelegramError if it is not a map.
 */
export function membersOf(value: unknown, what: string): Members {
  if (!isMap(value)) throw unexpected('a map', value, what);
  return value;
}

/** @throws TelegramError if it is missing, or not an array. */
function arrayIn(members: Members, name: Name, of: string): readonly unknown[] {
  const value = members[name];
  if (!Array.isArray(value)) throw unexpected('an array', value, memberName(name, of));
  return value;
}

/** Limit of whole numbers: they have 64 bits. Larger floats could make a sum infinite. */
const wholeNumberLimit = 2 ** 64;

/** @throws TelegramError if it is missing, or not a whole number from 0 on. */
export function wholeNumberIn(members: Members, name: Name, of: string): number {
  const value = numberIn(members, name, of);
  if (value < 0 || value > wholeNumberLimit || !Number.isInteger(value)) {
    throw unexpected('a whole number from 0 on, of 64 bits', value, memberName(name, of));
  }
  return value;
}

/** @throws TelegramError if it is missing, or not a number. */
export function numberIn(members: Members, name: Name, of: string): number {
  const value = members[name];
  if (typeof value !== 'number') throw unexpected('a number', value, memberName(name, of));
  return value;
}

/** @throws TelegramError if it is missing, or not a boolean. */
export function booleanIn(members: Members, name: Name, of: string): boolean {
  const value = members[name];
  if (typeof value !== 'boolean') throw unexpected('a boolean', value, memberName(name, of));
  return value;
}

/** Returns the error for a wrong value in the payload. Its offset is unknown. */
export function unexpected(expected: string, value: unknown, where: string): TelegramError {
  return new TelegramError(`${expected} for ${where}`, describeValue(value), payloadAt);
}

function memberName(name: Name, of: string): string {
  return `key ${key[name]} in ${of}`;
}

function isMap(value: unknown): value is Members {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array)
  );
}

/** Describes a value in words. */
function describeValue(value: unknown): string {
  if (value === undefined) return 'none';
  if (value === null) return 'nil';
  if (typeof value === 'number' || typeof value === 'boolean') return `${value}`;
  if (typeof value === 'string') return 'text';
  if (value instanceof Uint8Array) return `${value.length} bytes`;
  return Array.isArray(value) ? `an array of ${value.length}` : 'a map';
}

/** An array of numbers in a telegram. */
interface NumberArray {
  readonly count: number;
  /** Returns the number at an index. */
  readonly value: (index: number) => number;
}

/**
 * Reads an array of numbers, in place.
 * @param what names it in errors.
 * @throws TelegramError if its type or byte order is unknown, or its length is wrong.
 */
function readArray(value: unknown, what: string): NumberArray {
  const members = membersOf(value, what);
  const { endian, data } = members;
  if (endian !== littleEndian) throw unexpected(`an array in little-endian (${littleEndian})`, endian, what);
  const types = arrayIn(members, 'elementTypes', what);
  const [type] = types;
  if (types.length !== 1) throw unexpected('one type of element', types, what);
  const size = typeof type === 'number' ? elementBytes[type] : undefined;
  if (typeof type !== 'number' || size === undefined) {
    throw unexpected('an array of f32, u8 or u16 (49, 51, 52)', type, what);
  }
  if (!(data instanceof Uint8Array) || data.length % size !== 0) {
    throw unexpected(`numbers of ${size} bytes`, data, what);
  }
  return { count: data.length / size, value: valueAt(data, type) };
}

function valueAt(bytes: Uint8Array, type: number): (index: number) => number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (type === elementType.f32) return (index) => view.getFloat32(4 * index, true);
  if (type === elementType.u16) return (index) => view.getUint16(2 * index, true);
  return (index) => view.getUint8(index);
}
