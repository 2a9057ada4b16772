import { pathOf } from '@azimuth/http';
import {
  allFiles,
  basePath,
  builtInInterface,
  type Endpoint,
  isObject,
  type Method,
  type ValueType,
} from '@azimuth/model';
import { jsonIn } from './json-in.js';
import type { KeptBody, TimelineBody } from './kept-body.js';

/** Stands for what the timeline leaves out. */
export const secretText = '(secret)';

/** Method whose response holds a login: a token of file transfers. Challenges are no secret: everybody may fetch one. */
export const withToken = 'CreateSessionToken';

const filePaths: ReadonlySet<string> = new Set(allFiles.map(({ name }) => basePath + name));

/**
 * Returns the body of a request as the timeline has it: without the proof of a login, and without passwords, passphrases and
 * keys. A body that might hold others is not kept: a file, what is not JSON, and the request of an unknown name. Only a file has
 * its hash: by that of a short body, a password in it could be guessed.
 */
export function requestBody(method: string, path: string, kept: KeptBody): TimelineBody {
  if (method !== 'POST') return kept.takeHash();
  const name = nameIn(path);
  const endpoint = name === undefined ? undefined : builtInInterface.endpoint(name);
  return withoutHash(
    endpoint === undefined ? kept.takeHash() : kept.takeShown((body) => shownOf(endpoint, body)),
  );
}

function withoutHash({ body, unkept }: TimelineBody): TimelineBody {
  return unkept === undefined ? { body } : { body, unkept: { length: unkept.length } };
}

/** Returns what of the body of a request may be seen; undefined if it is no JSON object. */
function shownOf(endpoint: Endpoint, body: Uint8Array): Uint8Array | undefined {
  const json = jsonIn(body);
  if (!isObject(json)) return undefined;
  const { header, data } = json;
  const user = isObject(header) && typeof header.user === 'string' ? { header: { user: header.user } } : {};
  if (data === undefined) return asJson(user);
  if (endpoint.kind === 'method') return asJson({ ...user, data: dataWithoutSecrets(endpoint, data) });
  return asJson({ ...user, data: endpoint.facts.secret === true ? secretText : data });
}

/**
 * Returns the body of a response as the timeline has it. Files may hold passwords in some form, so they are not kept. Scanners
 * have methods that the interface does not declare: a token in their responses is left out, too.
 */
export function responseBody(path: string, kept: KeptBody): TimelineBody {
  if (filePaths.has(pathOf(path))) return kept.takeHash();
  const name = nameIn(path);
  if (name === undefined || (name !== withToken && builtInInterface.endpoint(name) !== undefined))
    return kept.take();
  return kept.takeShown((body) => {
    const json = jsonIn(body);
    if (json === undefined) return undefined;
    if (!isObject(json) || !isObject(json.data) || !Object.hasOwn(json.data, 'token')) return body;
    return asJson({ ...json, data: { ...json.data, token: secretText } });
  });
}

/** Returns the name of a path under `/api/` or `/x/`: `LocationName`, `x/fields`. */
export function nameIn(path: string): string | undefined {
  const plain = pathOf(path);
  if (plain.startsWith(basePath)) return plain.slice(basePath.length);
  return plain.startsWith('/x/') ? plain.slice(1) : undefined;
}

/** If a method has secrets, what stands under a name that it does not declare may be one. */
function dataWithoutSecrets(method: Method<unknown, unknown>, data: unknown): unknown {
  if (!method.holdsSecrets) return data;
  if (!isObject(data)) return secretText;
  const types: Readonly<Record<string, ValueType<unknown> | undefined>> = method.facts.request ?? {};
  const shown = Object.entries(data).map(([member, value]) => {
    const type = Object.hasOwn(types, member) ? types[member] : undefined;
    const isOpen = type !== undefined && !method.isSecret(member) && accepts(type, value);
    return [member, isOpen ? value : secretText];
  });
  return Object.fromEntries(shown);
}

function accepts(type: ValueType<unknown>, value: unknown): boolean {
  try {
    type.fromJson(value, '');
    return true;
  } catch {
    return false;
  }
}

function asJson(json: object): Uint8Array {
  return Buffer.from(JSON.stringify(json));
}
