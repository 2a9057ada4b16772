import type { Client } from '@azimuth/test-support/client';
import { array, isObject, type JsonObject, object, parse, string } from '@azimuth/test-support/json';

/** The schema of a value, with every reference resolved. */
export type Schema = JsonObject;

export interface Target {
  readonly name: string;
  readonly kind: 'variable' | 'method';
  readonly group: string;
  /** Whether it can be written or called. */
  readonly posts: boolean;
  /** Whether a POST needs a login. */
  readonly login: boolean;
  /** Schema of a variable's value, or of a method's `data`; undefined if it takes no data. */
  readonly schema: Schema | undefined;
}

/** The variables and methods that a running scanner describes in /openapi.json. */
export async function catalogueOf(client: Client): Promise<readonly Target[]> {
  const document = object(parse((await client.send({ method: 'GET', path: '/openapi.json' })).text));
  const schemas = object(object(document.components).schemas);
  return Object.entries(object(document.paths)).flatMap(([path, item]) => {
    const [, name] = /^\/api\/([A-Za-z0-9]+)$/.exec(path) ?? [];
    const { get, post } = object(item);
    // Transfers of files have no schema.
    const ours = /^(read|write|call)/.test(String(object(get ?? post ?? {}).operationId));
    if (name === undefined || !ours) return [];
    return [targetOf(name, get, post, schemas)];
  });
}

function targetOf(name: string, get: unknown, post: unknown, schemas: JsonObject): Target {
  const variable = get !== undefined;
  const data = isObject(post) ? member(bodyOf(post), 'data', schemas) : undefined;
  const [group] = array(object(get ?? post).tags);
  return {
    name,
    kind: variable ? 'variable' : 'method',
    group: string(group),
    posts: post !== undefined,
    login: isObject(post) && post['x-user-level'] !== 'open',
    schema: variable && data !== undefined ? member(data, name, schemas) : data,
  };
}

function bodyOf(post: JsonObject): JsonObject | undefined {
  if (!isObject(post.requestBody)) return undefined;
  return object(object(object(post.requestBody.content)['application/json']).schema);
}

function member(schema: JsonObject | undefined, name: string, schemas: JsonObject): JsonObject | undefined {
  const properties = schema === undefined ? {} : object(schema.properties ?? {});
  return properties[name] === undefined ? undefined : object(followed(properties[name], schemas));
}

function followed(json: unknown, schemas: JsonObject): unknown {
  if (Array.isArray(json)) return json.map((item) => followed(item, schemas));
  if (!isObject(json)) return json;
  if (typeof json.$ref === 'string') return followed(schemas[json.$ref.split('/').at(-1) ?? ''], schemas);
  return Object.fromEntries(Object.entries(json).map(([key, value]) => [key, followed(value, schemas)]));
}

/** Methods that only the run itself calls, between two rounds: they store, reset or reboot. */
const betweenRounds = [
  ...['WriteEeprom', 'RebootDevice', 'SoftReset', 'LoadFactoryDefaults', 'LoadApplicationDefaults'],
  ...['RestoreParameterBackup', 'checkCredentials'],
];

export function writable(catalogue: readonly Target[]): readonly Target[] {
  return catalogue.filter(({ kind, posts }) => kind === 'variable' && posts);
}

/** Methods that need a login and can be called at any time. */
export function callable(catalogue: readonly Target[]): readonly Target[] {
  return catalogue.filter(
    ({ kind, login, name }) => kind === 'method' && login && !betweenRounds.includes(name),
  );
}
