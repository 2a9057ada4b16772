import { isObject } from '../json.js';

/** The encoder that most programs in JavaScript would take for MessagePack. */
export const libraryName = '@msgpack/msgpack';

export type Encode = (value: unknown) => Uint8Array;

/** Its `encode`; undefined where it is not installed. */
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
    if (!(bytes instanceof Uint8Array)) throw new Error(`${libraryName} has encoded no bytes`);
    return bytes;
  };
}
