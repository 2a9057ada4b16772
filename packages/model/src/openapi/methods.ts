import type { CallLevel, Method } from '../declaration.js';
import { type JsonSchema, jsonSchema } from '../types/schema.js';
import type { Operation, PathItem, RequestBody } from './document.js';
import { answer, done, payload, replies } from './envelope.js';
import { lifetime } from './marks.js';
import { capitalised, operationIds } from './names.js';
import { schemaOf, withNamedValues } from './schema.js';

type AnyMethod = Method<unknown, unknown>;

/** The schemas of what a method takes and gives, by name. */
export function methodSchemas(method: AnyMethod): Record<string, JsonSchema> {
  return {
    ...(method.hasRequest ? { [requestName(method)]: members(method.request) } : {}),
    ...(method.hasResponse ? { [responseName(method)]: members(method.response) } : {}),
  };
}

export function methodPath(method: AnyMethod): PathItem {
  return { post: callOperation(method) };
}

function callOperation(method: AnyMethod): Operation {
  const { name, group, facts } = method;
  const { level, text, answersIn = 'data' } = facts;
  const body = bodyOf(method);
  return {
    operationId: operationIds.call(name),
    tags: [group],
    summary: text,
    description: whoMay(level),
    ...(body === undefined ? {} : { requestBody: body }),
    responses: replies(
      method.hasResponse
        ? answer(`What the call gives, in \`${answersIn}\`. Or a refusal: no \`${answersIn}\`.`, {
            [answersIn]: schemaOf(responseName(method)),
          })
        : done,
    ),
    'x-user-level': level,
    ...lifetime(method),
  };
}

/** The credentials, where the call needs them, and the request, where there is one. */
function bodyOf(method: AnyMethod): RequestBody | undefined {
  const { level, request = {}, optional = [] } = method.facts;
  const header = level === 'open' ? {} : { header: schemaOf('RequestHeader') };
  const data = method.hasRequest ? { data: schemaOf(requestName(method)) } : {};
  const parts = { ...header, ...data };
  if (Object.keys(parts).length === 0) return undefined;
  const nothingNeeded = Object.keys(request).every((member) => optional.includes(member));
  return payload(parts, nothingNeeded ? Object.keys(data) : []);
}

function whoMay(level: CallLevel): string {
  if (level === 'open') return 'Needs no login.';
  return level === 'login' ? 'Any enabled user level.' : `User level ${level} or above.`;
}

function requestName({ name }: AnyMethod): string {
  return `${name}Request`;
}

function responseName({ name, facts }: AnyMethod): string {
  const { answersIn = 'data' } = facts;
  return answersIn === 'data' ? `${name}Response` : capitalised(answersIn);
}

function members({ shape }: AnyMethod['request']): JsonSchema {
  return withNamedValues(jsonSchema(shape));
}
