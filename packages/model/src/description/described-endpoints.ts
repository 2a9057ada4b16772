import {
  type CallLevel,
  EventVariable,
  group,
  Method,
  type MethodFacts,
  type ValueTable,
  Variable,
  type VariableFacts,
} from '../declaration.js';
import { isLevel, isObject, type Level } from '../envelope.js';
import { extensionPrefix } from '../extensions/index.js';
import { basePath } from '../interface.js';
import { type Members, struct } from '../types/struct.js';
import type { ValueType } from '../types/value-type.js';
import { isEndpointName, mostEndpoints, mostMembers, optionalSentence, sentence } from './bounds.js';
import { SchemaTypes } from './schema-type.js';

type Json = Readonly<Record<string, unknown>>;

/** The variables and methods that a description states, in its order. */
export interface DescribedEndpoints {
  /** Under `/api/`. */
  readonly endpoints: readonly (Variable<unknown> | Method<unknown, unknown>)[];
  /** Under `/x/`. */
  readonly extensions: readonly Variable<unknown>[];
  /** Every name in requests, also of files, and of what cannot be understood. Extensions have a prefix. */
  readonly paths: ReadonlySet<string>;
}

/** Reads the variables and methods out of an OpenAPI document. What it cannot understand is left out. */
export function describedEndpoints(document: Json): DescribedEndpoints {
  return new DocumentReader(document).endpoints();
}

class DocumentReader {
  readonly #paths: readonly [string, unknown][];
  readonly #schemas: Json;
  readonly #responses: Json;
  readonly #types = new SchemaTypes();

  constructor({ paths, components }: Json) {
    this.#paths = Object.entries(object(paths)).slice(0, mostEndpoints);
    const { schemas, responses } = object(components);
    this.#schemas = object(schemas);
    this.#responses = object(responses);
  }

  endpoints(): DescribedEndpoints {
    return {
      endpoints: this.#below(basePath).flatMap(
        ([name, item]) => this.#variable(name, item) ?? this.#method(name, item) ?? [],
      ),
      extensions: this.#below(`/${extensionPrefix}`).flatMap(
        ([name, item]) => this.#variable(name, item) ?? [],
      ),
      paths: new Set(this.#paths.flatMap(([path]) => nameIn(path))),
    };
  }

  /** Returns the items below a path that have the name of a variable or a method. */
  #below(prefix: string): readonly (readonly [string, Json])[] {
    return this.#paths.flatMap(([path, item]) => {
      const name = path.startsWith(prefix) ? path.slice(prefix.length) : '';
      return isEndpointName(name) && isObject(item) ? [[name, item] as const] : [];
    });
  }

  #variable(name: string, item: Json): Variable<unknown> | undefined {
    if (!isObject(item.get)) return undefined;
    const { get } = item;
    const { data } = properties(this.#content(get));
    const schema = this.#resolved(properties(data)[name]);
    const type = this.#types.typeOf(schema);
    if (type === undefined) return undefined;
    const facts = variableFacts(get, object(item.post), schema);
    const described = get['x-event'] === true ? new EventVariable(type, facts) : new Variable(type, facts);
    return registered(name, get, described);
  }

  #method(name: string, item: Json): Method<unknown, unknown> | undefined {
    if (item.get !== undefined || item.put !== undefined || !isObject(item.post)) return undefined;
    const { post } = item;
    const content = properties(this.#content(post));
    if (content.header === undefined) return undefined;
    const responseMember = content.challenge === undefined ? 'data' : 'challenge';
    const body = jsonSchemaIn(object(post.requestBody).content);
    const request = this.#members(properties(body).data);
    const response = this.#members(content[responseMember]);
    if (request === undefined || response === undefined) return undefined;
    const facts: MethodFacts<Members, Members> = {
      text: sentence(post.summary),
      level: callLevel(post['x-user-level']),
      request: Object.keys(request.members).length === 0 ? undefined : request.members,
      response: Object.keys(response.members).length === 0 ? undefined : response.members,
      optional: request.optional,
      done: doneIn(post['x-done'], response.members),
      loses: optionalSentence(post['x-loses']),
      reboots: post['x-reboots'] === true ? true : undefined,
      responseMember: responseMember === 'challenge' ? responseMember : undefined,
    };
    const { optional } = request;
    const described = new Method<unknown, unknown>(
      struct(request.members, { optional }),
      struct(response.members),
      facts,
    );
    return registered(name, post, described);
  }

  /** Returns the schema of the response to a request that was done. */
  #content(operation: Json): unknown {
    const { 200: response } = object(operation.responses);
    const found = object(response);
    const name = referenced(found.$ref, 'responses');
    return jsonSchemaIn((name === undefined ? found : object(member(this.#responses, name))).content);
  }

  /** Returns the types of the members of a struct: none without a schema, undefined for a schema of anything else. */
  #members(schema: unknown): { members: Members; optional: string[] } | undefined {
    const found = this.#resolved(schema);
    if (found === undefined) return { members: {}, optional: [] };
    const { required } = object(found);
    const entries = Object.entries(properties(found));
    if (entries.length > mostMembers) return undefined;
    const members = entries.map(([name, json]): [string, ValueType<unknown> | undefined] => [
      name,
      isEndpointName(name) ? this.#types.typeOf(json) : undefined,
    ]);
    if (!members.every((entry): entry is [string, ValueType<unknown>] => entry[1] !== undefined))
      return undefined;
    const needed = new Set<unknown>(Array.isArray(required) ? required : []);
    const optional = entries.map(([name]) => name).filter((name) => !needed.has(name));
    return { members: Object.fromEntries(members), optional };
  }

  /** Follows a reference to a schema, once: the schemas of values refer to nothing. */
  #resolved(schema: unknown): unknown {
    const name = referenced(object(schema).$ref, 'schemas');
    return name === undefined ? schema : member(this.#schemas, name);
  }
}

/** Returns the name in requests of a path: `LocationName`, `parameterbackup/file`, `x/fields`. */
function nameIn(path: string): readonly string[] {
  if (path.startsWith(basePath)) return [path.slice(basePath.length)];
  return path.startsWith(`/${extensionPrefix}`) ? [path.slice(1)] : [];
}

function variableFacts(get: Json, post: Json, schema: unknown): VariableFacts {
  const { 'x-unit': unit, 'x-units': units, 'x-value-table': table } = object(schema);
  const level = post['x-user-level'];
  return {
    text: sentence(get.summary),
    write: typeof level === 'string' && isLevel(level) ? level : undefined,
    stored: get['x-stored'] === true,
    section: get['x-section'] === 'application' ? 'application' : 'device',
    unit: optionalSentence(unit),
    units: isObject(units) ? unitsIn(units) : undefined,
    ofOneScanner: get['x-of-one-scanner'] === true ? true : undefined,
    values: tableIn(table),
  };
}

function unitsIn(units: Json): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(units)
      .slice(0, mostMembers)
      .filter(([name]) => isEndpointName(name))
      .map(([name, unit]) => [name, sentence(unit)]),
  );
}

function tableIn(json: unknown): ValueTable | undefined {
  if (!isObject(json) || !Array.isArray(json.head) || !Array.isArray(json.rows)) return undefined;
  const columns = json.head.length;
  const rows: readonly unknown[] = json.rows.slice(0, mostMembers);
  if (columns > mostColumns) return undefined;
  return {
    head: json.head.map(sentence),
    rows: rows.map((row) => (Array.isArray(row) ? row.slice(0, columns).map(sentence) : [])),
    note: sentence(json.note),
  };
}

/** Most columns of a table of values. */
const mostColumns = 20;

function callLevel(json: unknown): CallLevel {
  if (json === 'open' || json === 'login') return json;
  return typeof json === 'string' && isLevel(json) ? json : ('Service' satisfies Level);
}

/** Returns the members of the response to a call that was carried out, as far as they are simple values. */
function doneIn(json: unknown, response: Members): Readonly<Record<string, unknown>> | undefined {
  if (!isObject(json)) return undefined;
  const stated = Object.entries(json).filter(
    ([name, value]) =>
      Object.hasOwn(response, name) && (typeof value === 'number' || typeof value === 'boolean'),
  );
  return Object.fromEntries(stated);
}

function registered<D extends Variable<unknown> | Method<unknown, unknown>>(
  name: string,
  operation: Json,
  declared: D,
): D {
  const [tag] = Array.isArray(operation.tags) ? operation.tags : [];
  group(sentence(tag), { [name]: declared });
  return declared;
}

function object(json: unknown): Json {
  return isObject(json) ? json : {};
}

function member(parent: Json, name: string): unknown {
  return Object.hasOwn(parent, name) ? parent[name] : undefined;
}

function properties(schema: unknown): Json {
  return object(object(schema).properties);
}

/** Returns the schema of a body in JSON. */
function jsonSchemaIn(content: unknown): unknown {
  return object(object(content)['application/json']).schema;
}

/** Returns the name in `#/components/schemas/NAME`. */
function referenced(json: unknown, kind: 'schemas' | 'responses'): string | undefined {
  const prefix = `#/components/${kind}/`;
  return typeof json === 'string' && json.startsWith(prefix) ? json.slice(prefix.length) : undefined;
}
