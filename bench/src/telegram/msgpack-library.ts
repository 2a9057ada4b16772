import type { ScanTelegram } from '@azimuth/telegrams';
import { isObject } from '../json.js';

/** The usual MessagePack encoder for JavaScript. */
export const libraryName = '@msgpack/msgpack';

export type Encode = (value: unknown) => Uint8Array;

/** Its `encode`; undefined if it is not installed. */
export async function libraryEncode(): Promise<Encode | undefined> {
  const name: string = libraryName;
  let library: unknown;
  try {
    library = await import(name);
  } catch {
    return undefined;
  }
  const encode = isObject(library) ? library.encode : undefined;
  if (typeof encode !== 'function') throw new Error(`${libraryName} has no encode`);
  return (value) => {
    const bytes: unknown = Reflect.apply(encode, undefined, [value]);
    if (!(bytes instanceof Uint8Array)) throw new Error(`${libraryName} has not returned bytes`);
    return bytes;
  };
}

/**
 * A telegram as an object for a general library: keys are the numbers of the MSGPACK format, arrays
 * are the bytes in memory. Nothing is copied, converted or reordered.
 */
export function asObject({ sequence, transmitTime, modules }: ScanTelegram): object {
  const [first] = modules;
  return {
    16: 0x90,
    17: {
      176: sequence,
      177: transmitTime,
      145: first?.segmentIndex,
      146: first?.frameNumber,
      147: first?.availability === 1,
      148: first?.sender,
      160: [0],
      150: modules.map((module) => ({
        16: 0x70,
        17: {
          113: module.firstBeamTime[0],
          114: module.lastBeamTime[0],
          115: module.firstAzimuth[0],
          116: module.lastAzimuth[0],
          117: module.frameNumber,
          118: 0,
          80: module.azimuth,
          82: module.distance,
          83: module.rssi,
          84: module.properties,
          119: module.columns,
          120: module.echoes,
        },
      })),
    },
  };
}
