import { hasBytes, hasCrc } from '../compact/checks.js';
import { crcBytes } from '../compact/header.js';
import type { ScanModule, ScanTelegram } from '../scan-telegram.js';
import { TelegramError } from '../telegram-error.js';
import { beamProperty, echoProperty, key, objectClass, payloadAt, payloadBytesAt } from './layout.js';
import { MsgpackReader } from './msgpack-reader.js';
import { type Layer, readLayer } from './read-layer.js';

/**
 * Reads a scan in MSGPACK (layout: layout.ts) of which the marker has been looked at. Layers that follow one another with
 * as many beams and echoes make one module; their scale is 1.
 * @throws TelegramError where it is none, or not a whole one, and where something follows the CRC.
 */
export function decodeMsgpackScan(bytes: Uint8Array): ScanTelegram {
  hasBytes(bytes, payloadAt);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const end = payloadAt + view.getUint32(payloadBytesAt, true);
  hasCrc(bytes, end, payloadAt);
  if (bytes.length !== end + crcBytes) {
    throw new TelegramError(
      'nothing behind the CRC',
      `${bytes.length - end - crcBytes} bytes`,
      end + crcBytes,
    );
  }
  const reader = new MsgpackReader(bytes.subarray(0, end), payloadAt);
  const telegram = readSegment(reader);
  if (!reader.isAtEnd) {
    throw new TelegramError('one value', `${end - reader.at} bytes behind it`, reader.at);
  }
  return telegram;
}

function readSegment(reader: MsgpackReader): ScanTelegram {
  const { at } = reader;
  let objectIs = -1;
  let telegram: ScanTelegram | undefined;
  for (let pairs = reader.map(); pairs > 0; pairs--) {
    const name = reader.uint();
    if (name === key.class) objectIs = reader.uint();
    else if (name === key.data) telegram = readData(reader);
    else reader.skip();
  }
  if (objectIs !== objectClass.segment) {
    throw new TelegramError(`a segment (class ${objectClass.segment})`, `${objectIs}`, at);
  }
  if (telegram === undefined) throw new TelegramError(`data (key ${key.data}) of a segment`, 'none', at);
  return telegram;
}

function readData(reader: MsgpackReader): ScanTelegram {
  const { at } = reader;
  const numbers = new Map<number, number>();
  const layers: Layer[] = [];
  for (let pairs = reader.map(); pairs > 0; pairs--) {
    const name = reader.uint();
    if (wholeNumbers.has(name)) numbers.set(name, reader.uint());
    else if (name === key.availability) numbers.set(name, reader.boolean() ? 1 : 0);
    else if (name === key.layers) {
      for (let left = reader.array(); left > 0; left--) layers.push(readLayer(reader));
    } else reader.skip();
  }
  const number = (name: number) => {
    const value = numbers.get(name);
    if (value === undefined) throw new TelegramError(`key ${name} in a segment`, 'none', at);
    return value;
  };
  const segment = {
    segmentIndex: number(key.segmentIndex),
    frameNumber: number(key.frameNumber),
    sender: number(key.sender),
    availability: number(key.availability),
  };
  return {
    sequence: number(key.sequence),
    transmitTime: number(key.transmitTime),
    modules: alike(layers).map((rows) => ({ ...segment, ...moduleOf(rows) })),
  };
}

const wholeNumbers: ReadonlySet<number> = new Set([
  key.sequence,
  key.transmitTime,
  key.segmentIndex,
  key.frameNumber,
  key.sender,
]);

/** Layers that follow one another and are told in the same way, together. */
function alike(layers: readonly Layer[]): Layer[][] {
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
    ...(rssi.length > 0 && { rssi: new Uint16Array(beams * echoes) }),
    ...(properties.length > 0 && { properties: new Uint8Array(beams) }),
    ...(theta !== undefined && { azimuth: new Float32Array(beams) }),
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
      const place = beam * echoes + echo;
      into.distance[place] = layer.distance[echo]?.value(column) ?? 0;
      if (into.rssi !== undefined) into.rssi[place] = layer.rssi[echo]?.value(column) ?? 0;
    }
    if (into.properties !== undefined) into.properties[beam] = propertiesOf(layer, column);
    if (into.azimuth !== undefined) into.azimuth[beam] = layer.theta?.value(column) ?? 0;
  }
}

/** Properties of a beam, put together from those of its echoes. */
function propertiesOf({ properties }: Layer, column: number): number {
  let told = 0;
  for (let echo = 0; echo < properties.length; echo++) {
    const byte = properties[echo]?.value(column) ?? 0;
    if (byte & echoProperty.reflector) told |= beamProperty.reflector;
    if (byte & echoProperty.blooming && echo < beamProperty.bloomingEchoes) {
      told |= 1 << (beamProperty.firstBlooming + echo);
    }
  }
  return told;
}
