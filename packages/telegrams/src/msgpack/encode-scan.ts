import { crc32, crcBytes } from '../crc32.js';
import {
  beamProperty,
  beamsOf,
  echoProperty,
  reflectorEchoes,
  type ScanModule,
  type ScanTelegram,
} from '../scan-telegram.js';
import { outputFor, startMarker } from '../telegram-header.js';
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
 * Writes a scan as MSGPACK (layout.ts). Every row of every module becomes a layer. If a module has no rssi, properties or
 * azimuth, they are left out, although some receivers end then. This format has neither scale nor version. Of the properties,
 * reflector and the blooming of each echo are written.
 * @param target where to write; a new array by default.
 * @returns the part of it that was written.
 * @throws RangeError if `target` is too small, an array of a module has the wrong length, there is no module, or the modules
 * are not of one segment.
 */
export function encodeMsgpackScan(telegram: ScanTelegram, target?: Uint8Array): Uint8Array {
  const { modules } = telegram;
  const segment = segmentOf(modules);
  // The length is known only after writing. If a target may be too small, the telegram is written elsewhere and copied.
  const most = mostBytes(modules);
  const room = target === undefined || target.length < most ? new Uint8Array(most) : target;
  const view = new DataView(room.buffer, room.byteOffset, room.length);
  const writer = new MsgpackWriter(view, payloadAt);
  writeSegment(writer, view, telegram, segment);
  const end = writer.at;
  view.setUint32(0, startMarker, true);
  view.setUint32(payloadBytesAt, end - payloadAt, true);
  view.setUint32(end, crc32(room.subarray(payloadAt, end)), true);
  const written = room.subarray(0, end + crcBytes);
  if (target === undefined || room === target) return written;
  const output = outputFor(written.length, target);
  output.set(written);
  return output;
}

/** Returns the first module, after checking that all of them belong to one segment. */
function segmentOf(modules: readonly ScanModule[]): ScanModule {
  const [first, ...others] = modules;
  if (first === undefined) throw new RangeError('expected one module or more, got none');
  for (const other of others) {
    if (
      other.segmentIndex !== first.segmentIndex ||
      other.frameNumber !== first.frameNumber ||
      other.sender !== first.sender ||
      other.availability !== first.availability
    ) {
      throw new RangeError(
        'expected modules of one segment, but they differ in index, frame, sender or availability',
      );
    }
  }
  return first;
}

/**
 * Returns a sufficient number of bytes: 128 for a segment and for a layer without its arrays, 24 for an array without its
 * numbers.
 */
function mostBytes(modules: readonly ScanModule[]): number {
  let bytes = 128;
  for (const { rows, columns, echoes } of modules) {
    bytes += rows * (128 + 24 * (2 + 3 * echoes) + columns * (4 + 7 * echoes));
  }
  return bytes;
}

function writeSegment(
  writer: MsgpackWriter,
  view: DataView,
  telegram: ScanTelegram,
  segment: ScanModule,
): void {
  const { modules } = telegram;
  const layers = modules.reduce((count, { rows }) => count + rows, 0);
  writer.map(2);
  writer.uint(key.class);
  writer.uint(objectClass.segment);
  writer.uint(key.data);
  writer.map(8);
  pair(writer, key.sequence, telegram.sequence);
  pair(writer, key.transmitTime, telegram.transmitTime);
  pair(writer, key.segmentIndex, segment.segmentIndex);
  pair(writer, key.frameNumber, segment.frameNumber);
  writer.uint(key.availability);
  writer.boolean(segment.availability !== 0);
  pair(writer, key.sender, segment.sender);
  writer.uint(key.layerIds);
  writer.array(layers);
  // The samples of the format count layers from 1.
  for (let layer = 1; layer <= layers; layer++) writer.uint(layer);
  writer.uint(key.layers);
  writer.array(layers);
  for (const module of modules) {
    beamsOf(module);
    for (let row = 0; row < module.rows; row++) writeLayer(writer, view, module, row);
  }
}

function writeLayer(writer: MsgpackWriter, view: DataView, module: ScanModule, row: number): void {
  const { rows, columns, echoes, distance, rssi, properties, azimuth } = module;
  const absent = [rssi, properties, azimuth].filter((array) => array === undefined).length;
  writer.map(2);
  pair(writer, key.class, objectClass.scan);
  writer.uint(key.data);
  writer.map(13 - absent);
  pair(writer, key.firstBeamTime, module.firstBeamTime[row] ?? 0);
  pair(writer, key.lastBeamTime, module.lastBeamTime[row] ?? 0);
  angle(writer, key.firstAzimuth, module.firstAzimuth[row] ?? 0);
  angle(writer, key.lastAzimuth, module.lastAzimuth[row] ?? 0);
  pair(writer, key.scanNumber, module.frameNumber);
  pair(writer, key.moduleId, 0);
  if (azimuth !== undefined) {
    writer.uint(key.theta);
    writeEach(writer, view, azimuth, columns, row, rows);
  }
  writer.uint(key.phi);
  view.setFloat32(arrayOf(writer, elementType.f32, 1), module.elevation[row] ?? 0, true);
  writer.uint(key.distance);
  writer.array(echoes);
  for (let echo = 0; echo < echoes; echo++) {
    writeEach(writer, view, distance, columns, row * echoes + echo, rows * echoes);
  }
  if (rssi !== undefined) {
    writer.uint(key.rssi);
    writer.array(echoes);
    for (let echo = 0; echo < echoes; echo++) {
      writeEach(writer, view, rssi, columns, row * echoes + echo, rows * echoes);
    }
  }
  if (properties !== undefined) {
    writer.uint(key.properties);
    writer.array(echoes);
    for (let echo = 0; echo < echoes; echo++) {
      writeProperties(view, arrayOf(writer, elementType.u8, columns), module, properties, row, echo);
    }
  }
  pair(writer, key.beams, columns);
  pair(writer, key.echoes, echoes);
}

function pair(writer: MsgpackWriter, name: number, value: number): void {
  writer.uint(name);
  writer.uint(value);
}

function angle(writer: MsgpackWriter, name: number, value: number): void {
  writer.uint(name);
  writer.f32(value);
}

/** Writes an array without its numbers. Returns the offset of the numbers. */
function arrayOf(writer: MsgpackWriter, type: number, count: number): number {
  const bytes = elementBytes[type] ?? 0;
  writer.map(5);
  pair(writer, key.count, count);
  pair(writer, key.elementBytes, bytes);
  pair(writer, key.endian, littleEndian);
  writer.uint(key.elementTypes);
  writer.array(1);
  writer.uint(type);
  writer.uint(key.data);
  return writer.binary(count * bytes);
}

/** Writes `count` numbers of an array: every `step`-th from `first` on. */
function writeEach(
  writer: MsgpackWriter,
  view: DataView,
  values: Float32Array | Uint16Array,
  count: number,
  first: number,
  step: number,
): void {
  const isFloat = values instanceof Float32Array;
  let at = arrayOf(writer, isFloat ? elementType.f32 : elementType.u16, count);
  for (let place = first; place < first + step * count; place += step) {
    if (isFloat) view.setFloat32(at, values[place] ?? 0, true);
    else view.setUint16(at, values[place] ?? 0, true);
    at += isFloat ? 4 : 2;
  }
}

function writeProperties(
  view: DataView,
  start: number,
  { rows, columns, echoes, distance, rssi }: ScanModule,
  properties: Uint8Array,
  row: number,
  echo: number,
): void {
  const blooming = echo < beamProperty.bloomingEchoes ? 1 << (beamProperty.firstBlooming + echo) : 0;
  for (let column = 0; column < columns; column++) {
    const beam = column * rows + row;
    const bits = properties[beam] ?? 0;
    let written = bits & blooming ? echoProperty.blooming : 0;
    if (bits & beamProperty.reflector) {
      // For a beam without an echo, the first echo has the property.
      const reflectors = reflectorEchoes(bits, distance, rssi, beam * echoes, echoes) || 1;
      if (reflectors & (1 << echo)) written |= echoProperty.reflector;
    }
    view.setUint8(start + column, written);
  }
}

/**
 * Writes the parts of MessagePack that scans need, each number in as few bytes as possible. The caller must provide enough
 * room.
 */
class MsgpackWriter {
  readonly #view: DataView;
  at: number;

  constructor(view: DataView, at: number) {
    this.#view = view;
    this.at = at;
  }

  /** Writes the head of a map of up to 15 pairs of key and value, which follow. */
  map(pairs: number): void {
    this.#byte(0x80 | pairs);
  }

  array(items: number): void {
    if (items < 16) {
      this.#byte(0x90 | items);
      return;
    }
    this.#byte(0xdc);
    this.#view.setUint16(this.at, items);
    this.at += 2;
  }

  boolean(value: boolean): void {
    this.#byte(value ? 0xc3 : 0xc2);
  }

  /** Writes a whole number from 0 on. A fraction is cut off. */
  uint(value: number): void {
    if (value < 0x80) {
      this.#byte(value);
    } else if (value < 0x100) {
      this.#byte(0xcc);
      this.#byte(value);
    } else if (value < 0x10000) {
      this.#byte(0xcd);
      this.#view.setUint16(this.at, value);
      this.at += 2;
    } else if (value < 2 ** 32) {
      this.#byte(0xce);
      this.#view.setUint32(this.at, value);
      this.at += 4;
    } else {
      this.#byte(0xcf);
      this.#view.setUint32(this.at, value / 2 ** 32);
      this.#view.setUint32(this.at + 4, value);
      this.at += 8;
    }
  }

  f32(value: number): void {
    this.#byte(0xca);
    this.#view.setFloat32(this.at, value);
    this.at += 4;
  }

  /** Writes the head of a byte string of this length. Its bytes follow from the returned offset on. */
  binary(length: number): number {
    if (length < 0x100) {
      this.#byte(0xc4);
      this.#byte(length);
    } else if (length < 0x10000) {
      this.#byte(0xc5);
      this.#view.setUint16(this.at, length);
      this.at += 2;
    } else {
      this.#byte(0xc6);
      this.#view.setUint32(this.at, length);
      this.at += 4;
    }
    const start = this.at;
    this.at += length;
    return start;
  }

  #byte(value: number): void {
    this.#view.setUint8(this.at, value);
    this.at += 1;
  }
}
