import {
  allEndpoints,
  type Endpoint,
  extensionPrefix,
  extensionVariables,
  isObject,
  type Method,
  type Variable,
} from '@azimuth/model';
import type { Answer } from './answer.js';

const endpoints = new Map<string, Endpoint>();
for (const endpoint of allEndpoints) {
  endpoints.set(endpoint.name, endpoint);
  if (endpoint.kind !== 'variable') continue;
  for (const alias of endpoint.facts.aliases ?? []) endpoints.set(alias, endpoint);
}
for (const variable of extensionVariables) endpoints.set(extensionPrefix + variable.name, variable);

/** The variable of a name or an alias; undefined for a name that the model does not know. */
export function variableNamed(name: string): Variable<unknown> | undefined {
  const endpoint = endpoints.get(name);
  return endpoint?.kind === 'variable' ? endpoint : undefined;
}

/** The method of a name; undefined for a name that the model does not know. */
export function methodNamed(name: string): Method<unknown, unknown> | undefined {
  const endpoint = endpoints.get(name);
  return endpoint?.kind === 'method' ? endpoint : undefined;
}

/** The path of an endpoint. Extensions have another prefix than the interface of the specification. */
export function pathOf(name: string): string {
  return name.startsWith(extensionPrefix)
    ? `/${extensionPrefix}${encodeURIComponent(keyOf(name))}`
    : `/api/${encodeURIComponent(name)}`;
}

/** The key of the value of a variable in `data`. */
export function keyOf(name: string): string {
  return name.startsWith(extensionPrefix) ? name.slice(extensionPrefix.length) : name;
}

/**
 * The value of a variable in an answer. Devices answer a struct under its name, their description prints its
 * members directly in `data`: both are meant. undefined if there is no value.
 */
export function valueIn(answer: Answer, name: string): unknown {
  const data = answer.body.data;
  if (!isObject(data)) return undefined;
  const key = keyOf(name);
  if (Object.hasOwn(data, key)) return data[key];
  const kind = variableNamed(name)?.type.shape.kind;
  return kind === undefined || kind === 'struct' ? data : undefined;
}

/** What a method answers; an empty object if the reply has nothing but its header. */
export function responseIn(answer: Answer, name: string): unknown {
  return answer.body[methodNamed(name)?.facts.answersIn ?? 'data'] ?? {};
}
