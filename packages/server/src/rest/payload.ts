import { describeJson, Fault, isObject, type Method } from '@azimuth/model';

/**
 * The new value of a variable out of the `data` of a write, where it stands under the variable's name as requested. What
 * is wrong with the value itself, the device says.
 * @throws Fault 1 where data or the key is missing, 2 where the key is another one or not alone.
 */
export function valueOfPayload(name: string, data: unknown): unknown {
  if (data === undefined)
    throw new Fault('parsingFailed', 'data', `{"${name}": …} expected, but there is no data`);
  if (!isObject(data))
    throw new Fault('invalidData', 'data', `an object expected, ${describeJson(data)} came`);
  const keys = Object.keys(data);
  if (!Object.hasOwn(data, name)) {
    if (keys.length === 1) throw new Fault('invalidData', 'data', `the key under data has to be ${name}`);
    throw new Fault('parsingFailed', 'data', `the key ${name} is missing`);
  }
  if (keys.length > 1) throw new Fault('invalidData', 'data', `no other key than ${name} expected`);
  return data[name];
}

/**
 * What a method is given of the `data` of a call: itself, or nothing where it may be absent or does not matter. The
 * members are checked by the request's type.
 * @throws Fault 1 where data is missing.
 */
export function requestOfPayload(method: Method<unknown, unknown>, data: unknown): unknown {
  const { request = {}, optional = [] } = method.facts;
  const members = Object.keys(request);
  if (members.length === 0) return {};
  if (data !== undefined) return data;
  if (members.every((member) => optional.includes(member))) return {};
  throw new Fault('parsingFailed', 'data', `${members.join(', ')} expected, but there is no data`);
}
