import type { Beam } from './beam-facts.js';
import { type Packed, type PackedMap, readPacked } from './message-pack.js';
import type { SegmentReading } from './segment-reading.js';
import { degrees, hex, rounded, TelegramBytes } from './telegram-bytes.js';

/**
 * Reads a segment of a scan in MSGPACK with one layer.
 * @throws RangeError for a telegram that is not of this shape
 */
export function readMsgpackScan(telegram: TelegramBytes): SegmentReading {
  const payloadBytes = telegram.u32(4);
  const { value, end } = readPacked(telegram, 8);
  const outer = mapOf(value, 'payload');
  const segment = mapOf(outer['0x11'], '0x11');
  const layers = listOf(segment['0x96'], '0x96');
  const outerLayer = mapOf(layers[0], 'the layer');
  const layer = mapOf(outerLayer['0x11'], '0x11 of the layer');
  return {
    kind: 'scan',
    format: 'MSGPACK',
    bytes: telegram.length,
    marker: hex(telegram.u32(0)),
    payloadBytes,
    undeclaredBytes: telegram.length - 8 - payloadBytes - 4,
    spareBytes: telegram.length - end - 4,
    checksum: telegram.checksum(8, 8 + payloadBytes),
    /** The first bytes of the payload. */
    head: Buffer.from(telegram.bytes.subarray(8, 16)).toString('hex'),
    class: outer['0x10'],
    segmentKeys: Object.keys(segment).sort().join(' '),
    sequence: numberOf(segment, '0xb0'),
    transmitTime: numberOf(segment, '0xb1'),
    segment: numberOf(segment, '0x91'),
    frame: numberOf(segment, '0x92'),
    availability: segment['0x93'],
    sender: String(segment['0x94']),
    layerIds: segment['0xa0'],
    layers: layers.length,
    layerClass: outerLayer['0x10'],
    layerKeys: Object.keys(layer).sort().join(' '),
    ...layerOf(layer),
  };
}

function layerOf(layer: PackedMap) {
  const beams = numberOf(layer, '0x77');
  const distance = listOf(layer['0x52'], '0x52').map((echo) => numbersOf(echo, '0x52'));
  const rssi =
    layer['0x53'] === undefined
      ? undefined
      : listOf(layer['0x53'], '0x53').map((echo) => numbersOf(echo, '0x53'));
  const properties =
    layer['0x54'] === undefined
      ? undefined
      : listOf(layer['0x54'], '0x54').map((echo) => numbersOf(echo, '0x54'));
  const azimuth = layer['0x50'] === undefined ? undefined : numbersOf(layer['0x50'], '0x50');
  return {
    firstTime: numberOf(layer, '0x71'),
    lastTime: numberOf(layer, '0x72'),
    firstAzimuth: degrees(numberOf(layer, '0x73')),
    lastAzimuth: degrees(numberOf(layer, '0x74')),
    scanNumber: layer['0x75'],
    moduleId: layer['0x76'],
    elevation: numbersOf(layer['0x51'], '0x51')[0],
    beams,
    echoes: numberOf(layer, '0x78'),
    /** Arrays of echoes that were sent. */
    distanceArrays: distance.length,
    rssiArrays: rssi?.length ?? 0,
    propertyArrays: properties?.length ?? 0,
    arrays: {
      azimuth: headOf(layer['0x50']),
      elevation: headOf(layer['0x51']),
      distance: headOf(listOf(layer['0x52'], '0x52')[0]),
      rssi: headOf(listOf(layer['0x53'] ?? [], '0x53')[0]),
      properties: headOf(listOf(layer['0x54'] ?? [], '0x54')[0]),
    },
    beamList: Array.from({ length: Math.min(beams, azimuth?.length ?? beams, 65536) }, (_, index): Beam => {
      const bits = properties?.map((echo) => echo[index] ?? 0);
      const angle = azimuth?.[index];
      return {
        azimuth: angle === undefined ? undefined : (angle * 180) / Math.PI,
        distance: distance.map((echo) => rounded(echo[index] ?? 0, 2)),
        rssi: rssi?.map((echo) => echo[index] ?? 0),
        isReflector: bits?.some((echo) => (echo & 1) === 1),
        unknownBits: bits?.reduce((all, echo) => all | (echo & 0b1111_1100), 0) ?? 0,
      };
    }),
  };
}

/** Numbers of an array, its element size, byte order and type, as they were sent: `90 × 4, 0x30, 0x31`. */
function headOf(array: Packed | undefined): string | undefined {
  if (array === undefined) return undefined;
  const members = mapOf(array, 'an array');
  const data = members['0x11'];
  const types = listOf(members['0x15'], '0x15');
  const bytes = data instanceof Uint8Array ? data.length : 0;
  const [count, size] = [numberOf(members, '0x12'), numberOf(members, '0x13')];
  const shape = `${size} bytes, order ${hexByte(members['0x14'])}, types ${types.map(hexByte).join(' ')}`;
  return count * size === bytes ? shape : `${shape}, but ${bytes} bytes for ${count}`;
}

function hexByte(value: Packed | undefined): string {
  return typeof value === 'number' ? `0x${value.toString(16)}` : String(value);
}

/** Reads an array of numbers by its declared type; the numbers inside are little-endian. */
function numbersOf(array: Packed | undefined, what: string): readonly number[] {
  const members = mapOf(array, what);
  const data = members['0x11'];
  if (!(data instanceof Uint8Array)) throw new RangeError(`${what} has no bytes`);
  const bytes = new TelegramBytes(data);
  const [type] = listOf(members['0x15'], '0x15');
  if (type === 0x31) return Array.from({ length: data.length >> 2 }, (_, index) => bytes.f32(4 * index));
  if (type === 0x34) return Array.from({ length: data.length >> 1 }, (_, index) => bytes.u16(2 * index));
  if (type === 0x33) return [...data];
  throw new RangeError(`${what} has elements of the type ${hexByte(type)}`);
}

function mapOf(value: Packed | undefined, what: string): PackedMap {
  if (isMap(value)) return value;
  throw new RangeError(`${what} is not a map`);
}

function isMap(value: Packed | undefined): value is PackedMap {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array)
  );
}

function listOf(value: Packed | undefined, what: string): readonly Packed[] {
  if (isList(value)) return value;
  throw new RangeError(`${what} is not a list`);
}

function isList(value: Packed | undefined): value is readonly Packed[] {
  return Array.isArray(value);
}

function numberOf(map: PackedMap, key: string): number {
  const value = map[key];
  if (typeof value === 'number') return value;
  throw new RangeError(`${key} is not a number`);
}
