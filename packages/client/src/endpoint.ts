import { builtInInterface, extensionPrefix, isObject, type Method, type Variable } from '@azimuth/model';
import type { EnvelopeContent } from './envelope.js';

/** Returns the path of an endpoint. Extensions have another prefix than the interface of the specification. */
export function endpointPath(name: string): string {
  return name.startsWith(extensionPrefix)
    ? `/${extensionPrefix}${encodeURIComponent(dataKey(name))}`
    : `/api/${encodeURIComponent(name)}`;
}

/** Returns the key of the value of a variable in `data`. */
export function dataKey(name: string): string {
  return name.startsWith(extensionPrefix) ? name.slice(extensionPrefix.length) : name;
}

/**
 * Returns the value of a variable in a response; undefined if there is none. Devices send a struct as a member with
 * its name. Their description has the members of the struct directly in `data`. Both forms are accepted.
 */
export function valueIn(
  content: EnvelopeContent,
  name: string,
  variable: Variable<unknown> | undefined = builtInInterface.variable(name),
): unknown {
  const data = content.body.data;
  if (!isObject(data)) return undefined;
  const key = dataKey(name);
  if (Object.hasOwn(data, key)) return data[key];
  const kind = variable?.type.shape.kind;
  return kind === undefined || kind === 'struct' ? data : undefined;
}

/** Returns the result of a method; an empty object if the response has only a header. */
export function responseIn(content: EnvelopeContent, method: Method<unknown, unknown> | undefined): unknown {
  return content.body[method?.facts.responseMember ?? 'data'] ?? {};
}
