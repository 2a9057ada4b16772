import { Decoder } from '@msgpack/msgpack';
import { TelegramError } from '../telegram-error.js';
import { key, payloadAt } from './layout.js';

/**
 * Items that an array may have: layers, or echoes. Room for them is made before they have come, in every array of a nest
 * of them; with as many as this the long arrays cost no more for each of their bytes than the shortest ones.
 */
const mostItems = 64;

const names: ReadonlyMap<unknown, string> = new Map(
  Object.entries(key).map(([name, number]) => [number, name]),
);

/**
 * All members that layout.ts does not name, together. A number must not become a key as it is: an object makes room for
 * all the numbers below it, too.
 */
const unnamed = 'unnamed';

/**
 * Reads a payload of MessagePack: maps become objects with the names of layout.ts, bytes stay where they are. Whatever
 * the payload declares, it takes less than 300 bytes of memory for each of its own, for as long as it is read.
 * @throws TelegramError where it is not one whole value.
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

/** Of what is cut off the library says no more than that it has read beyond the end. */
function reasonOf(error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error);
  const isCutOff = error instanceof RangeError && !reason.startsWith('Extra');
  return isCutOff ? 'one that is cut off' : `something else (${reason})`;
}
