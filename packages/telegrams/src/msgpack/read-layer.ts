import { TelegramError } from '../telegram-error.js';
import { key } from './layout.js';
import type { MsgpackReader } from './msgpack-reader.js';
import { type NumberArray, readArray } from './read-array.js';

/** One layer of a segment as it stands in a telegram; every array has the length that beams and echoes ask for. */
export interface Layer {
  readonly beams: number;
  readonly echoes: number;
  readonly firstBeamTime: number;
  readonly lastBeamTime: number;
  readonly firstAzimuth: number;
  readonly lastAzimuth: number;
  readonly elevation: number;
  readonly theta: NumberArray | undefined;
  /** Of each echo. */
  readonly distance: readonly NumberArray[];
  /** Of each echo; none where it is not told. */
  readonly rssi: readonly NumberArray[];
  /** Of each echo, or one of the beam; none where it is not told. */
  readonly properties: readonly NumberArray[];
}

/**
 * Reads a layer.
 * @throws TelegramError where it is none, or its arrays are not as long as they have to be.
 */
export function readLayer(reader: MsgpackReader): Layer {
  const { at } = reader;
  let layer: Layer | undefined;
  for (let pairs = reader.map(); pairs > 0; pairs--) {
    if (reader.uint() === key.data) layer = readData(reader);
    else reader.skip();
  }
  if (layer === undefined) throw new TelegramError(`data (key ${key.data}) of a layer`, 'none', at);
  return layer;
}

function readData(reader: MsgpackReader): Layer {
  const { at } = reader;
  const numbers = new Map<number, number>();
  const arrays = new Map<number, readonly NumberArray[]>();
  for (let pairs = reader.map(); pairs > 0; pairs--) {
    const name = reader.uint();
    if (wholeNumbers.has(name)) numbers.set(name, reader.uint());
    else if (angles.has(name)) numbers.set(name, reader.number());
    else if (name === key.theta || name === key.phi) arrays.set(name, [readArray(reader)]);
    else if (perEcho.has(name)) arrays.set(name, readArrays(reader));
    else reader.skip();
  }
  const number = (name: number) => {
    const value = numbers.get(name);
    if (value === undefined) throw new TelegramError(`key ${name} in a layer`, 'none', at);
    return value;
  };
  const beams = number(key.beams);
  const echoes = number(key.echoes);
  if (echoes < 1) throw new TelegramError('one echo or more in a layer', `${echoes}`, at);
  const array = (name: number, counts: readonly number[], length = beams) => {
    const found = arrays.get(name) ?? [];
    if (!counts.includes(found.length)) {
      throw new TelegramError(`${counts.join(' or ')} arrays of key ${name}`, `${found.length}`, at);
    }
    for (const { count, at: where } of found) {
      if (count !== length) throw new TelegramError(`${length} numbers of key ${name}`, `${count}`, where);
    }
    return found;
  };
  return {
    beams,
    echoes,
    firstBeamTime: number(key.firstBeamTime),
    lastBeamTime: number(key.lastBeamTime),
    firstAzimuth: number(key.firstAzimuth),
    lastAzimuth: number(key.lastAzimuth),
    elevation: array(key.phi, [1], 1)[0]?.value(0) ?? 0,
    theta: array(key.theta, [0, 1])[0],
    distance: array(key.distance, [echoes]),
    rssi: array(key.rssi, [0, echoes]),
    properties: array(key.properties, [0, 1, echoes]),
  };
}

const wholeNumbers: ReadonlySet<number> = new Set([
  key.firstBeamTime,
  key.lastBeamTime,
  key.beams,
  key.echoes,
]);
const angles: ReadonlySet<number> = new Set([key.firstAzimuth, key.lastAzimuth]);
const perEcho: ReadonlySet<number> = new Set([key.distance, key.rssi, key.properties]);

function readArrays(reader: MsgpackReader): NumberArray[] {
  const arrays: NumberArray[] = [];
  for (let left = reader.array(); left > 0; left--) arrays.push(readArray(reader));
  return arrays;
}
