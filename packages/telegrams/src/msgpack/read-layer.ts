import { TelegramError } from '../telegram-error.js';
import { key, payloadAt } from './layout.js';
import { arrayIn, membersOf, numberIn, unexpected, wholeNumberIn } from './members.js';
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

const layer = 'a layer';

/**
 * Reads a layer.
 * @throws TelegramError where it is none, or its arrays are not as long as they have to be.
 */
export function readLayer(value: unknown): Layer {
  const data = membersOf(membersOf(value, layer).data, `data (key ${key.data}) of a layer`);
  const beams = wholeNumberIn(data, 'beams', layer);
  const echoes = wholeNumberIn(data, 'echoes', layer);
  if (echoes < 1) throw unexpected('one echo or more', echoes, layer);
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
    elevation: arrayOf(data.phi, 'phi', 1).value(0),
    theta: data.theta === undefined ? undefined : arrayOf(data.theta, 'theta', beams),
    distance: perEcho('distance', echoes),
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
