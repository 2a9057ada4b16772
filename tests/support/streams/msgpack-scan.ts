import { decode } from '@msgpack/msgpack';
import { BadTelegram, Cursor, demand, demandCrc, startMarker } from './bytes.js';
import { demandOrder } from './compact.js';
import type { Segment } from './telegram.js';

/** A map with whole numbers for keys: the decoder writes them as names of members. */
type PackedMap = Readonly<Record<string, unknown>>;

const key = {
  ...{ class: 0x10, data: 0x11, count: 0x12, elementSize: 0x13, endian: 0x14, elementTypes: 0x15 },
  ...{ theta: 0x50, phi: 0x51, distances: 0x52, rssi: 0x53, properties: 0x54 },
  ...{ start: 0x71, stop: 0x72, thetaStart: 0x73, thetaStop: 0x74, scanNumber: 0x75, module: 0x76 },
  ...{ beams: 0x77, echoes: 0x78, segmentIndex: 0x91, frame: 0x92, availability: 0x93, sender: 0x94 },
  ...{ segmentData: 0x96, layers: 0xa0, sequence: 0xb0, transmitTime: 0xb1 },
} as const;

const scanClass = 0x70;
const segmentClass = 0x90;
const little = 0x30;
const float32 = 0x31;
const uint8 = 0x33;
const uint16 = 0x34;

const topKeys = [
  ...[key.sequence, key.transmitTime, key.segmentIndex, key.frame],
  ...[key.availability, key.sender, key.layers, key.segmentData],
];
const scanKeys = [
  ...[key.start, key.stop, key.thetaStart, key.thetaStop, key.scanNumber, key.module],
  ...[key.theta, key.phi, key.distances, key.rssi, key.properties, key.beams, key.echoes],
];
const arrayKeys = [key.data, key.count, key.elementSize, key.endian, key.elementTypes];

/** @throws BadTelegram for anything that is not a whole scan telegram in MSGPACK, and nothing but it */
export function decodeMsgpackScan(telegram: Buffer): Segment {
  const cursor = new Cursor(telegram);
  demand('start of frame', cursor.u32('start of frame'), startMarker);
  const length = cursor.u32('payload length');
  demand('size of the telegram', telegram.length, 8 + length + 4);
  const payload = telegram.subarray(8, 8 + length);
  demandCrc(telegram, 8 + length, payload);
  const beginning = Buffer.from([0x82, 0x10, 0xcc, 0x90, 0x11, 0x88, 0xcc, 0xb0]);
  if (!payload.subarray(0, beginning.length).equals(beginning)) {
    throw new BadTelegram(`payload: begins with ${payload.subarray(0, 8).toString('hex')}`);
  }
  const top = objectOf(unpack(payload), segmentClass, topKeys);
  const layers = list(top, key.layers);
  demand('layers of a 2D scanner', layers.length, 1);
  const scans = list(top, key.segmentData);
  demand('scans of a 2D scanner', scans.length, 1);
  const scan = objectOf(scans[0], scanClass, scanKeys);
  return segmentOf(top, scan, telegram.length);
}

/** @throws BadTelegram unless the bytes are one value and nothing else */
function unpack(payload: Buffer): unknown {
  try {
    return decode(payload);
  } catch (error) {
    throw new BadTelegram(`MSGPACK: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function segmentOf(top: PackedMap, scan: PackedMap, bytes: number): Segment {
  const beams = integer(scan, key.beams);
  const echoes = integer(scan, key.echoes);
  demand('echoes', echoes, 1, 2, 3);
  const azimuth = values(at(scan, key.theta), float32, beams);
  const distance = turned(list(scan, key.distances), float32, beams, echoes);
  const rssi = turned(list(scan, key.rssi), uint16, beams, echoes);
  for (let beam = 0; beam < beams; beam += 1) demandOrder(beam, distance[beam] ?? [], rssi[beam] ?? []);
  const available = at(top, key.availability);
  if (typeof available !== 'boolean') throw new BadTelegram('availability: true or false expected');
  demand('scan number', integer(scan, key.scanNumber), integer(top, key.frame));
  return {
    format: 'MSGPACK',
    sequence: integer(top, key.sequence),
    transmitTime: integer(top, key.transmitTime),
    index: integer(top, key.segmentIndex),
    frame: integer(top, key.frame),
    sender: integer(top, key.sender),
    firstTime: integer(scan, key.start),
    lastTime: integer(scan, key.stop),
    firstAzimuth: real(scan, key.thetaStart),
    lastAzimuth: real(scan, key.thetaStop),
    elevation: values(at(scan, key.phi), float32, 1)[0] ?? 0,
    properties: turned(list(scan, key.properties), uint8, beams, echoes),
    azimuthCode: undefined,
    scale: 1,
    ...{ available, azimuth, distance, rssi, beams, echoes, bytes },
  };
}

/** Returns the content of an object of a class, with exactly these members. */
function objectOf(value: unknown, name: number, keys: readonly number[]): PackedMap {
  const object = map(value, `class ${name.toString(16)}`);
  demandKeys(object, [key.class, key.data]);
  demand('class', integer(object, key.class), name);
  const data = map(at(object, key.data), `data of class ${name.toString(16)}`);
  demandKeys(data, keys);
  return data;
}

/** One array an echo, turned into one list a beam. */
function turned(arrays: readonly unknown[], type: number, beams: number, echoes: number): number[][] {
  demand('arrays, one an echo', arrays.length, echoes);
  const columns = arrays.map((array) => values(array, type, beams));
  return Array.from({ length: beams }, (_, beam) => columns.map((column) => column[beam] ?? 0));
}

function values(value: unknown, type: number, count: number): number[] {
  const array = map(value, 'array');
  demandKeys(array, arrayKeys);
  demand('elements of an array', integer(array, key.count), count);
  demand('byte order', integer(array, key.endian), little);
  const types = list(array, key.elementTypes);
  demand('types of an array', types.length, 1);
  demand('type of an array', number(types[0], 'type'), type);
  const size = type === float32 ? 4 : type === uint16 ? 2 : 1;
  demand('bytes an element', integer(array, key.elementSize), size);
  const bytes = at(array, key.data);
  if (!(bytes instanceof Uint8Array)) throw new BadTelegram('array: its data are not bytes');
  demand('bytes of an array', bytes.length, size * count);
  const cursor = new Cursor(Buffer.from(bytes));
  return cursor.list(count, () =>
    type === float32 ? cursor.f32('element') : type === uint16 ? cursor.u16('element') : cursor.u8('element'),
  );
}

function demandKeys(object: PackedMap, keys: readonly number[]): void {
  const words = (some: Iterable<number>) =>
    [...some]
      .sort((a, b) => a - b)
      .map((one) => one.toString(16))
      .join(' ');
  const found = Object.keys(object).map(Number);
  if (words(found) !== words(keys)) {
    throw new BadTelegram(`MSGPACK: keys ${words(keys)} expected, got ${words(found)}`);
  }
}

function at(object: PackedMap, name: number): unknown {
  const value = object[name];
  if (value === undefined) throw new BadTelegram(`MSGPACK: no ${name.toString(16)}`);
  return value;
}

function map(value: unknown, what: string): PackedMap {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || value instanceof Uint8Array)
    throw new BadTelegram(`MSGPACK: ${what} is not a map`);
  return Object.fromEntries(Object.entries(value));
}

function list(object: PackedMap, name: number): readonly unknown[] {
  const value = at(object, name);
  if (!Array.isArray(value)) throw new BadTelegram(`MSGPACK: ${name.toString(16)} is no array`);
  return value;
}

function number(value: unknown, what: string): number {
  if (typeof value !== 'number') throw new BadTelegram(`MSGPACK: ${what} is no number`);
  return value;
}

function real(object: PackedMap, name: number): number {
  return number(at(object, name), name.toString(16));
}

function integer(object: PackedMap, name: number): number {
  const value = real(object, name);
  if (!Number.isInteger(value) || value < 0)
    throw new BadTelegram(`MSGPACK: ${name.toString(16)} is ${value}`);
  return value;
}
