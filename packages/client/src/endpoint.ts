import {
  allEndpoints,
  type Endpoint,
  extensionPrefix,
  extensionVariables,
  isObject,
  type Method,
  type Variable,
} from '@azimuth/model';
import type { EnvelopeContent } from './envelope.js';

const endpoints = new Map<string, Endpoint>();
for (const endpoint of allEndpoints) {
  endpoints.set(endpoint.name, endpoint);
  if (endpoint.kind !== 'variable') continue;
  for (const alias of endpoint.facts.aliases ?? []) endpoints.set(alias, endpoint);
}
for (const variable of extensionVariables) endpoints.set(extensionPrefix + variable.name, variable);

/** Returns the variable of a name or an alias; undefined if the model does not know the name. */
export function variableNamed(name: string): Variable<unknown> | undefined {
  const endpoint = endpoints.get(name);
  return endpoint?.kind === 'variable' ? endpoint : undefined;
}

/** Returns the method of a name; undefined if the model does not know the name. */
export function methodNamed(name: string): Method<unknown, unknown> | undefined {
  const endpoint = endpoints.get(name);
  return endpoint?.kind === 'method' ? endpoint : undefined;
}

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
export function valueIn(content: EnvelopeContent, name: string): unknown {
  const data = content.body.data;
  if (!isObject(data)) return undefined;
  const key = dataKey(name);
  if (Object.hasOwn(data, key)) return data[key];
  const kind = variableNamed(name)?.type.shape.kind;
  return kind === undefined || kind === 'struct' ? data : undefined;
}

/** Returns the result of a method; an empty object if the response has only a header. */
export function responseIn(content: EnvelopeContent, name: string): unknown {
  return content.body[methodNamed(name)?.facts.responseMember ?? 'data'] ?? {};
}
