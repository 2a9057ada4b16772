import {
  type CallLevel,
  type Declaration,
  FileEndpoint,
  type FileVerb,
  isLevel,
  type Level,
  Method,
  struct,
  type ValueType,
  Variable,
} from '@azimuth/model';
import type { OpenApiDocument, Operation, PathItem } from '@azimuth/model/openapi';
import { object, string } from '@azimuth/test-support/json';
import { Schemas } from './schemas.js';

const text = 'As described.';

/**
 * What the paths under /api/ of a description declare, by name: read back out of the document alone, so that it can be
 * compared with other descriptions in the same way as the declarations that it was made of.
 */
export function declarationsOf(document: OpenApiDocument): Map<string, Declaration> {
  const schemas = new Schemas(document);
  const declared = new Map<string, Declaration>();
  for (const [path, item] of Object.entries(document.paths)) {
    if (!path.startsWith('/api/')) continue;
    const name = path.slice('/api/'.length);
    const declaration = variableOf(name, item, schemas) ?? methodOf(item, schemas) ?? fileOf(item);
    declaration.register(name, item.get?.tags[0] ?? item.post?.tags[0] ?? item.put?.tags[0] ?? '', {});
    declared.set(name, declaration);
  }
  return declared;
}

function variableOf(name: string, { get, post }: PathItem, schemas: Schemas): Declaration | undefined {
  const data = get === undefined ? undefined : schemas.member(schemas.response(get), 'data', name);
  if (data === undefined) return undefined;
  if (post === undefined) return new Variable(schemas.type(data), { text });
  const written = schemas.member(schemas.request(post), 'data', name);
  if (JSON.stringify(written) !== JSON.stringify(data))
    throw new TypeError(`${name} is written as another type`);
  return new Variable(schemas.type(data), { text, write: levelOf(post) });
}

function methodOf({ post }: PathItem, schemas: Schemas): Declaration | undefined {
  const body = post === undefined ? undefined : schemas.response(post);
  if (post === undefined || schemas.member(body, 'header') === undefined) return undefined;
  const answersIn = schemas.member(body, 'challenge') === undefined ? 'data' : 'challenge';
  const response = schemas.member(body, answersIn);
  return new Method(
    typeOrNothing(schemas, schemas.member(schemas.request(post), 'data')),
    typeOrNothing(schemas, response),
    {
      text,
      level: callLevelOf(post),
      responseMember: answersIn,
      response: response === undefined ? undefined : {},
    },
  );
}

function typeOrNothing(schemas: Schemas, schema: unknown): ValueType<unknown> {
  return schema === undefined ? struct({}) : schemas.type(object(schema));
}

function fileOf(item: PathItem): Declaration {
  const verbs = { get: 'GET', put: 'PUT', post: 'POST' } as const satisfies Record<keyof PathItem, FileVerb>;
  const transfers = Object.entries(item).map(([verb, { parameters = [], requestBody }]) => [
    object(verbs)[verb],
    {
      text,
      accepts: requestBody === undefined ? undefined : Object.keys(requestBody.content),
      query: parameters.map(({ name }) => name),
    },
  ]);
  return new FileEndpoint({ text, verbs: Object.fromEntries(transfers) });
}

function levelOf(operation: Operation): Level {
  const level = string(operation['x-user-level']);
  if (!isLevel(level)) throw new TypeError(`${operation.operationId} names no level`);
  return level;
}

function callLevelOf(operation: Operation): CallLevel {
  const level = operation['x-user-level'];
  return level === 'open' || level === 'login' ? level : levelOf(operation);
}
